"""What a test says of how its program is run: arguments, variables, files, limits, and how it must end."""

from pathlib import Path

import pytest

import grader
from grader.reports.repetition import how_to_repeat
from tests.courses.conftest import IN_EACH_SANDBOX, OneProgram

CAESAR = """\
import os, sys
if len(sys.argv) != 2:
    sys.exit("usage: p.py KEY")
print([*sys.argv[1:]], os.environ.get("MODE"))
"""


@pytest.mark.slow
@IN_EACH_SANDBOX
def test_arguments_and_environment_variables(demo: OneProgram) -> None:
    demo.write(
        """
        - {id: one, input: [], args: ["a b"], environment: {MODE: fast}}
        - {id: "n-$n", for: {n: [3, 4]}, input: [], args: [$n], environment: {MODE: $n}}
        - {id: none, stdin_text: "", exit_status: nonzero}
        """,
        reference=CAESAR,
        marks=4,
    )
    demo.generate()
    assert set(demo.verdicts(CAESAR).values()) == {"passed"}
    assert demo.verdicts(CAESAR.replace('"MODE"', '"mode"')) == {
        "one": "wrong-output",
        "n-3": "wrong-output",
        "n-4": "wrong-output",
        "none": "passed",
    }
    careless = demo.results(CAESAR.replace("sys.exit(", "print("))
    assert careless["none"].verdict is grader.Verdict.WRONG_OUTPUT


READER = """\
from pathlib import Path
for path in sorted(Path().rglob("*.csv")):
    print(path, path.read_text().split())
print(Path("picture.bin").read_bytes())
"""


@pytest.mark.slow
@IN_EACH_SANDBOX
def test_files_beside_the_program(demo: OneProgram) -> None:
    demo.write(
        """
        - {id: list, input: [], files: [a.csv]}
        - {id: renamed, input: [], files: {scores.csv: more/b.csv}}
        - {id: folder, input: [], files: {in: more}}
        """,
        reference=READER,
        files={
            "files/a.csv": "1 2\n",
            "files/more/b.csv": "3\n",
            "files/more/c.csv": "4\n",
            "files/p.bin": b"\x00\xff\n",
        },
        more="files: {picture.bin: p.bin}\n",
    )
    demo.generate()
    assert (demo.assignment / "expected" / "folder.canonical.txt").read_text() == (
        "in/b.csv ['3']\nin/c.csv ['4']\nb'\\x00\\xff\\n'\n"
    )
    # A file of the course replaces one that was handed in.
    assert set(demo.verdicts(READER, **{"picture.bin": "mine"}).values()) == {"passed"}
    assert set(demo.verdicts("print(1)\n").values()) == {"wrong-output"}


@IN_EACH_SANDBOX
def test_a_file_that_changes_is_no_fault_of_a_student(demo: OneProgram, monkeypatch: pytest.MonkeyPatch) -> None:
    demo.write("- {id: list, input: [], files: [a.csv]}", reference="print(1)\n", files={"files/a.csv": "1\n"})
    demo.generate()
    monkeypatch.setattr("grader.run.runner.content_digest", lambda _: "another")

    [result] = demo.results("print(1)\n").values()

    assert result.verdict is grader.Verdict.INTERNAL_ERROR
    assert result.judgement.diagnosis is not None
    assert "a.csv has changed" in result.judgement.diagnosis.sentence


@pytest.mark.slow
@IN_EACH_SANDBOX
def test_modules_of_the_course_for_one_test(demo: OneProgram) -> None:
    program = "from shapes import area\nprint(area(3))\n"
    demo.write(
        """
        - {id: square, input: [], files: {shapes.py: square.py}}
        - {id: cube, input: [], files: {shapes.py: cube.py}}
        """,
        reference=program,
        files={
            "files/square.py": "def area(n):\n    return n * n\n",
            "files/cube.py": "def area(n):\n    return 6 * n * n\n",
        },
    )
    demo.generate()
    assert set(demo.verdicts(program).values()) == {"passed"}
    assert demo.verdicts("print(9)\n") == {"square": "passed", "cube": "wrong-output"}


