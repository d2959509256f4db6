"""Commands say which words of earlier versions the files of a course have; what they do stays the same."""

from pathlib import Path

import pytest

from tests.conftest import RIGHT, Grader, SmallCourse, without_progress


@pytest.fixture
def note(small_course: SmallCourse) -> str:
    """Write a test of the course as in an earlier version; returns what is to be said of it."""
    file = small_course.folder / "test_specs" / "doubles" / "tests" / "triple.yaml"
    file.write_text(file.read_text().replace("repl:", "prompt:"))
    return f"{file}:5:56: the key `prompt` is called `repl` now"


def test_generate(grader: Grader, note: str) -> None:
    run = grader("generate", "--check")
    assert (run.returncode, without_progress(run.stderr)) == (0, f"note: {note}\n")


def test_check(grader: Grader, note: str, tmp_path: Path) -> None:
    program = tmp_path / "double.py"
    program.write_text(RIGHT)
    run = grader("check", program)
    assert (run.returncode, without_progress(run.stderr)) == (0, f"note: {note}\n")


def test_grade(grader: Grader, small_course: SmallCourse, note: str) -> None:
    small_course.hand_in("ann", RIGHT)
    run = grader("grade", small_course.students)
    assert run.returncode == 0, run.stderr
    assert note in " ".join(run.stdout.split())
