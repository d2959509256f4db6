"""What every command has in common: help, the version, and how much is told on standard error."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from grader.cli.main import app
from grader.installation import DISTRIBUTION
from tests.conftest import RIGHT, Grader, SmallCourse, without_progress


def commands(command: click.Command, *before: str) -> Iterator[tuple[str, ...]]:
    yield before
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from commands(found, *before, name)


COMMANDS = list(commands(app))


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_help_has_a_short_name(command: tuple[str, ...]) -> None:
    runner = CliRunner()
    long = runner.invoke(app, [*command, "--help"])
    assert long.exit_code == 0
    assert "-h, --help" in long.stdout
    assert runner.invoke(app, [*command, "-h"]).stdout == long.stdout


def test_the_list_of_commands_is_not_cut(grader: Grader) -> None:
    run = grader("--help")
    assert len(COMMANDS) > 20
    assert "..." not in run.stdout.replace("[ARGS]...", "")
    assert max(map(len, run.stdout.splitlines())) <= 80


def test_the_version(grader: Grader) -> None:
    run = grader("--version")
    assert (run.returncode, run.stdout, run.stderr) == (0, f"grader {version(DISTRIBUTION)}\n", "")


def modules_of(course: SmallCourse, *arguments: str) -> set[str]:
    """The modules that are loaded when a command has ended."""
    code = f"import sys; sys.argv = ['grader', *{arguments}]\nfrom grader.cli.main import main\n"
    code += "try:\n    main()\nfinally:\n    print(*sys.modules)\n"
    command = [sys.executable, "-c", code]
    # What measures coverage would import modules of its own.
    variables = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")}
    run = subprocess.run(command, cwd=course.folder, capture_output=True, text=True, check=True, env=variables)
    return set(run.stdout.splitlines()[-1].split())


HEAVY = {"importlib.metadata", "pydantic", "rich", "yaml"}


def test_help_imports_nothing_heavy(small_course: SmallCourse) -> None:
    loaded = modules_of(small_course, "--help")
    assert "grader.cli.grade" in loaded
    assert not loaded & {*HEAVY, "grader.platforms", "grader.run", "grader.reports"}


def test_the_version_imports_no_command(small_course: SmallCourse) -> None:
    loaded = modules_of(small_course, "--version")
    grader_modules = {name for name in loaded if name.startswith("grader.")}
    assert grader_modules == {"grader.cli", "grader.cli.ending", "grader.cli.main", "grader.errors"}
    assert not loaded & {*HEAVY, "traceback"}


@pytest.mark.slow
def test_a_command_imports_no_other_one(small_course: SmallCourse) -> None:
    folder = small_course.hand_in("right", RIGHT)
    for arguments, module in (("check", str(folder)), "check"), (("grade", "-h"), "grade"):
        loaded = {name for name in modules_of(small_course, *arguments) if name.startswith("grader.cli.")}
        assert loaded == {f"grader.cli.{name}" for name in ("ending", "main", "options", "output", module)}


def test_a_mistyped_command_and_option(grader: Grader) -> None:
    command, option = grader("chekc"), grader("check", ".", "--shwo", "1")
    assert (command.returncode, option.returncode) == (2, 2)
    assert "Did you mean 'check'?" in command.stderr
    assert "--show" in option.stderr.partition("Did you mean")[2]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("check",), "Missing argument 'FILE|FOLDER'."),
        (("check", ".", "--show", "many"), "Invalid value for '--show': 'many' is not a valid whole number."),
        (("grade", ".", "--jobs", "0"), "Invalid value for '--jobs': 0 is not in the range x>=1."),
        (("grade", ".", "--sandbox", "box"), "Invalid value for '--sandbox': 'box' is not one of 'bwrap', 'none'."),
        (("autograde", "autolab", "."), "Missing option '--assignment'."),
    ],
)
def test_wrong_usage(arguments: tuple[str, ...], said: str, grader: Grader) -> None:
    run = grader(*arguments)
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.startswith("Usage: ")
    assert run.stderr.endswith(f"\nError: {said}\n")


def test_without_arguments_it_helps(grader: Grader) -> None:
    assert grader().returncode == 2
    assert "For students:\n  check " in grader().stderr


def test_verbose_tells_the_tests_of_a_check(grader: Grader, small_course: SmallCourse) -> None:
    folder = small_course.hand_in("right", RIGHT)
    run = grader("-v", "check", folder)
    assert run.returncode == 0
    told = set(re.sub(r"\d+\.\d\d s", "TIME", run.stderr).splitlines())
    assert {"right, small: passed, TIME", "right, at-the-prompt: passed, TIME", "Checking: 2 tests in TIME"} <= told
    assert "passed, " not in run.stdout


@pytest.mark.slow
def test_verbose_tells_the_stages_of_grading(grader: Grader, small_course: SmallCourse) -> None:
    small_course.hand_in("ann", RIGHT)
    small_course.hand_in("ben", None)
    command = ("grade", "submissions", "--sandbox", "none")
    first = grader("--verbose", *command)
    told = re.sub(r"\d+\.\d\d s", "TIME", without_progress(first.stderr)).splitlines()
    assert told[0] == "Reading the tests: TIME"
    assert told[1] == "Reading the submissions of doubles: TIME"
    assert told[-3:] == [
        "doubles: 8 verdicts in TIME",
        "The reference of doubles: 4 verdicts in TIME",
        "Writing the reports of doubles: TIME",
    ]
    assert "ann, hidden-11: passed, TIME" in told
    assert "ben, small: missing-file" in told
    again = grader("-v", *command)
    assert again.stderr == "Nothing has changed since the last run, whose output is printed again.\n"
    assert again.stdout == first.stdout
    assert grader(*command).stderr == ""


@pytest.mark.slow
def test_quiet_tells_no_notes(grader: Grader, small_course: SmallCourse) -> None:
    assignment = small_course.folder / "test_specs" / "doubles"
    (assignment / "inputs").mkdir()
    (assignment / "inputs" / "saved-on-windows.txt").write_bytes(b"4\r\n")
    file = assignment / "tests" / "double.yaml"
    file.write_text(file.read_text().replace("input: [4]", "stdin: saved-on-windows.txt"))
    assert grader("generate").returncode == 0
    program = small_course.hand_in("right", RIGHT) / "double.py"
    assert "note: " in grader("check", program).stderr
    for option in ("-q", "--quiet"):
        run = grader(option, "check", program)
        assert (run.returncode, run.stderr) == (0, "")
        assert "1 of 1 tests passed." in run.stdout
    assert grader("-q", "check", "nothing.py").stderr == "There is no file or folder nothing.py.\n"


def test_verbose_and_quiet_exclude_each_other(grader: Grader) -> None:
    run = grader("-v", "-q", "check", ".")
    assert run.returncode == 2
    assert "--verbose and --quiet exclude each other." in run.stderr


WAITS = """\
import os
import time

