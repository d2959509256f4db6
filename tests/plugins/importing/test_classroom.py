"""`grader import classroom`: autograding.json and workflows of GitHub Classroom become tests."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from grader.errors import GraderError
from grader.plugins.importing.api import import_classroom
from tests.plugins.importing.packages import marks, verdicts, write, written
from tests.sandbox import needs_sandbox

JSON = ".github/classroom/autograding.json"
WORKFLOW = ".github/workflows/classroom.yml"
DOUBLE = "number = int(input('Number: '))\nprint(number * 2)\n"


def listed(*tests: Mapping[str, object]) -> str:
    """The text of an autograding.json."""
    common = {"setup": "", "input": "", "output": "", "comparison": "included", "timeout": 10, "points": 1}
    return json.dumps({"tests": [{**common, **test} for test in tests]}, indent=2)


def steps(*graders: str) -> str:
    """The text of a workflow."""
    head = "on: [push]\njobs:\n  run-autograding-tests:\n    steps:\n    - uses: actions/checkout@v4\n"
    return head + "".join(graders)


IO = """\
    - name: doubles
      uses: classroom-resources/autograding-io-grader@v1
      with:
        test-name: doubles 4
        setup-command: ''
        command: python3 double.py
        input: |-
          4
        expected-output: "Number: 8"
        comparison-method: exact
        timeout: 10
        max-score: 3
"""
COMMAND = """\
    - name: is there
      uses: classroom-resources/autograding-command-grader@v1
      with: {test-name: is there, setup-command: '', command: grep -q input double.py, timeout: 10, max-score: 2}
"""
PYTHON = """\
    - name: functions
      uses: classroom-resources/autograding-python-grader@v1
      with: {timeout: 10, max-score: 5, setup-command: 'pip install pytest'}
"""


@pytest.mark.slow
@needs_sandbox
def test_outputs_are_compared_as_there(tmp_path: Path) -> None:
    run = {"run": "python double.py", "input": "21\r\n"}
    tests = (
        {"name": "exact", **run, "output": "Number: 42", "comparison": "exact", "points": 4},
        {"name": "included", **run, "output": "42"},
        {"name": "regex", **run, "output": "4[0-9]$", "comparison": "regex"},
        {"name": "in a shell", "run": "echo 5 | python double.py | grep -q 10 && echo yes", "output": "yes"},
        {"name": "lines", "run": "printf '5\n' | python double.py", "output": "10"},
    )
    folder = write(tmp_path / "double", {JSON: listed(*tests), "solution/double.py": DOUBLE})
    made = import_classroom(folder, solution=folder / "solution", into=tmp_path / "course")
    assert verdicts(made) == {"accepted-solution": ["passed"] * 5}
    wrong = DOUBLE.replace("* 2", "+ 2")
    write(made.course / "submissions" / "double" / "wrong", {"double.py": wrong})
    assert marks(made) == {"accepted-solution": "8", "wrong": "0"}


@pytest.mark.slow
@needs_sandbox
def test_a_workflow_with_all_graders(tmp_path: Path) -> None:
    pytest_file = """\
        import pytest
        from double import twice

        def test_twice():
            assert twice(3) == 6
            for number in [0, 1]:
                assert twice(number) == number + number

        def test_texts():
            with pytest.raises(TypeError):
                twice(None)

        """
    program = (
        f"def twice(number):\n    return number * 2\n\n\nif __name__ == '__main__':\n    {DOUBLE.splitlines()[0]}\n"
    )
    program += "    print(twice(number))\n"
    lines = "".join(f"{line.removeprefix('        ')}\n" for line in pytest_file.splitlines())
    files = {WORKFLOW: steps(IO, PYTHON), "test_double.py": lines, "double.py": "# yours\n", "right/double.py": program}
    folder = write(tmp_path / "double", files)
    made = import_classroom(folder, solution=folder / "right", into=tmp_path / "course")
    assert verdicts(made) == {"accepted-solution": ["passed"] * 5}
    assert not [note for note in made.notes if "not imported" in note and "Time" not in note]
    assert {group["id"]: group["points"] for group in written(made, "assignment.yaml")["groups"]} == {
        "test_twice": "2.5"
    }


def test_a_function_that_has_no_form_here_is_run_by_pytest(tmp_path: Path) -> None:
    functions = "from a import f\n\n\ndef test_one():\n    assert f() == 1\n\n\n"
    functions += "class TestFiles:\n    def test_none(self, tmp_path):\n        assert not list(tmp_path.iterdir())\n"
    folder = write(tmp_path / "a", {WORKFLOW: steps(PYTHON), "tests/test_a.py": functions, "a.py": "# yours\n"})
    made = import_classroom(folder, into=tmp_path / "course")
    assert [note for note in made.notes if "test_a.py" in note] == [
        "tests/test_a.py: the test test_none is run by pytest as it stands, and passes by its exit status alone: "
        "line 10: it uses the fixture `tmp_path`."
    ]
    (called, whole) = written(made, "tests/tests.yaml")["tests"]
    assert called["call"] == "f()"
    assert whole["command"] == "python3 -m pytest -q tests/test_a.py::TestFiles::test_none"
    assignment = written(made, "assignment.yaml")
    assert (assignment["packages"], assignment["files"]) == (["pytest"], ["tests/test_a.py"])


@pytest.mark.slow
@needs_sandbox
def test_loops_over_tuples_and_parameters(tmp_path: Path) -> None:
    tests = """\
