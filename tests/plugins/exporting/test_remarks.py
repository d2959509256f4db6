"""Comments on a student and on a line arrive in the pages for students and in the feedback files for Moodle."""

import zipfile
from pathlib import Path

import pytest

from tests.conftest import RIGHT, Grader, SmallCourse

COMMENTS = """\
format: 1
comments:
  - {student: ann, comment: Well laid out.}
  - {student: ann, file: double.py, line: 1, comment: A clear name.}
"""
SHEET = (
    "Identifier,Full name,Grade,Maximum Grade,Feedback comments\nParticipant 7,ann,,12.00,\nParticipant 8,bob,,12.00,\n"
)


@pytest.fixture
def course(small_course: SmallCourse) -> SmallCourse:
    for student in ("ann", "bob"):
        small_course.hand_in(student, RIGHT)
    (small_course.students / "comments.yaml").write_text(COMMENTS)
    return small_course


@pytest.mark.slow
def test_they_are_on_the_page_of_their_student(grader: Grader, course: SmallCourse, tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    run = grader("export", "pages", course.students, "--sandbox", "none", "--output", folder)
    assert run.returncode == 0, run.stderr
    ann, bob = ((folder / f"{student}.html").read_text() for student in ("ann", "bob"))
    _, is_there, comments = ann.partition('<h2 id="comments">')
    assert is_there
    assert "Well laid out." in comments
    assert '<p class="remark said"><a href="#comments">A clear name.</a></p>' in comments
    assert not [words for words in ("Well laid out.", "A clear name.") if words in bob]


def test_they_are_in_the_feedback_file_for_moodle(grader: Grader, course: SmallCourse) -> None:
    sheet = course.folder / "sheet.csv"
    sheet.write_text(SHEET, encoding="utf-8-sig")
    run = grader("export", "feedback", "submissions/doubles", "--sheet", sheet, "--sandbox", "none")
    assert run.returncode == 0, run.stderr
    [archive] = (course.folder / "exports").rglob("*.zip")
    with zipfile.ZipFile(archive) as opened:
        texts = {name: opened.read(name).decode() for name in opened.namelist() if name.endswith(".txt")}
    [ann] = [text for name, text in texts.items() if name.startswith("ann")]
    [bob] = [text for name, text in texts.items() if name.startswith("bob")]
    assert "Well laid out.\n" in ann
    assert "double.py:1: A clear name.\n" in ann
    assert not [words for words in ("Well laid out.", "A clear name.") if words in bob]