@pytest.mark.slow
@IN_EACH_SANDBOX
def test_limits_of_one_test(demo: OneProgram) -> None:
    demo.write(
        """
        - {id: short, input: [], limits: {output_bytes: 1000}}
        - {id: usual, input: []}
        """,
        reference="print('x' * 900)\n",
    )
    demo.generate()
    assert demo.verdicts("print('x' * 900)\n") == {"short": "passed", "usual": "passed"}
    assert demo.verdicts("print('x' * 1100)\n") == {"short": "output-limit", "usual": "wrong-output"}


MARIO = """\
while True:
    try:
        height = int(input("Height: "))
    except ValueError:
        continue
    if 1 <= height <= 8:
        break
print("#" * height)
"""


@pytest.mark.slow
@IN_EACH_SANDBOX
def test_a_program_that_must_ask_again(demo: OneProgram) -> None:
    demo.write(
        """
        - {id: "rejects-$n", for: {n: [-1, 9, x]}, input: [$n], asks_again: true}
        - {id: right, input: [2]}
        """,
        reference=MARIO,
        marks=4,
    )
    demo.generate()
    assert set(demo.verdicts(MARIO).values()) == {"passed"}
    assert demo.verdicts(MARIO.replace("<= 8", "<= 9")) == {
        "rejects--1": "passed",
        "rejects-9": "wrong-output",
        "rejects-x": "passed",
        "right": "passed",
    }
    ends = demo.results("print('Height: ' + input('Height: ')[:0], end='')\n")["rejects-9"]
    assert ends.verdict is grader.Verdict.EXIT_STATUS
    assert ends.judgement.diagnosis is not None
    assert ends.judgement.diagnosis.sentence == (
        "The output is right, but the program ends; expected that it rejects the last input and asks again."
    )


@pytest.mark.slow
@IN_EACH_SANDBOX
def test_a_signal_that_must_end_the_program(demo: OneProgram) -> None:
    aborts = "import os\nprint('so far', flush=True)\nos.abort()\n"
    demo.write("- {id: abort, input: [], exit_status: SIGABRT}", reference=aborts)
    demo.generate()
    assert demo.verdicts(aborts) == {"abort": "passed"}
    assert demo.verdicts(aborts.replace("os.abort()", "os.kill(os.getpid(), 11)")) == {"abort": "crash"}
    assert demo.verdicts("print('so far')\n") == {"abort": "exit-status"}


WRITER = """\
import sys
with open("out.csv", "w") as file:
    file.write("name,house\\nHarry,Gryffindor\\n")
with open("image.bin", "wb") as file:
    file.write(bytes(range(256)))
print("done")
print("warning: 1 row", file=sys.stderr)
"""


@IN_EACH_SANDBOX
def test_paths_in_written_files_are_left_out(demo: OneProgram) -> None:
    program = "import os\nwith open('where.txt', 'w') as file:\n    print(os.path.abspath('game'), file=file)\n"
    demo.write("- {id: a, input: [], written_files: [where.txt]}", reference=program)
    demo.generate()
    assert (demo.assignment / "expected" / "a.canonical.files" / "where.txt").read_text() == "game\n"
    assert demo.verdicts(program) == {"a": "passed"}


@pytest.mark.slow
@IN_EACH_SANDBOX
def test_standard_error_and_written_files(demo: OneProgram) -> None:
    demo.write(
        """
        - {id: terminal, input: [], written_files: [out.csv, image.bin], compare_stderr: true}
        - {id: piped, stdin_text: "", compare_stderr: true}
        """,
        reference=WRITER,
    )
    demo.generate()
    expected = demo.assignment / "expected"
    assert (expected / "terminal.canonical.txt").read_text() == "done\n"
    assert (expected / "terminal.canonical.stderr").read_text() == "warning: 1 row\n"
    assert (expected / "terminal.canonical.files" / "image.bin").read_bytes() == bytes(range(256))
    assert demo.verdicts(WRITER) == {"terminal": "passed", "piped": "passed"}

    def sentence(old: str, new: str, test: str = "terminal") -> str:
        result = demo.results(WRITER.replace(old, new))[test]
        assert result.verdict is grader.Verdict.WRONG_OUTPUT
        assert result.judgement.diagnosis is not None
        return result.judgement.diagnosis.sentence

    assert sentence("Gryff", "Griff").startswith("In the file `out.csv`: line 2 is ")
    assert sentence("range(256)", "[0] * 256") == "In the file `image.bin` byte 2 is 0x00; expected 0x01."
    assert sentence("out.csv", "o.csv") == (
        "There is no file `out.csv` when the program has ended; it should write one."
    )
    assert sentence("1 row", "2 rows", "piped").startswith("In standard error: ")
    link = "import os\nos.symlink('/etc/passwd', 'out.csv')\n"
    linked = demo.results(link + WRITER.replace('"out.csv"', '"o.csv"'))["terminal"]
    assert linked.judgement.diagnosis is not None
    assert linked.judgement.diagnosis.sentence.startswith("There is no file `out.csv`")