import pytest
from double import twice

def test_pairs():
    for number, doubled in [(2, 4), (0, 0)]:
        assert twice(number) == doubled

@pytest.mark.parametrize("number", [1, 5])
@pytest.mark.parametrize("sign, word", [(1, "plus"), (-1, "minus")])
def test_signs(number, sign, word):
    assert twice(sign * number) == 2 * sign * number, word
"""
    files = {WORKFLOW: steps(PYTHON), "test_double.py": tests, "double.py": "# yours\n"}
    program = "def twice(number):\n    return number * 2\n"
    folder = write(tmp_path / "double", {**files, "right/double.py": program})
    made = import_classroom(folder, solution=folder / "right", into=tmp_path / "course")
    assert not [note for note in made.notes if "not imported" in note and "Time" not in note]
    assert verdicts(made) == {"accepted-solution": ["passed"] * 6}
    write(
        made.course / "submissions" / "double" / "wrong",
        {"double.py": program.replace("number * 2", "abs(number) * 2")},
    )
    assert 0 < float(marks(made)["wrong"]) < float(marks(made)["accepted-solution"])


@needs_sandbox
def test_the_exit_status_of_a_command(tmp_path: Path) -> None:
    folder = write(tmp_path / "double", {WORKFLOW: steps(COMMAND), "double.py": DOUBLE})
    made = import_classroom(folder, solution=folder, into=tmp_path / "course")
    write(made.course / "submissions" / "double" / "wrong", {"double.py": "print(4)\n"})
    assert marks(made) == {"accepted-solution": "2", "wrong": "0"}


@needs_sandbox
def test_a_program_in_c_is_built_as_there(tmp_path: Path) -> None:
    program = '#include <stdio.h>\nint main(void) { int n; scanf("%d", &n); printf("%d\\n", 2 * n); return 0; }\n'
    test = {"setup": "gcc -Wall -o twice twice.c", "run": "./twice", "input": "4", "output": "8", "name": "of 4"}
    both = {"run": "gcc -Wall -o twice twice.c && ./twice", "input": "5", "output": "10", "name": "of 5"}
    folder = write(tmp_path / "twice", {JSON: listed(test, both), "twice.c": program})
    made = import_classroom(folder, solution=folder / "twice.c", into=tmp_path / "course")
    assert verdicts(made) == {"accepted-solution": ["passed"] * 2}
    (entry,) = written(made, "assignment.yaml")["programs"]
    assert entry["build"] == ["gcc", "-Wall", "-o", "twice", "twice.c"]
    assert entry["run"] == ["./twice"]


@pytest.mark.slow
@needs_sandbox
def test_commands_are_tests_as_they_stand(tmp_path: Path) -> None:
    tests = (
        {"name": "made", "run": "make -s test"},
        {"name": "script", "setup": "sudo apt-get install expect && make", "run": "bash test.sh 3"},
        {"name": "lines", "run": "cd tests\nsh more.sh\n"},
        {"name": "printed", "run": "make -s twice && ./twice", "input": "4", "output": "8"},
    )
    files = {
        JSON: listed(*tests),
        "Makefile": "twice: twice.c\n\tgcc -o twice twice.c\ntest: twice\n\ttest `echo 5 | ./twice` = 10\n",
        "test.sh": "test $(echo $1 | ./twice) = $(($1 + $1))\n",
        "tests/more.sh": "cd .. && make -s && bash test.sh 7\n",
    }
    program = '#include <stdio.h>\nint main(void) { int n; scanf("%d", &n); printf("%d\\n", 2 * n); return 0; }\n'
    folder = write(tmp_path / "twice", {**files, "twice.c": program})
    made = import_classroom(folder, solution=folder / "twice.c", into=tmp_path / "course")
    assert verdicts(made) == {"accepted-solution": ["passed"] * 4}
    write(made.course / "submissions" / "twice" / "wrong", {"twice.c": program.replace("2 * n", "3 * n")})
    assert marks(made) == {"accepted-solution": "4", "wrong": "0"}
    assert [note for note in made.notes if "install" in note] == [
        f"{JSON}:20: the setup `sudo` was not imported: it installs or fetches something."
    ]


def test_a_tool_that_may_fetch_something_is_noted(tmp_path: Path) -> None:
    tests = [{"name": tool, "run": f"{tool} test"} for tool in ("gradle", "./gradlew", "npm")]
    folder = write(tmp_path / "page", {JSON: listed(*tests), "index.js": "", "package.json": "{}", "gradlew": ""})
    made = import_classroom(folder, into=tmp_path / "course")
    assert [test["command"] for test in written(made, "tests/tests.yaml")["tests"]] == [
        "gradle test",
        "./gradlew test",
        "npm test",
    ]
    assert f"{JSON}:10: `gradle` has no network here: what it needs must be among the files." in made.notes
    assert written(made, "assignment.yaml")["files"] == ["gradlew", "package.json"]


def test_pytest_on_a_program_that_a_command_starts_is_one_test(tmp_path: Path) -> None:
    test = {"name": "of functions", "run": "pytest -q test_a.py", "points": 3}
    start = {"name": "started", "run": "python3 a.py | grep 1", "output": "1"}
    files = {"a.py": "print(1)\n", "test_a.py": "from a import f\n\ndef test_f():\n    assert f() == 1\n"}
    folder = write(tmp_path / "both", {**files, JSON: listed(start, test)})
    made = import_classroom(folder, into=tmp_path / "course")
    (_, whole) = written(made, "tests/tests.yaml")["tests"]
    assert (whole["command"], whole["points"]) == ("pytest -q test_a.py", "3")
    assert written(made, "assignment.yaml")["packages"] == ["pytest"]


def test_what_cannot_be_imported_is_listed_with_its_line(tmp_path: Path) -> None:
    tests = (
        {"name": "right", "run": "python3 a.py", "output": "1"},
        {"name": "page", "setup": "npm install", "run": "npm install && npm test"},
        {"name": "which", "run": "make test"},
    )
    setup = "    - name: Set up Java\n      uses: actions/setup-java@v3\n"
    folder = write(tmp_path / "mixed", {JSON: listed(*tests), WORKFLOW: steps(setup, COMMAND.replace("double", "a"))})
    notes = import_classroom(folder, into=tmp_path / "course").notes
    assert f"{WORKFLOW}:6: the step `Set up Java` was not imported." in notes
    assert f"{JSON}:20: the setup `npm install` was not imported: it installs or fetches something." in notes
    assert [note for note in notes if note.startswith(JSON) and "the test" in note] == [
        f"{JSON}:{line}: the test {name!r} (1 point) was not imported: {reason}."
        for line, name, reason in (
            (20, "page", "`npm install` installs or fetches something, and tests have no network"),
            (30, "which", "the command does not name the file that students hand in (--program)"),
        )
    ]
    assert notes[-1] == "3 of 5 points were imported."


def test_what_github_does_not_count_is_left_out(tmp_path: Path) -> None:
    counted = COMMAND.replace("    - name", "    - id: there\n      name").replace("double.py", "a.py")
    switched_off = counted.replace("id: there", "if: ${{ false }}\n      id: off").replace("is there", "is off")
    report = "    - uses: classroom-resources/autograding-grading-reporter@v1\n      with: {runners: 'there, off'}\n"
    workflow = steps(counted, switched_off, COMMAND.replace("is there", "is apart"), report)
    made = import_classroom(
        write(tmp_path / "a", {"a.py": "print(1)\n", WORKFLOW: workflow}), program="a.py", into=tmp_path / "course"
    )
    assert [test["title"] for test in written(made, "tests/tests.yaml")["tests"]] == ["is there"]
    assert f"{WORKFLOW}:10: the test 'is off' was not imported: its `if` is false." in made.notes
    assert f"{WORKFLOW}:15: the test 'is apart' was not imported: the reporter does not count it." in made.notes


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"README.md": ""}, "has neither"),
        ({JSON: "[1]"}, "is no list of tests"),
        ({JSON: "{"}, "is no list of tests"),
        ({JSON: listed({"name": "a", "run": "npm ci"})}, "nothing can be said here"),
    ],
)
def test_a_repository_without_tests(files: dict[str, str], words: str, tmp_path: Path) -> None:
    with pytest.raises(GraderError, match=words):
        import_classroom(write(tmp_path / "empty", files), into=tmp_path / "course")
    assert not (tmp_path / "course").exists()


def test_a_solution_that_is_not_there(tmp_path: Path) -> None:
    folder = write(tmp_path / "double", {JSON: listed({"name": "a", "run": "python a.py", "output": "1"})})
    with pytest.raises(GraderError, match="is not there"):
        import_classroom(folder, solution=tmp_path / "none", into=tmp_path / "course")
