"""`grader report` as an instructor uses it."""

import pytest

from tests.audit_entries import read_entries
from tests.conftest import RIGHT, Grader, SmallCourse

WRONG = RIGHT.replace("2 *", "3 *")


def site(course: SmallCourse) -> dict[str, bytes]:
    folder = course.folder / "reports" / "html" / "doubles"
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


@pytest.mark.slow
def test_a_class_becomes_a_site(grader: Grader, small_course: SmallCourse) -> None:
    small_course.hand_in("right", RIGHT)
    small_course.hand_in("wrong one", WRONG)
    run = grader("report", "submissions")
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout == f"Web pages: {small_course.folder}/reports/html/doubles/index.html\n"
    pages = site(small_course)
    tests = ("at-the-prompt", "hidden-11", "hidden-12", "small")
    assert {"index.html", "groups.html", "students/right.html", *(f"tests/{test}.html" for test in tests)} < set(pages)
    assert len(pages) == 8
    logged = [(entry.student, entry.mark) for entry in read_entries(small_course.folder / "reports" / "audit.jsonl")]
    assert logged == [("right", "12"), ("wrong one", "2")]
    assert b"<mark>12</mark>" in next(page for name, page in pages.items() if "wrong-one" in name)


@pytest.mark.slow
def test_what_was_run_before_is_not_run_again_and_old_pages_go(grader: Grader, small_course: SmallCourse) -> None:
    small_course.hand_in("right", RIGHT)
    gone = small_course.hand_in("gone", WRONG)
    assert grader("grade", "submissions").returncode == 0
    assert grader("report", "submissions").returncode == 0
    first = site(small_course)
    assert grader("report", "submissions", "--jobs", "1").returncode == 0
    # The times of the tests are on the pages.
    assert site(small_course) == first
    for file in gone.iterdir():
        file.unlink()
    gone.rmdir()
    assert grader("report", "submissions").returncode == 0
    assert set(first) - set(site(small_course)) == {"students/gone.html"}


def test_a_folder_that_cannot_be_written_is_told(grader: Grader, small_course: SmallCourse) -> None:
    small_course.hand_in("right", RIGHT)
    (small_course.folder / "reports").write_text("")
    run = grader("report", "submissions")
    assert run.returncode == 2
    assert "cannot be written" in run.stderr
