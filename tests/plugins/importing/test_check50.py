"""`grader import check50`: checks in their usual form become tests, and others are listed."""

import re
from pathlib import Path

import pytest

from grader.errors import GraderError
from grader.plugins.importing.api import import_check50
from tests.plugins.importing.packages import marks, verdicts, write, written
from tests.sandbox import needs_sandbox

CHECKS = '''
import check50
from re import escape

NAMES = ["Ada", "Bo"]


@check50.check()
def exists():
    """greet.py exists"""
    check50.exists("greet.py")
    check50.include("names.txt")


@check50.check(exists)
def one():
    """greets \\"Ada\\" and then says goodbye"""
    check50.run("python3 greet.py").stdin("Ada").stdout(regex("Hello, Ada"), regex=True).stdout("Bye").exit(0)


@check50.check(one)
@check50.hidden("Look at the file")
def all_names():
    """greets everybody"""
    for name in NAMES:
        check50.run(f"python3 greet.py {name}").stdout("Hello, " + name + "\\n", regex=False).exit()


@check50.check(exists)
def rejects_nothing():
    """asks again for a name"""
    check50.run("python3 greet.py").stdin("").reject()


@check50.check(exists)
def too_many():
    """refuses two names"""
    check50.run("python3 greet.py a b").exit(1)


@check50.check(exists)
def from_file():
    """greets as the file says"""
    check50.run("python3 greet.py -f names.txt").stdout(open("names.txt").read()).stdout(check50.EOF).exit(0)


@check50.check(exists)
def own_code():
    """prints something"""
    if check50.run("python3 greet.py a").stdout() == "":
        raise check50.Failure("nothing")


def regex(text):
    return fr"^.*{escape(text)}.*$"
'''
GREET = """\
import sys

names = sys.argv[1:]
if names[:1] == ["-f"]:
    names = open(names[1]).read().split()
    print(*names, sep="\\n")
    sys.exit()
if len(names) > 1:
    sys.exit(1)
name = names[0] if names else ""
while not name:
    name = input("Name: ")
print(f"Hello, {name}")
print("Bye")
"""


@pytest.mark.slow
@needs_sandbox
def test_checks_of_a_program_in_python(tmp_path: Path) -> None:
    files = {"__init__.py": CHECKS, "names.txt": "Ada\nBo\n", "right/greet.py": GREET}
    folder = write(tmp_path / "greet", files)
    made = import_check50(folder, solution=folder / "right", into=tmp_path / "course")
    assert verdicts(made) == {"accepted-solution": ["passed"] * 6}
    write(made.course / "submissions" / "greet" / "curt", {"greet.py": GREET.replace('print("Bye")\n', "")})
    write(made.course / "submissions" / "greet" / "hasty", {"greet.py": GREET.replace("while", "if")})
    assert marks(made) == {"accepted-solution": "5", "curt": "3", "hasty": "4"}
    assert [note for note in made.notes if "was not imported" in note] == [
        "__init__.py: the check own_code (1 point) was not imported: line 50: a statement with `if` has no form here."
    ]
    assert made.notes[-1] == "5 of 6 points were imported."
    tests = {test["id"]: test for test in written(made, "tests/tests.yaml")["tests"]}
    assert tests["one"]["title"] == 'greets "Ada" and then says goodbye'
    assert tests["all_names-2"] | {"title": ""} == {
        "id": "all_names-2", "title": "", "group": "all_names", "input": [], "exit_status": "any", "args": ["Bo"],
        "expect": [{"contains": "Hello, Bo\n"}], "requires": ["one"], "hint": "Look at the file",
    }  # fmt: skip


@needs_sandbox
def test_a_command_of_which_the_exit_status_counts(tmp_path: Path) -> None:
    checks = (
        "import check50\n\n@check50.check()\ndef exists():\n    check50.exists('greet.py')\n\n"
        "@check50.check(exists)\ndef asks():\n    check50.run('grep -q input greet.py').exit(0)\n\n"
        "@check50.check(exists)\ndef no_exec():\n    check50.run('grep exec greet.py').exit(1)\n\n"
        "@check50.check(exists)\ndef prints():\n    check50.run('grep -c exec greet.py').stdout('0').exit(1)\n"
    )
    folder = write(tmp_path / "greet", {"__init__.py": checks, "right/greet.py": GREET})
    made = import_check50(folder, solution=folder / "right", into=tmp_path / "course")
    assert [(test["command"], test.get("exit_status")) for test in written(made, "tests/tests.yaml")["tests"]] == [
        ("grep -q input greet.py", None),
        ("grep exec greet.py", "1"),
    ]
    assert verdicts(made) == {"accepted-solution": ["passed"] * 2}
    left_out = "check prints (1 point) was not imported: line "
    assert any(left_out in note and "`grep -c exec" in note for note in made.notes)


