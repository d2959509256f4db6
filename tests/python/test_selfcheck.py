"""Self-checks: packages are there, and another version than the course's is told before the first test."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.expected.transcripts import load_transcripts
from grader.model.python_request import PythonRequest, minor_version
from grader.run.find_python import StudentPython
from grader.run.student_python import PythonMissingError, python_for_check
from grader.run.system import SystemKind
from grader.selfcheck.check import self_check
from grader.spec.course import Course
from tests.python.conftest import WordsCourse
from tests.python.wheels import NAME

OWN_VERSION = minor_version(StudentPython().version)
SAID = "Public tests; the program runs with limits, without a sandbox."


def bundle(course: WordsCourse, python: Path) -> list[str]:
    """What a bundle prints, run by `python`, on the reference."""
    course.done("bundle", "words")
    command = [str(python), "-I", "grader.pyz", "check", "reference/words.py"]
    variables = {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "XDG_"))}
    run = subprocess.run(command, cwd=course.folder, env=variables, capture_output=True, text=True, check=False)
    assert run.returncode < 2, run.stdout + run.stderr
    return run.stdout.splitlines()


@pytest.mark.slow
def test_a_check_and_a_bundle_find_the_packages(asking: Callable[..., WordsCourse]) -> None:
    course = asking()
    assert course.done("check", "reference/words.py").splitlines()[-1] == "2 of 2 tests passed."
    printed = bundle(course, StudentPython().executable)
    assert printed[1] == SAID
    assert printed[-1] == "2 of 2 tests passed."


@pytest.mark.slow
def test_a_check_runs_with_the_version_of_the_course(
    asking: Callable[..., WordsCourse], other_python: StudentPython
) -> None:
    course = asking(minor_version(other_python.version))
    printed = course.done("check", "reference/words.py")
    assert "Mind:" not in printed
    assert "2 of 2 tests passed." in printed


@pytest.mark.slow
def test_a_check_under_another_version_says_so_first(words: WordsCourse) -> None:
    words.ask(f"packages: [{NAME}]\n")
    words.done("generate")
    words.ask(f'python: "3.98"\npackages: [{NAME}]\n')
    lines = words.done("check", "reference/words.py").splitlines()
    told = f"Mind: your program runs with Python {StudentPython().version} here, and the course uses Python 3.98."
    assert lines[1:3] == [SAID, told]
    assert "passed" in lines[3]


@pytest.mark.slow
def test_a_bundle_under_another_version_than_the_one_that_made_it_says_so(
    words: WordsCourse, other_python: StudentPython
) -> None:
    words.ask(f"packages: [{NAME}]\n")
    words.done("generate")
    lines = bundle(words, other_python.executable)
    told = f"Mind: your program runs with Python {other_python.version} here, and the course uses Python {OWN_VERSION}."
    assert lines[2] == told


@pytest.mark.slow
def test_packages_that_a_check_cannot_have_refuse_it(words: WordsCourse) -> None:
    words.ask(f"packages: [{NAME}]\n")
    words.done("generate")
    words.ask("packages: [no-such-words]\n")
    run = words.run("check", "reference/words.py")
    assert run.returncode == 2
    assert "no-such-words cannot be installed" in run.stderr
    assert "tests passed" not in run.stdout


def test_without_terminals_the_packages_of_the_own_python_are_used() -> None:
    assert python_for_check(PythonRequest(version="3.98", packages=("pytest>=9",)), SystemKind.PIPES) == StudentPython()
    with pytest.raises(PythonMissingError, match="python -m pip install 'no-such-words==1'"):
        python_for_check(PythonRequest(packages=("no-such-words==1",)), SystemKind.PIPES)


@pytest.mark.slow
def test_the_line_is_there_without_a_terminal_too(asking: Callable[..., WordsCourse]) -> None:
    course = asking()
    course.ask('python: "3.98"\n')
    assignment = Course(course.folder).assignment("words")
    program = course.folder / "reference" / "words.py"
    check = self_check(assignment, program, lambda tests: load_transcripts(assignment, tests), system=SystemKind.PIPES)
    assert check.settings(1).lacks[0] == (
        f"your program runs with Python {sys.version.split()[0]} here, and the course uses Python 3.98"
    )
