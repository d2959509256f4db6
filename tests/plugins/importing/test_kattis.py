"""`grader import kattis`: packages become assignments in which each program gets its label."""

import shutil
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

import grader
from grader.checkers import ActualOutput
from grader.errors import GraderError
from grader.plugins.importing.api import import_kattis
from tests.plugins.importing.packages import ADD, ADD_DIGITS, marks, verdicts, write, written
from tests.prepared_grader import PreparedGrader
from tests.sandbox import needs_sandbox

TEMPLATES = Path(grader.__file__).parent / "plugins" / "importing" / "templates"
LEGACY = {
    "problem.yaml": "name: A sum\nsource: a course\nlimits: {memory: 256, code: 128}\nlibraries: boost\n",
    "data/sample/1.in": "1 2\n",
    "data/sample/1.ans": "3\n",
    "data/secret/big.in": "900 80\n",
    "data/secret/big.ans": "980\n",
    "data/secret/big.desc": "larger than a digit\n",
    "submissions/accepted/add.py": ADD,
    "submissions/wrong_answer/digits.py": ADD_DIGITS,
    "submissions/run_time_error/none.py": "raise SystemExit(3)\n",
}


def template(name: str, folder: Path) -> ModuleType:
    """A checker that importers write, as a module in a folder."""
    folder.mkdir(exist_ok=True)
    shutil.copy(TEMPLATES / f"{name}.py.txt", folder / f"{name}.py")
    spec = spec_from_file_location(name, folder / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
@needs_sandbox
def test_a_legacy_package(tmp_path: Path) -> None:
    package = write(tmp_path / "sum", LEGACY)
    made = import_kattis(package, into=tmp_path / "course")
    assert verdicts(made) == {
        "accepted-add.py": ["passed", "passed"],
        "wrong_answer-digits.py": ["passed", "wrong-output"],
        "run_time_error-none.py": ["exit-status", "exit-status"],
    }
    assert marks(made) == {"accepted-add.py": "1", "wrong_answer-digits.py": "0", "run_time_error-none.py": "0"}
    said = (made.course / "test_specs" / "sum" / "IMPORT.md").read_text(encoding="utf-8")
    for words in (
        "`libraries` was not imported",
        "code concern the judge",
        "states no time limit",
        "| accepted | add.py |",
    ):
        assert words in said, words
    loaded = grader.load("sum", made.course)
    assert [test.title for test in loaded.tests] == ["", "larger than a digit"]
    assert [str(test.visibility) for test in loaded.tests] == ["public", "hidden"]
    assert loaded.limits.memory_bytes == 256 << 20


def test_files_that_are_no_whole_test_case_are_named(tmp_path: Path) -> None:
    halves = {
        "data/secret/large.in": "5 5\n",
        "data/secret/large.out": "10\n",
        "data/secret/1/small.ans": "3\n",
        "data/secret/words.args": "a b\n",
        "data/secret/words.files/given.txt": "a\n",
        "data/secret/README": "the tests\n",
    }
    made = import_kattis(write(tmp_path / "sum", LEGACY | halves), into=tmp_path / "course")
    said = (made.course / "test_specs" / "sum" / "IMPORT.md").read_text(encoding="utf-8")
    assert sorted(line.removeprefix("- ") for line in said.splitlines() if "data/" in line) == [
        "data/secret/1/small.ans: there is no small.in, so it was not imported.",
        "data/secret/README: not imported; it is no part of a test case.",
        "data/secret/large.in: there is no large.ans, so it was not imported.",
        "data/secret/large.out: not imported; it is no part of a test case.",
        "data/secret/words.args: there is no words.ans, so it was not imported.",
        "data/secret/words.files/given.txt: not imported; it is no part of a test case.",
    ]


@pytest.mark.parametrize(
    ("answer", "output", "flags", "is_right"),
    [
        ("1 2\n3\n", "1\t2 3", "", True),
        ("Yes\n", "yES\n", "", True),
        ("Yes\n", "yES\n", "case_sensitive", False),
        ("1 2\n", "1\n2\n", "space_change_sensitive", False),
        ("1 2\n", "1 2\n", "space_change_sensitive", True),
        ("1 2\n", "1\n", "", False),
        ("1\n", "1 2\n", "", False),
        ("", "\n \n", "", True),
        ("0.5\n", "0.5000001\n", "", False),
        ("0.5\n", "5.000001e-1\n", "float_tolerance 1e-6", True),
        ("1000\n", "1000.9\n", "float_relative_tolerance 1e-3", True),
        ("1000\n", "1000.9\n", "float_absolute_tolerance 1e-3", False),
        ("0.5\n", "nan\n", "float_tolerance 1e-6", False),
        ("a 0.5\n", "A 0.5\n", "float_tolerance 1e-6 case_sensitive", False),
        (f"{10**400}\n", f"{10**400}\n", "float_tolerance 1e-9", True),
        (f"{10**400}\n", f"{10**400 + 1}\n", "float_tolerance 1e-9", True),
        (f"{10**400}\n", f"{10**400 + 2}\n", "float_absolute_tolerance 1", False),
        (f"{10**400}\n", f"{10**400 + 1}\n", "float_absolute_tolerance 1", True),
        ("1e400\n", "2e400\n", "float_tolerance 1e-9", False),
        ("-1e400\n", "1e400\n", "float_tolerance 1e-9", False),
        ("1e400\n", "0.1e401\n", "float_tolerance 1e-9", True),
        ("1e-400\n", "2e-400\n", "float_relative_tolerance 1e-9", False),
        ("1e999999999\n", "1\n", "float_tolerance 1e-9", False),
        (f"1e{10**30}\n", f"1e{10**30}\n", "float_tolerance 1e-9", True),
        (f"1e{10**30}\n", f"1e{10**30 + 1}\n", "float_tolerance 1e-9", False),
        ("nan\n", "nan\n", "float_tolerance 1e-9", True),
        ("inf\n", "inf\n", "float_tolerance 1e-9", True),
        ("1e400\n", "inf\n", "float_tolerance 1e-9", False),
        ("9" * 1_000_000, "9" * 1_000_000, "float_tolerance 1e-9", True),
    ],
)
def test_tokens_as_the_default_validator_compares_them(
    answer: str, output: str, flags: str, *, is_right: bool, tmp_path: Path
) -> None:
    check = template("kattis_tokens", tmp_path / "checkers").check
    (tmp_path / "checkers" / "x.ans").write_text(answer)
    found = check("", "", ActualOutput(output, stderr="", exit_status=0), answer="x.ans", flags=flags)
    assert (found.status == "passed") is is_right, found.reason


def test_a_flag_that_there_is_not(tmp_path: Path) -> None:
    check = template("kattis_tokens", tmp_path / "checkers").check
    (tmp_path / "checkers" / "x.ans").write_text("1")
    with pytest.raises(ValueError, match="no flag 'fuzzy'"):
        check("", "", ActualOutput("1", stderr="", exit_status=0), answer="x.ans", flags="fuzzy")


VALIDATOR = """\
import sys
from pathlib import Path

given, answer, feedback, *flags = sys.argv[1:]
total = int(Path(given).read_text())
try:
    numbers = list(map(int, sys.stdin.read().split()))
except ValueError:
    sys.exit(43)
if sum(numbers) != total:
    Path(feedback, "teammessage.txt").write_text(f"Your numbers do not give {total}.")
    sys.exit(43)
if "scored" in flags:
    Path(feedback, "score.txt").write_text(str(12 - 2 * len(numbers)))
sys.exit(42)
"""
SPLIT = {
    "problem.yaml": "name: Parts\nvalidation: custom\n",
    "output_validators/check.py": VALIDATOR,
    "data/secret/1.in": "7\n",
    "data/secret/1.ans": "any\n",
    "submissions/accepted/one.py": "print(input())\n",
    "submissions/accepted/another.py": "print(int(input()) - 1, 1)\n",
    "submissions/wrong_answer/off.py": "print(int(input()) + 1)\n",
}


@pytest.mark.slow
@needs_sandbox
def test_an_output_validator_in_python(tmp_path: Path) -> None:
    made = import_kattis(write(tmp_path / "parts", SPLIT), into=tmp_path / "course")
    assert verdicts(made) == {
        "accepted-one.py": ["passed"],
        "accepted-another.py": ["passed"],
        "wrong_answer-off.py": ["wrong-output"],
    }
    results = grader.grade(made.course / "submissions" / "parts", course=made.course)
    [off] = [row for row in results.rows if row.student == "wrong_answer-off.py"]
    diagnosis = off.graded.results[0].judgement.diagnosis
    assert diagnosis is not None
    assert diagnosis.sentence == "Your numbers do not give 7."


@pytest.mark.slow
@needs_sandbox
@pytest.mark.parametrize(
    "said",
    [
        "grader_flags: min\naccept_score: 10\nrange: 0 10\n",
        *(
            pytest.param(one, marks=pytest.mark.slow)
            for one in ("range: 0 10\n", "range: -inf 10\non_reject: continue\n")
        ),
    ],
)
def test_scores_of_a_validator(said: str, tmp_path: Path) -> None:
    files = {
        **SPLIT,
        "problem.yaml": "name: Parts\ntype: scoring\nvalidation: custom score\nvalidator_flags: scored\n",
        "data/secret/testdata.yaml": said,
    }
    made = import_kattis(write(tmp_path / "parts", files), into=tmp_path / "course")
    verdicts(made)
    assert marks(made) == {"accepted-one.py": "10", "accepted-another.py": "8", "wrong_answer-off.py": "0"}


@needs_sandbox
@pytest.mark.slow
def test_a_share_of_the_score_by_a_validator(tmp_path: Path) -> None:
    files = {
        **{name: text for name, text in SPLIT.items() if "validators" not in name},
        "problem.yaml": "problem_format_version: 2025-09\nname: Parts\ntype: scoring\n",
        "output_validator/check.py": VALIDATOR.replace("score.txt", "score_multiplier.txt").replace(
            "12 - 2 * len(numbers)", "1.5 - len(numbers) / 2"
        ),
        "data/secret/test_group.yaml": "max_score: 100\noutput_validator_args: [scored]\n",
    }
    made = import_kattis(write(tmp_path / "parts", files), into=tmp_path / "course")
    verdicts(made)
    assert marks(made) == {"accepted-one.py": "100", "accepted-another.py": "50", "wrong_answer-off.py": "0"}


@needs_sandbox
@pytest.mark.slow
def test_groups_share_the_range_of_the_whole(tmp_path: Path) -> None:
    files = {
        **SPLIT,
        "problem.yaml": "name: Parts\ntype: scoring\nvalidation: custom score\nvalidator_flags: scored\n",
        "data/testdata.yaml": "grader_flags: ignore_sample\nrange: 0 20\n",
        **{f"data/{group}/1.in": "7\n" for group in ("sample", "secret/a", "secret/b")},
        **{f"data/{group}/1.ans": "any\n" for group in ("sample", "secret/a", "secret/b")},
    }
    files = {name: text for name, text in files.items() if not name.startswith("data/secret/1.")}
    made = import_kattis(write(tmp_path / "parts", files), into=tmp_path / "course")
    verdicts(made)
    assert marks(made) == {"accepted-one.py": "20", "accepted-another.py": "16", "wrong_answer-off.py": "0"}
    assert "data/secret/a: by its `range`, a score of 10 earns all points." in made.notes


CPP_VALIDATOR = """\
#include <fstream>
#include <iostream>
#include "codes.h"

int main(int count, char **words) {
    std::ifstream given(words[1]);
    int total, found;
    given >> total;
    return std::cin >> found && found == total ? RIGHT : WRONG;
}
"""


SAME = """\
#include <stdio.h>

int main(void) {
    int number;
    scanf("%d", &number);
    printf("%d\\n", number);
}
"""


@needs_sandbox
@pytest.mark.slow
@pytest.mark.skipif(shutil.which("g++") is None, reason="needs a compiler: the package g++ is not installed")
def test_an_output_validator_in_cpp_and_programs_in_c(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    files = {
        "problem.yaml": "problem_format_version: 2025-09\nname: Same\nlimits: {time_limit: 5}\n",
        "output_validator/validate.cpp": CPP_VALIDATOR,
        "output_validator/codes.h": "enum { RIGHT = 42, WRONG = 43 };\n",
        "data/secret/1.in": "7\n",
        "data/secret/1.ans": "7\n",
        "submissions/accepted/same.c": SAME.replace("int number;", "volatile int all[4 << 20], number; all[9] = 0;"),
        "submissions/wrong_answer/zero.c": '#include <stdio.h>\nint main(void) { puts("0"); }\n',
    }
    made = import_kattis(write(tmp_path / "same", files), into=tmp_path / "course")
    assert verdicts(made) == {"accepted-same.c": ["passed"], "wrong_answer-zero.c": ["wrong-output"]}
    assert len(list((tmp_path / "cache" / "grader" / "validators").iterdir())) == 1


GUESS_VALIDATOR = """\
import sys
from pathlib import Path

number = int(Path(sys.argv[1]).read_text())
for line in sys.stdin:
    try:
        guess = int(line)
    except ValueError:
        sys.exit(43)
    if guess == number:
        print("right", flush=True)
        sys.exit(42)
    print("higher" if number > guess else "lower", flush=True)
sys.exit(43)
"""
GUESS = """\
low, high = 1, 100
while True:
    guess = (low + high) // 2
    print(guess, flush=True)
    answer = input()
    if answer == "right":
        break
    low, high = (guess + 1, high) if answer == "higher" else (low, guess - 1)
"""
# `input` would flush the output.
NO_FLUSH = "import sys\n" + GUESS.replace(", flush=True", "").replace("input()", "sys.stdin.readline().strip()")
INTERACTIVE = {
    "problem.yaml": "problem_format_version: 2023-07-draft\nname: {en: Guess, sv: Gissa}\ntype: interactive\n",
    "output_validator/guess/validate.py": GUESS_VALIDATOR,
    "data/sample/1.interaction": "<50\n",
    "data/secret/1.in": "37\n",
    "data/secret/1.ans": "\n",
    "submissions/accepted/halve.py": GUESS,
    "submissions/accepted/leaves.py": "for n in range(1, 38):\n    print(n, flush=True)\n    n == 37 or input()\n",
    "submissions/wrong_answer/gives_up.py": "print(1, flush=True)\ninput()\n",
    "submissions/wrong_answer/words.py": "print('x', flush=True)\ninput()\n",
    "submissions/time_limit_exceeded/no_flush.py": NO_FLUSH,
    "submissions/run_time_error/after.py": GUESS + "raise SystemExit(1)\n",
}


@pytest.mark.slow
@needs_sandbox
def test_an_interactive_problem(tmp_path: Path) -> None:
    made = import_kattis(write(tmp_path / "guess", INTERACTIVE), into=tmp_path / "course")
    assert verdicts(made) == {
        "accepted-halve.py": ["passed"],
        "accepted-leaves.py": ["passed"],
        "wrong_answer-gives_up.py": ["wrong-output"],
        "wrong_answer-words.py": ["wrong-output"],
        "time_limit_exceeded-no_flush.py": ["wrong-output"],
        "run_time_error-after.py": ["exit-status"],
    }
    assert [note for note in made.notes if ".interaction: not imported" in note]


ENDS_OUTPUT = """\
import os, sys
for word in open(sys.argv[1]).read().split():
    print(word, flush=True)
os.close(1)
line = sys.stdin.readline()
sys.exit(42 if line.split() == open(sys.argv[2]).read().split() else 43)
"""


@pytest.mark.slow
@needs_sandbox
def test_an_interactive_problem_whose_validator_ends_its_output_and_reads_on(tmp_path: Path) -> None:
    reads_all = "import sys\nprint(sum(int(line) for line in sys.stdin){})\n"
    files = {
        **{name: text for name, text in INTERACTIVE.items() if name == "problem.yaml"},
        "output_validator/v.py": ENDS_OUTPUT,
        "data/secret/1.in": "3 4 5\n",
        "data/secret/1.ans": "12\n",
        "submissions/accepted/sum.py": reads_all.format(""),
        "submissions/wrong_answer/more.py": reads_all.format(" + 1"),
        "submissions/wrong_answer/silent.py": "import sys\nsys.stdin.read()\n",
    }
    assert verdicts(import_kattis(write(tmp_path / "sums", files), into=tmp_path / "course")) == {
        "accepted-sum.py": ["passed"],
        "wrong_answer-more.py": ["wrong-output"],
        "wrong_answer-silent.py": ["wrong-output"],
    }


ANSWERS_AT_ONCE = """\
import sys
for question in range(200):
    if sys.stdin.readline() != "?" * 1000 + "\\n":
        sys.exit(43)
    print("!" * 1000, flush=True)
sys.exit(42 if sys.stdin.readline() == "end\\n" else 43)
"""


@pytest.mark.slow
@needs_sandbox
def test_an_interactive_problem_with_more_questions_than_a_pipe_has_room_for(tmp_path: Path) -> None:
    asks = 'for _ in range(200):\n    print("?" * 1000)\nfor _ in range(200):\n    assert input() == "!" * 1000\n'
    files = {
        **{name: text for name, text in INTERACTIVE.items() if name == "problem.yaml"},
        "output_validator/v.py": ANSWERS_AT_ONCE,
        "data/secret/1.in": "\n",
        "data/secret/1.ans": "\n",
        "submissions/accepted/asks.py": f"{asks}print('end')\n",
        "submissions/wrong_answer/ends.py": f"{asks}print('End')\n",
    }
    assert verdicts(import_kattis(write(tmp_path / "many", files), into=tmp_path / "course")) == {
        "accepted-asks.py": ["passed"],
        "wrong_answer-ends.py": ["wrong-output"],
    }


@needs_sandbox
@pytest.mark.slow
def test_scores_of_an_interactive_problem(tmp_path: Path) -> None:
    scores = '        Path(sys.argv[3], "score.txt").write_text(str(10 - count))\n        print("right"'
    files = {
        **INTERACTIVE,
        "problem.yaml": "name: Guess\ntype: scoring\nvalidation: custom interactive score\n",
        "output_validator/guess/validate.py": GUESS_VALIDATOR.replace(
            "for line in sys.stdin", "for count, line in enumerate(sys.stdin)"
        ).replace('        print("right"', scores),
        "data/secret/testdata.yaml": "accept_score: 10\n",
    }
    made = import_kattis(write(tmp_path / "guess", files), into=tmp_path / "course")
    verdicts(made)
    assert marks(made)["accepted-halve.py"] == "8"
    assert marks(made)["accepted-leaves.py"] == "0"


@needs_sandbox
@pytest.mark.slow
def test_groups_with_scores(tmp_path: Path) -> None:
    files = {
        "problem.yaml": "problem_format_version: 2023-07-draft\nname: Sums\ntype: scoring\n",
        "data/testdata.yaml": "on_reject: continue\ngrader_flags: ignore_sample\n",
        "data/sample/1.in": "1 2\n",
        "data/sample/1.ans": "3\n",
        "data/secret/small/testdata.yaml": "grader_flags: min\naccept_score: 30\n",
        "data/secret/small/1.in": "4 5\n",
        "data/secret/small/1.ans": "9\n",
        "data/secret/large/testdata.yaml": "accept_score: 35\n",
        "data/secret/large/1.in": "40 50\n",
        "data/secret/large/1.ans": "90\n",
        "data/secret/large/2.in": "1 1\n",
        "data/secret/large/2.ans": "2\n",
        "submissions/accepted/add.py": ADD,
        "submissions/partially_accepted/digits.py": ADD_DIGITS,
    }
    made = import_kattis(write(tmp_path / "sums", files), into=tmp_path / "course")
    verdicts(made)
    assert marks(made) == {"accepted-add.py": "100", "partially_accepted-digits.py": "65"}


def test_groups_of_the_format_of_2025(tmp_path: Path) -> None:
    files = {
        "problem.yaml": "problem_format_version: 2025-09\nname: Sums\ntype: scoring\n",
        "data/sample/1.in": "2 2\n",
        "data/sample/1.ans": "4\n",
        "data/secret/one/test_group.yaml": "max_score: 40\n",
        "data/secret/one/1.in": "1 1\n",
        "data/secret/one/1.ans": "2\n",
        "data/secret/two/test_group.yaml": "max_score: 60\nscore_aggregation: min\nrequire_pass: secret/one\n"
        "output_validator_args: [case_sensitive]\n",
        "data/secret/two/1.ans": "2\n",
        "data/secret/two/1.yaml": "args: [-v, two words]\ndescription: by arguments\n",
        "data/secret/two/1.files/more.txt": "1\n",
        "data/secret/two/1.in": "",
        "submissions/accepted/add.py": ADD,
    }
    made = import_kattis(write(tmp_path / "sums", files), into=tmp_path / "course")
    specs = made.course / "test_specs" / "sums"
    groups = written(made, "assignment.yaml")["groups"]
    assert [(group["points"], group["count"]) for group in groups] == [("40", "all"), ("60", "least")]
    [sample, _, two] = written(made, "tests/tests.yaml")["tests"]
    assert (sample["visibility"], sample["points"]) == ("public", "0")
    assert two["args"] == ["-v", "two words"]
    assert two["title"] == "by arguments"
    assert two["requires"] == ["secret-one-1"]
    assert two["checker_options"]["flags"] == "case_sensitive"
    assert (specs / "files" / two["files"]["more.txt"]).read_text() == "1\n"


@pytest.mark.parametrize("version", ["legacy", "2025-09"])
@pytest.mark.parametrize("around", ["data", "data/secret", "data/secret/one"])
def test_a_validator_gets_the_arguments_of_the_groups_around(version: str, around: str, tmp_path: Path) -> None:
    key = "output_validator_flags" if version == "legacy" else "output_validator_args"
    file = "testdata.yaml" if version == "legacy" else "test_group.yaml"
    files = {
        "problem.yaml": f"problem_format_version: {version}\nname: Third\n",
        f"{around}/{file}": f"{key}: float_tolerance 1e-6\n",
        "data/secret/one/1.in": "1\n",
        "data/secret/one/1.ans": "0.333333333\n",
        "submissions/accepted/third.py": "print(int(input()) / 3)\n",
    }
    made = import_kattis(write(tmp_path / "third", files), into=tmp_path / "course")
    [test] = written(made, "tests/tests.yaml")["tests"]
    assert test["checker_options"]["flags"] == "float_tolerance 1e-6"


JAVA = "public class Same { public static void main(String[] words) { System.out.println(7); } }\n"


@needs_sandbox
@pytest.mark.skipif(shutil.which("javac") is None, reason="needs the Debian package default-jdk-headless")
@pytest.mark.slow
def test_java_gets_the_memory_of_the_package(tmp_path: Path) -> None:
    files = {
        "problem.yaml": "name: Same\nlimits: {memory: 600}\n",
        "data/secret/1.in": "7\n",
        "data/secret/1.ans": "7\n",
        "submissions/accepted/same.py": "print(input())\n",
        "submissions/accepted/Same.java": JAVA.replace("System", "long[] all = new long[40 << 20]; System"),
        "submissions/run_time_error/Same.java": JAVA.replace("System", "long[] all = new long[90 << 20]; System"),
    }
    made = import_kattis(write(tmp_path / "same", files), into=tmp_path / "course")
    found = verdicts(made)
    assert (found["accepted-Same.java"], found["run_time_error-Same.java"]) == (["passed"], ["memory-limit"])


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"problem.yaml": "name: x"}, "has no test cases"),
        ({"data/x": ""}, "no problem package"),
        ({"problem.yaml": "type: multi-pass"}, "multi-pass cannot be imported"),
        ({"problem.yaml": "- a"}, "is no mapping"),
        ({**LEGACY, "problem.yaml": "validation: custom"}, "there is no output validator"),
        ({**LEGACY, "problem.yaml": "validation: custom", "output_validators/V.java": ""}, "in C, C\\+\\+ or Python"),
        ({**LEGACY, "problem.yaml": "type: interactive\nproblem_format_version: 2025-09"}, "needs an output validator"),
    ],
)
def test_what_cannot_be_imported(files: dict[str, str], words: str, tmp_path: Path) -> None:
    package = write(tmp_path / "package", files)
    with pytest.raises(GraderError, match=words):
        import_kattis(package, into=tmp_path / "course")
    assert not (tmp_path / "course").exists()


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    package = write(tmp_path / "sum", LEGACY)
    import_kattis(package, into=tmp_path / "course")
    with pytest.raises(GraderError, match="nothing was changed"):
        import_kattis(package, into=tmp_path / "course")
    (tmp_path / "course" / "reference" / "other.py").write_text("mine\n")
    with pytest.raises(GraderError, match=r"other\.py is there already"):
        import_kattis(package, into=tmp_path / "course", name="other")
    assert not (tmp_path / "course" / "test_specs" / "other").exists()
    assert import_kattis(package, into=tmp_path / "course", name="third").tests == 2


@pytest.mark.slow
def test_programs_that_cannot_be_run_are_listed(prepared: PreparedGrader, tmp_path: Path) -> None:
    two = "#!/usr/bin/env python2\nprint 3\n"
    files = {**LEGACY, "submissions/accepted/add.lisp": "()", "submissions/accepted/two.py": two}
    write(tmp_path / "sum", files)
    done = prepared.run("import", "kattis", "sum", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "accepted/add.lisp: not imported" in done.stdout
    assert "accepted/two.py: not imported" in done.stdout
    assert (tmp_path / "sum-course" / "submissions" / "sum" / "accepted-add.py" / "sum.py").read_text() == ADD
    assert prepared.run("generate", "sum", folder=tmp_path / "sum-course").returncode == 0
