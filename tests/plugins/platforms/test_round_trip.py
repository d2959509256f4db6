"""From a download of any shape back to the platforms: each mark reaches the student who earned it, or no one."""

import csv
import json
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from io import BytesIO, StringIO
from pathlib import Path
from typing import NamedTuple

import pytest

from benchmarks.course import DUE, ZONE, Course, make_course
from benchmarks.shapes import SHAPES, Student
from grader.grading.student_result import student_result
from grader.intake.match_files import SubmissionRequirements
from grader.model.mark import InstructorDecision, MarkOverride
from grader.model.results import ClassResult, StudentResult
from grader.model.submission import Submission
from grader.platforms.platform import ExportedFiles, ExportOptions
from grader.plugins.exporting.formats import student_export
from grader.plugins.exporting.student_files import student_file_writer
from grader.plugins.platforms.canvas.gradebook import canvas_gradebook, new_canvas_gradebook
from grader.plugins.platforms.moodle.exports import moodle_feedback, moodle_worksheet
from grader.plugins.platforms.shared.gradebook_file import GradebookFile, read_gradebook_file
from tests.grading.hidden_example import ASSIGNMENT, ORIGIN, RIGHT
from tests.intake.taking import take_in

PROGRAM = "double.py"
TITLE = f"{ASSIGNMENT.title} (77)"


def awkward_course() -> Course:
    """A class in which two have the same name, and one a name with everything that a CSV file can stumble over."""
    first, second, third, *others = make_course(12, seed=8).students
    assert all(one.attempts for one in (first, second, third))
    namesake = replace(second, name=first.name, sortable_name=first.sortable_name)
    odd = replace(third, name='=Anne; "Jr.", Ünlü', sortable_name='"Jr.", Ünlü, =Anne;')
    return Course((first, namesake, odd, *others))


COURSE = awkward_course()


def mark_of(student: Student) -> Decimal:
    """A mark that no other student has."""
    return Decimal(int(student.moodle) - 7_000_000 + 1) / 100


class Handed(NamedTuple):
    """A graded class and whose each row is."""

    graded: ClassResult
    owners: dict[str, Student]


def graded(folder: Path, shape: str, *, roster: bool) -> Handed:
    """The class of a download, every student with the own mark."""
    path = COURSE.write(folder / "class", shape, PROGRAM)
    COURSE.write_roster(folder / "roster.csv")
    (folder / "unpacked").mkdir()
    wanted = SubmissionRequirements(programs={PROGRAM: (PROGRAM,)}, zone=ZONE)
    listed = folder / "roster.csv" if roster else None
    submissions = take_in(path, wanted, folder / "unpacked", roster=listed, due=DUE).submissions
    owners = {one.student: owner(one) for one in submissions}
    rows = tuple(row(one, owners[one.student]) for one in submissions)
    return Handed(ClassResult(assignment=ASSIGNMENT, rows=rows, not_graded=(), notes=()), owners)


def owner(submission: Submission) -> Student:
    """Whose it is: the program says so, and of who handed in nothing, the roster."""
    said = submission.files[0].path.read_text() if submission.files else ""
    known = (submission.identity.moodle, submission.identity.canvas, submission.identity.id, submission.identity.login)
    fitting = [one for one in COURSE.students if {one.moodle, one.canvas, one.id, one.login} & {*known}]
    by_program = [one for one in COURSE.students if f"# {one.id}, 0 before" in said]
    # What a team of Gradescope hands in is the program of one of them.
    (found,) = fitting or by_program
    return found


def row(submission: Submission, student: Student) -> StudentResult:
    own = MarkOverride(mark_of(student), InstructorDecision("as planned", "the test"))
    return student_result(ASSIGNMENT, replace(RIGHT.graded, submission=submission), {}, overrides=(own,))


def sheet(rows: Sequence[Sequence[str]], separator: str) -> GradebookFile:
    """A sheet as a spreadsheet saves it: byte order mark, CRLF, the separator of the country."""
    text = StringIO()
    csv.writer(text, delimiter=separator).writerows(rows)
    return read_gradebook_file(text.getvalue().encode("utf-8-sig"), "sheet.csv")