PAGER = """
import sys
rows = sys.stdin.readlines()
print(len(rows), "rows", sys.stdin.isatty(), sys.stdout.isatty())
with open("/dev/tty") as keyboard:
    while True:
        print("which? ", end="", flush=True)
        number = keyboard.readline().strip()
        if not number:
            break
        print(rows[int(number)], end="")
print("bye")
"""


@pytest.mark.slow
@IN_EACH_SANDBOX
def test_standard_input_beside_the_terminal(demo: OneProgram) -> None:
    demo.write(
        """
        - {id: text, stdin_text: "tea\\nmilk\\n", input: ["1", "0", ""], expect: [{lines: ["2 rows False True"]}]}
        - {id: file, stdin: rows.txt, input: ["2", ""]}
        - {id: nothing-typed, stdin: rows.txt, input: []}
        - {id: quiet, stdin: rows.txt, input: ["0"], echo: false, compare_stderr: true}
        """,
        reference=PAGER,
        files={"inputs/rows.txt": "a\nb\nc\n"},
    )
    demo.generate()
    expected = demo.assignment / "expected"
    assert (expected / "file.canonical.txt").read_text() == "3 rows False True\nwhich? 2\nc\nwhich? \nbye\n"
    assert (expected / "quiet.canonical.txt").read_text() == "3 rows False True\nwhich? a\nwhich? bye\n"
    assert set(demo.verdicts(PAGER).values()) == {"passed"}
    swapped = demo.results(PAGER.replace("sys.stdin.readlines()", "open('/dev/tty').readlines()"))
    assert {str(result.verdict) for result in swapped.values()} == {"wrong-output"}
    assert how_to_repeat(swapped["file"].test) == "run: python3 p.py < inputs/rows.txt   type: 2 ⏎ ''"
    assert how_to_repeat(swapped["text"].test) == "run: python3 p.py   it reads: tea ⏎ milk   type: 1 ⏎ 0 ⏎ ''"


PROMPTS = {
    "by input": "n = input('Size: ')",
    "by print": "print('Size: ', end='')\nn = input()",
    "by readline": "import readline\nn = input('Size: ')",
    "flushed": "import sys\nsys.stdout.write('Size: ')\nsys.stdout.flush()\nn = sys.stdin.readline().strip()",
}


@pytest.mark.slow
@IN_EACH_SANDBOX
@pytest.mark.parametrize("reference", ["by input", pytest.param("by print", marks=pytest.mark.slow)])
def test_prompts_stay_in_the_transcript(reference: str, demo: OneProgram) -> None:
    work = "\nimport sys\nprint('log', n, file=sys.stderr)\nprint(n * 2)\nprint('end', file=sys.stderr, end='')\n"
    demo.write(
        """
        - {id: compared, input: ["7"], compare_stderr: true}
        - {id: quiet, input: ["7"], compare_stderr: true, echo: false}
        - {id: checked, input: ["7"], expect: [{contains: "Size:"}, {in: stderr, lines: [log 7, end]}]}
        """,
        reference=PROMPTS[reference] + work,
    )
    demo.generate()
    expected = demo.assignment / "expected"
    assert (expected / "compared.canonical.txt").read_text() == "Size: 7\n77\n"
    assert (expected / "compared.canonical.stderr").read_text() == "log 7\nend"
    for prompt in PROMPTS.values():
        assert set(demo.verdicts(prompt + work).values()) == {"passed"}
    assert set(demo.verdicts(PROMPTS["by input"].replace("Size", "Number") + work).values()) == {"wrong-output"}