while not os.path.exists({go!r}):
    time.sleep(0.05)
print("Double:", 2 * int(input("Number: ")))
"""


def waiting(small_course: SmallCourse, go: Path) -> Path:
    """A program that runs until the file is there."""
    specs = small_course.folder / "test_specs" / "doubles" / "assignment.yaml"
    specs.write_text(specs.read_text().replace("wall_seconds: 20", "wall_seconds: 600"))
    return small_course.hand_in("slow", WAITS.format(go=str(go))) / "double.py"


@pytest.mark.slow
def test_a_long_run_without_a_terminal_tells_how_far_it_is(small_course: SmallCourse, tmp_path: Path) -> None:
    program = waiting(small_course, tmp_path / "go")
    command = [sys.executable, "-m", "grader", "check", str(program)]
    with subprocess.Popen(
        command, cwd=small_course.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as run:
        assert run.stderr is not None
        line = run.stderr.readline()
        (tmp_path / "go").touch()
        out, _ = run.communicate()
    assert re.fullmatch(r"Checking: 0 of 1 tests, \d+ s\n", line)
    assert "1 of 1 tests passed." in out


@pytest.mark.slow
def test_ctrl_c_is_quiet_and_exit_code_130(small_course: SmallCourse, tmp_path: Path) -> None:
    program = waiting(small_course, tmp_path / "never")
    command = [sys.executable, "-m", "grader", "check", str(program)]
    with subprocess.Popen(
        command, cwd=small_course.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as run:
        assert run.stderr is not None
        assert run.stderr.readline().startswith("Checking: ")
        run.send_signal(signal.SIGINT)
        _, said = run.communicate()
    assert (run.returncode, said) == (130, "")


def test_many_options_are_under_headings_and_none_is_lost(grader: Grader) -> None:
    run = grader("grade", "--help")
    headings = re.findall(r"^([A-Z][\w ]+):$", run.stdout, re.M)
    assert headings == ["Positional arguments", "Options", "Which class", "Files about the class", "How programs run"]
    listed = re.findall(r"^  (?:-\w, )?(--[\w-]+)", run.stdout, re.M)
    assert sorted(listed) == sorted({*listed, "--help", "--roster", "--marks", "--sandbox", "--no-cache", "--format"})
    assert "Which class:" not in grader("watch", "--help").stdout