def worksheet() -> GradebookFile:
    head = ["Identifier", "Full name", "Email address", "Grade", "Maximum Grade", "Feedback comments"]
    students = [
        [f"Participant {one.moodle}", one.name, one.email.upper(), "", "4,00", ""] for one in reversed(COURSE.students)
    ]
    return sheet([head, *students], ";")


def gradebook() -> GradebookFile:
    head = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", TITLE]
    points = ["    Points Possible", "", "", "", "", "4.00"]
    students = [[one.sortable_name, one.canvas, one.id, one.email.upper(), "A", ""] for one in COURSE.students]
    return sheet([head, points, *students], ",")


def given(exported: ExportedFiles, name: str, who: str, grade: str) -> dict[str, Decimal]:
    """The marks in a sheet by what one column says."""
    filled = read_gradebook_file(exported.files[name], name)
    cells = [(filled.cell(one, filled.column(who)), filled.cell(one, filled.column(grade))) for one in body(filled)]
    return {student: Decimal(mark.replace(",", ".")) for student, mark in cells if mark}


def body(filled: GradebookFile) -> Iterator[int]:
    yield from (one for one in range(1, len(filled.records)) if "Points Possible" not in filled.records[one].raw[0])


@pytest.mark.parametrize("shape", SHAPES)
def test_with_a_roster_every_mark_reaches_every_platform(shape: str, tmp_path: Path) -> None:
    found = graded(tmp_path, shape, roster=True)
    marks = {one.moodle: mark_of(one) for one in COURSE.students}
    assert {owner.moodle for owner in found.owners.values()} == set(marks)
    moodle = moodle_worksheet(found.graded, worksheet())
    assert moodle.left_out == ()
    assert given(moodle, "moodle.csv", "Identifier", "Grade") == {
        f"Participant {one}": mark for one, mark in marks.items()
    }
    canvas = canvas_gradebook(found.graded, gradebook(), None)
    assert canvas.left_out == ()
    expected = {one.canvas: mark_of(one) for one in COURSE.students}
    assert given(canvas, "canvas.csv", "ID", TITLE) == expected
    new = new_canvas_gradebook(found.graded, TITLE)
    assert given(new, "canvas.csv", "ID", TITLE) == expected
    with zipfile.ZipFile(BytesIO(moodle_feedback(found.graded, None).files["feedback.zip"])) as archive:
        assert {name.split("/")[0].split("_")[-4] for name in archive.namelist()} == set(marks)
    files = student_file_writer(student_export("gradescope"), ExportOptions())(found.graded, ORIGIN).files
    scores = {name.removesuffix(".json"): Decimal(str(json.loads(text)["score"])) for name, text in files.items()}
    assert scores == {student: mark_of(owner) for student, owner in found.owners.items()}


@pytest.mark.parametrize("shape", SHAPES)
def test_without_a_roster_no_mark_reaches_somebody_else(shape: str, tmp_path: Path) -> None:
    found = graded(tmp_path, shape, roster=False)
    moodle = moodle_worksheet(found.graded, worksheet())
    for participant, mark in given(moodle, "moodle.csv", "Identifier", "Grade").items():
        assert mark == mark_of(next(one for one in COURSE.students if participant == f"Participant {one.moodle}"))
    canvas = canvas_gradebook(found.graded, gradebook(), None)
    for number, mark in given(canvas, "canvas.csv", "ID", TITLE).items():
        assert mark == mark_of(next(one for one in COURSE.students if number == one.canvas))
    # Students who are in neither sheet are named.
    for exported in (moodle, canvas):
        named = {sentence.rpartition(": ")[0] for sentence in exported.left_out}
        assert exported.students | named == set(found.owners)
    if shape.startswith("moodle"):
        assert moodle.left_out == ()
    if shape.startswith("canvas"):
        assert canvas.left_out == ()
