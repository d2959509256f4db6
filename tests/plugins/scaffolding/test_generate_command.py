"""`grader generate` and `grader generate --check`."""

from pathlib import Path

import pytest

from tests.conftest import Grader, SmallCourse


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


@pytest.mark.slow
def test_fresh_files_pass_the_check(grader: Grader) -> None:
    run = grader("generate", "--check")
    assert run.returncode == 0, run.stdout + run.stderr
    assert "doubles: all 7 expected files are fresh." in run.stdout


@pytest.mark.slow
def test_everything_is_written_from_nothing(grader: Grader, small_course: SmallCourse) -> None:
    before = contents(small_course.expected)
    for file in small_course.expected.iterdir():
        file.unlink()
    small_course.expected.rmdir()
    assert grader("generate").returncode == 0
    assert contents(small_course.expected) == before


@pytest.mark.slow
def test_check_reports_stale_missing_and_orphaned_files_and_changes_nothing(
    grader: Grader, small_course: SmallCourse
) -> None:
    (small_course.expected / "small.canonical.txt").write_text("Number: 4\nDouble: 9\n")
    (small_course.expected / "hidden-11.wordy.txt").unlink()
    (small_course.expected / "gone.canonical.txt").write_text("old\n")
    before = contents(small_course.expected)
    run = grader("generate", "--check")
    assert run.returncode == 1
    assert f"stale: {small_course.expected}/small.canonical.txt" in run.stdout
    assert "-Double: 9\n+Double: 8\n" in run.stdout
    assert f"missing: {small_course.expected}/hidden-11.wordy.txt" in run.stdout
    assert f"orphaned: {small_course.expected}/gone.canonical.txt" in run.stdout
    assert "3 expected files are not as they should be" in run.stdout
    assert contents(small_course.expected) == before


@pytest.mark.slow
def test_generate_repairs_what_check_reports(grader: Grader, small_course: SmallCourse) -> None:
    before = contents(small_course.expected)
    (small_course.expected / "small.canonical.txt").write_text("Number: 4\nDouble: 9\n")
    (small_course.expected / "gone.canonical.txt").write_text("old\n")
    run = grader("generate")
    assert run.returncode == 0
    assert run.stdout.count("written: ") == 1
    assert run.stdout.count("removed: ") == 1
    assert contents(small_course.expected) == before


def test_a_failing_reference_is_named_with_its_output(grader: Grader, small_course: SmallCourse) -> None:
    (small_course.folder / "reference" / "double.py").write_text('input("Number: ")\nprint(1 / 0)\n')
    before = contents(small_course.expected)
    run = grader("generate")
    assert run.returncode == 2
    assert "The reference double.py (variant canonical) fails the test" in run.stderr
    assert "ZeroDivisionError" in run.stderr
    assert contents(small_course.expected) == before


def test_an_unknown_assignment_suggests_the_nearest(grader: Grader) -> None:
    run = grader("generate", "double")
    assert run.returncode == 2
    assert "did you mean `doubles`?" in run.stderr
