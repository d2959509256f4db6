"""What `grader check` and `grader grade` print: in wide and narrow terminals, and for programs."""

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from pexpect import EOF, spawn
from rich.cells import cell_len
from rich.text import Text

from grader.reports.results_json import FORMAT
from tests.conftest import RIGHT, SmallCourse
from tests.prepared_grader import PreparedGrader
from tests.sandbox import needs_sandbox

WRONG = 'print("Double: ", 2 * int(input("Number: ")))\n'
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(prepared: PreparedGrader, small_course: SmallCourse) -> Run:
    """Runs the command line in the course folder, with further environment variables."""

    def grader(*arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
        return prepared.run(*arguments, folder=small_course.folder, environment={**os.environ, **environment})

    return grader


def in_terminal(course: SmallCourse, *arguments: str | Path, columns: int, **environment: str) -> str:
    """What the command prints in a terminal of so many columns."""
    command = ["-m", "grader", *map(str, arguments)]
    plain = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS")}
    variables = {**plain, "TERM": "xterm-256color", **environment}
    terminal: spawn[str] = spawn(
        sys.executable, command, cwd=course.folder, env=variables, dimensions=(24, columns), encoding="utf-8"
    )
    terminal.expect(EOF, timeout=60)
    terminal.close()
    return str(terminal.before)


def test_json_is_one_line_in_the_results_format(run: Run, small_course: SmallCourse) -> None:
    checked = run("check", small_course.hand_in("wrong", WRONG), "--format", "json")
    assert checked.returncode == 1
    assert checked.stdout.count("\n") == 1
    content = json.loads(checked.stdout)
    assert content["format"] == FORMAT
    (submission,) = content["submissions"]
    assert [(test["id"], test["verdict"]) for test in submission["tests"]] == [
        ("small", "wrong-output"),
        ("at-the-prompt", "passed"),
    ]
    assert (submission["points"], submission["mark"]) == ("2", None)


@pytest.mark.slow
@needs_sandbox
def test_json_of_a_class_is_what_the_report_holds_and_is_repeated(run: Run, small_course: SmallCourse) -> None:
    small_course.hand_in("right", RIGHT)
    first = run("grade", "submissions", "--format", "json")
    assert first.returncode == 0, first.stderr
    assert json.loads(first.stdout) == json.loads((small_course.reports / "results.json").read_text())
    assert run("grade", "submissions", "--format", "json").stdout == first.stdout
    assert "Doubling numbers " in run("grade", "submissions").stdout


@pytest.mark.slow
def test_a_terminal_of_40_columns(small_course: SmallCourse) -> None:
    long = 'int(input("Number: "))\nprint("Double: 8 and something else that is far too long, and longer")\n'
    screen = in_terminal(small_course, "check", small_course.hand_in("long", long) / "double.py", columns=40)
    # The progress bar is written over and over in one line.
    lines = [Text.from_ansi(line.rpartition("\r")[2]).plain for line in screen.split("\r\n")]
    assert max(map(cell_len, lines)) <= 40
    added = [line for line in lines if line.startswith("+ ")]
    assert len(added) > 1
    assert "".join(line[10:] for line in added) == "Double: 8·and something else that is far too long, and longer"
    marked = lines[lines.index(added[0]) + 1]
    assert marked.strip("^ ") == ""
    assert marked.index("^") == 10 + len("Double: 8")


@pytest.mark.slow
@pytest.mark.parametrize(("variables", "colours"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_colours_in_a_terminal(variables: dict[str, str], colours: bool, small_course: SmallCourse) -> None:
    screen = in_terminal(small_course, "check", small_course.hand_in("right", RIGHT), columns=100, **variables)
    assert "2 of 2 tests passed." in screen
    assert ("\x1b[1;32m" in screen or "\x1b[32m" in screen) is colours


def test_colours_in_a_pipe_only_when_forced(run: Run, small_course: SmallCourse) -> None:
    folder = small_course.hand_in("right", RIGHT)
    assert "\x1b" not in run("check", folder).stdout
    assert "\x1b[1;32m" in run("check", folder, FORCE_COLOR="1", TERM="xterm").stdout


@pytest.mark.slow
def test_a_screen_that_cannot_show_every_character(run: Run, small_course: SmallCourse) -> None:
    folder = small_course.hand_in("smile", 'input("Number: "); print("☺")\n')
    checked = run("check", folder, PYTHONIOENCODING="ascii")
    assert checked.returncode == 1
    assert "\\u263a" in checked.stdout


def test_a_file_name_with_control_sequences(run: Run, small_course: SmallCourse) -> None:
    checked = run("check", small_course.folder / "\x1b[2Jdouble.py")
    assert checked.returncode == 2
    assert "<U+001B>[2Jdouble.py" in checked.stderr
    assert "\x1b" not in checked.stderr


@pytest.mark.parametrize("output", ["text", "json"])
def test_in_a_terminal_a_test_that_takes_long_is_named_with_its_limit(small_course: SmallCourse, output: str) -> None:
    program = small_course.hand_in("slow", f"import time\ntime.sleep(5.5)\n{RIGHT}") / "double.py"
    shown = in_terminal(small_course, "check", program, "--format", output, columns=100)
    assert shown.count("  still running: small; stopped after 20 s\r\n") == 1
    quick = in_terminal(small_course, "check", small_course.hand_in("quick", RIGHT), columns=100)
    assert "still running" not in quick


@pytest.mark.slow
def test_in_a_terminal_the_next_command_is_suggested(small_course: SmallCourse) -> None:
    small_course.hand_in("ada", RIGHT)
    shown = in_terminal(small_course, "grade", small_course.students, columns=200)
    assert f"Next: grader report {shlex.quote(str(small_course.students))}   (make web pages)" in shown
    assert "Next:" not in in_terminal(small_course, "-q", "grade", small_course.students, columns=200)