@pytest.mark.slow
@IN_EACH_SANDBOX
def test_a_file_that_was_handed_in_is_not_written(demo: OneProgram) -> None:
    demo.write(
        "- {id: log, input: [], written_files: [log.csv]}",
        reference="open('log.csv', 'w').write('a,b\\n')\n",
        more='further_files: ["*.csv"]',
    )
    demo.generate()
    writing = demo.verdicts("open('log.csv', 'w').write('a,b\\n')\n", **{"log.csv": "old\n"})
    silent = demo.results("", **{"log.csv": "a,b\n"})["log"]
    assert (writing, silent.verdict) == ({"log": "passed"}, grader.Verdict.WRONG_OUTPUT)
    assert silent.judgement.diagnosis is not None
    assert silent.judgement.diagnosis.sentence.startswith("There is no file `log.csv`")


@IN_EACH_SANDBOX
@pytest.mark.parametrize("name", ["words.txt/a.txt", "log.txt/a.txt", "data"])
def test_a_folder_called_as_a_file_of_the_course_costs_no_test(name: str, demo: OneProgram) -> None:
    source = "open('log.txt', 'w').write(open('words.txt').read() + open('data/more.txt').read())\n"
    demo.write(
        "- {id: a, input: [], files: [words.txt, data/more.txt], written_files: [log.txt]}",
        reference=source,
        files={"files/words.txt": "one\n", "files/data/more.txt": "two\n"},
        more='further_files: ["*", "*/*"]',
    )
    demo.generate()
    assert demo.verdicts(source, **{name: "three\n"}) == {"a": "passed"}


@pytest.mark.slow
@IN_EACH_SANDBOX
def test_generated_files_are_checked_and_removed(demo: OneProgram) -> None:
    demo.write("- {id: a, input: [], written_files: [out.csv], compare_stderr: true}", reference=WRITER)
    demo.generate()
    (demo.assignment / "expected" / "a.canonical.files" / "out.csv").write_text("other\n")
    (demo.assignment / "expected" / "a.canonical.files" / "old.csv").write_text("old\n")
    [stale] = grader.find_stale(["demo"], course=demo.folder)
    assert {finding.file.name: str(finding.state) for finding in stale.findings} == {
        "out.csv": "stale",
        "old.csv": "orphaned",
    }
    demo.generate()
    [fresh] = grader.find_stale(["demo"], course=demo.folder)
    assert fresh.findings == ()


@pytest.mark.parametrize(
    ("test", "message"),
    [
        ("input: [], files: [b.csv]", "there is no file `b.csv` in "),
        ("input: [], files: [../tests/all.yaml]", "found `../tests/all.yaml`; expected the path of a file"),
        ("input: [], files: [a.csv/../a.csv]", "found `a.csv/../a.csv`; expected the path of a file"),
        ("stdin_text: x, asks_again: true", "found `asks_again` without `input`"),
        ("input: [], asks_again: true, exit_status: 0", "found `asks_again` and `exit_status`; expected one of them"),
        ("stdin_text: x, may_leave_input: true", "found `may_leave_input`; expected it with `input`"),
        ("input: [], may_leave_input: true, asks_again: true", "found `may_leave_input`; expected it with `input`"),
        ("input: [], exit_status: SIGNOT", "or a signal such as SIGABRT"),
        ("call: f(), args: [x]", "found `args` with `call` or `repl`"),
        ("input: [], environment: {A-B: x}", "expected the name of an environment variable"),
        ("input: [], sealed: true, written_files: [a]", "a test with written files or standard error cannot be sealed"),
        ("input: [], limits: {disk_bytes: 5}", "unknown key `disk_bytes`"),
    ],
)
def test_slips(test: str, message: str, tmp_path: Path) -> None:
    demo = OneProgram(tmp_path, grader.SandboxKind.NONE)
    demo.write(f"- {{id: a, {test}}}", files={"files/a.csv": ""})
    with pytest.raises(grader.GraderError) as error:
        grader.load("demo", course=tmp_path)
    assert message in str(error.value)
