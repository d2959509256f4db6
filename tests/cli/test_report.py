"""`grader report` as an instructor uses it."""

import pytest

from grader.reports.audit_log import read_entries
from tests.conftest import RIGHT, Grader, SmallCourse

WRONG = RIGHT.replace("2 *", "3 *")


def site(course: SmallCourse) -> dict[str, bytes]:
    folder = course.folder / "reports" / "html" / "doubles"
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


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


LONG = f"""\
def numbers(most):
    found = []
    for one in range(most):
        if one % 3 == 0 and one % 5 != 0:
            found.append(one * one - 1)
        elif one % 7 == 2:
            found.extend([one, most, one + most])
    return found


{RIGHT}"""


@pytest.mark.slow
def test_passages_that_programs_share_are_marked(grader: Grader, small_course: SmallCourse) -> None:
    small_course.hand_in("ann", LONG)
    small_course.hand_in("bob", LONG.replace("found", "gathered").replace("numbers", "many"))
    small_course.hand_in("eve", "print('nothing')\n")
    assert grader("report", "submissions", "--similar").returncode == 0
    pages = {name: text.decode() for name, text in site(small_course).items()}
    said = "of double.py of bob"
    assert '<p class="remark similar instructor"><a href="bob.html#code">lines 1 to ' in pages["students/ann.html"]
    assert said in pages["students/ann.html"]
    assert 'class="remark similar' not in pages["students/eve.html"]
    assert grader("report", "submissions").returncode == 0
    assert 'class="remark similar' not in site(small_course)["students/ann.html"].decode()
    assert grader("export", "pages", "submissions").returncode == 0
    assert not any(b"of bob" in page.read_bytes() for page in (small_course.folder / "exports").rglob("*.html"))