C_CHECKS = '''
import check50
import check50.c

@check50.check()
def exists():
    """twice.c exists"""
    check50.exists("twice.c")
    check50.include("help.c")

@check50.check(exists)
def compiles():
    """twice.c compiles"""
    check50.c.compile("twice.c", "help.c")

@check50.check(compiles)
def doubles():
    """doubles 4"""
    check50.run("./twice").stdin("4").stdout(8).exit(0)

@check50.check(compiles)
def other():
    """another program"""
    check50.run("./twice_test").stdout("8")
'''


@pytest.mark.slow
@needs_sandbox
def test_checks_of_a_program_in_c(tmp_path: Path) -> None:
    program = '#include <stdio.h>\nint twice(int n);\nint main(void) { int n; printf("n: "); scanf("%d", &n); '
    program += 'printf("%d\\n", twice(n)); return 0; }\n'
    files = {"__init__.py": C_CHECKS, "help.c": "int twice(int n) { return 2 * n; }\n", "right/twice.c": program}
    folder = write(tmp_path / "twice", files)
    made = import_check50(folder, solution=folder / "right", into=tmp_path / "course")
    assert verdicts(made) == {"accepted-solution": ["passed"]}
    write(made.course / "submissions" / "twice" / "more", {"twice.c": program.replace("twice(n)", "twice(n) + 10")})
    assert marks(made) == {"accepted-solution": "1", "more": "0"}
    (note,) = (note for note in made.notes if "was not imported" in note)
    assert "line 22: `./twice_test` is not built from one file that students hand in" in note


def test_a_script_of_the_course_starts_the_program(tmp_path: Path) -> None:
    checks = (
        CHECKS.replace('"names.txt"', '"testing.py"', 1)
        .replace("greet.py a b", "greet.py a b")
        .replace('run("python3 greet.py").stdin("").reject', 'run("python3 testing.py 5").exit')
    )
    folder = write(tmp_path / "greet", {"__init__.py": checks, "testing.py": "import greet\n", "names.txt": "Ada\n"})
    made = import_check50(folder, into=tmp_path / "course")
    assert written(made, "assignment.yaml")["programs"] == [{"file": "greet.py", "run": ["python3"]}]
    tests = {test["id"]: test for test in written(made, "tests/tests.yaml")["tests"]}
    assert tests["rejects_nothing"]["args"] == ["testing.py", "5"]
    assert tests["one"]["args"] == ["greet.py"]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ('check50.run("python3 a.py").stdout()', "it looks at all output with code of its own"),
        ('check50.run("ls").stdout("a")', "`ls` does not start a program that students hand in"),
        ('check50.run("python3 a.py").stdout(open("out.txt"))', "`out.txt` is a file that the program writes"),
        ("while True:\n        pass", "a statement with `while` has no form here"),
        ('print(__import__("os").getcwd())\n    unknown("a")', "`unknown` has no form here"),
        ('check50.run("python3 a.py").stdout("a" * 10**9)', "`10 \\*\\* 9` has no form here"),
        ('check50.run("python3 a.py").stdout("ab" * 999999999)', "a text is too long"),
        ('check50.run("python3 a.py").stdout([1][5])', r"it cannot be followed \(IndexError\)"),
        ("for _ in range(10**1):\n        x = 1", "has no form here"),
        ('check50.run("python3 a.py").stdout("(")', "cannot be read"),
        ('check50.run("python3 a.py").stdin(check50.EOF).stdin("a").exit(0)', "more after the end of input"),
        ('check50.c.valgrind("./a").exit(0)', "`check50.c.valgrind` has no form here"),
    ],
)
def test_what_is_not_of_the_usual_form(body: str, reason: str, tmp_path: Path) -> None:
    checks = f"import check50\n\n@check50.check()\ndef some():\n    {body}\n"
    with pytest.raises(GraderError, match=f"the check some \\(1 point\\) was not imported: line [4-7]: .*{reason}"):
        import_check50(write(tmp_path / "a", {"__init__.py": checks}), into=tmp_path / "course")


@pytest.mark.parametrize(
    ("files", "words"), [({"a.py": ""}, "has no __init__.py"), ({"__init__.py": "def (:"}, "is no Python")]
)
def test_a_folder_without_checks(files: dict[str, str], words: str, tmp_path: Path) -> None:
    with pytest.raises(GraderError, match=words):
        import_check50(write(tmp_path / "a", files), into=tmp_path / "course")


@pytest.mark.parametrize(
    ("arguments", "is_noted"), [('"3"', True), ('"3", prompt=True', True), ('"3", prompt=False', False)]
)
def test_a_prompt_that_is_not_demanded_here_is_noted(arguments: str, is_noted: bool, tmp_path: Path) -> None:
    check = f"""
import check50


@check50.check()
def three():
    \"\"\"prints three\"\"\"
    check50.run("python3 eggs.py").stdin({arguments}).stdout("3 eggs").exit(0)
"""
    folder = write(tmp_path / "eggs", {"__init__.py": check})
    notes = import_check50(folder, into=tmp_path / "course").notes
    assert any("without printing a prompt passes" in note for note in notes) == is_noted


@pytest.mark.parametrize(
    ("printed", "passes"),
    [("5", True), ("is 5.", True), ("x5x", True), ("-5", False), ("5.3", False), ("55", False), ("5 left of 9", True)],
)
def test_a_number_that_is_printed_is_no_part_of_another(printed: str, passes: bool, tmp_path: Path) -> None:
    check = 'import check50\n\n@check50.check()\ndef five():\n    check50.run("python3 five.py").stdout(5).exit(0)\n'
    made = import_check50(write(tmp_path / "five", {"__init__.py": check}), into=tmp_path / "course")
    (test,) = written(made, "tests/tests.yaml")["tests"]
    assert (re.search(test["expect"][0]["matches"], printed) is not None) == passes


@pytest.mark.parametrize(
    ("steps", "printed", "passes"),
    [
        (r'.stdout("ok\n").stdout(check50.EOF)', "ok\n", True),
        (r'.stdout("ok\n").stdout(check50.EOF)', "ok\nmore\n", False),
        (r'.stdout("o").stdout("k\n").stdout(check50.EOF)', "o...k\n", True),
        (".stdout(check50.EOF)", "", True),
        (".stdout(check50.EOF)", "more\n", False),
    ],
)
def test_nothing_is_printed_before_the_end(steps: str, printed: str, passes: bool, tmp_path: Path) -> None:
    check = f'import check50\n\n@check50.check()\ndef ends():\n    check50.run("python3 a.py"){steps}.exit(0)\n'
    made = import_check50(write(tmp_path / "ends", {"__init__.py": check}), into=tmp_path / "course")
    (test,) = written(made, "tests/tests.yaml")["tests"]
    assert (re.search(test["expect"][0]["matches"], printed) is not None) == passes


def test_lines_that_are_not_read_are_noted(tmp_path: Path) -> None:
    check = 'import check50\n\n@check50.check()\ndef two():\n    check50.run("python3 a.py").stdin("1").exit(0)\n'
    notes = import_check50(write(tmp_path / "two", {"__init__.py": check}), into=tmp_path / "course").notes
    assert "A program that ends before it reads all lines can pass; check50 fails it." in notes


@pytest.mark.parametrize(
    ("steps", "is_noted"),
    [('.stdin("3").stdout("3 eggs")', True), ('.stdout("Eggs: ").stdin("3").exit(0)', False), ('.stdout("3")', False)],
)
def test_output_before_typing_is_noted(steps: str, is_noted: bool, tmp_path: Path) -> None:
    check = f'import check50\n\n@check50.check()\ndef three():\n    check50.run("python3 eggs.py"){steps}\n'
    notes = import_check50(write(tmp_path / "eggs", {"__init__.py": check}), into=tmp_path / "course").notes
    assert any(note.startswith("Text is looked for in all that a program prints") for note in notes) == is_noted
