"""A course with four graded assignments, whose reports are made of points as a person would give them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

from grader.grading.student_result import student_result
from grader.model.assignment import Assignment
from grader.model.mark import ManualMarks, Override, StudentExtension
from grader.model.results import ClassResult, GradedSubmission, StudentResult
from grader.model.submission import StudentIdentity, Submission, SubmittedFile
from grader.reports.results_json import results_json
from grader.spec.course import Course

LATE = "late: {policy: percent-per-day, percent_per_day: 10, of: full}"
ASSIGNMENT = """\
format: 1
id: {id}
title: Number {id}
programs:
  - {{file: work.py}}
parts:
  - {{id: work, title: Work, marks: {marks}, manual: [{{id: work, title: all of it, marks: {marks}}}]}}
due: {due}
time_zone: Australia/Sydney
{late}
"""
TESTS = """\
format: 1
program: work.py
part: work
tests:
  - {id: runs, title: it runs, visibility: public, points: 0, input: []}
"""
DUE = {"a1": "2025-09-05 17:00", "lab1": "2025-09-12 17:00", "lab2": "2025-09-19 17:00", "a2": "2025-10-03 17:00"}
MARKS = {"a1": 20, "lab1": 5, "lab2": 5, "a2": 50}


@dataclass(frozen=True)
class Work:
    """What a student handed in, so many days late, and the points for it; None: not yet marked."""

    points: str | None
    days_late: float = 0
    granted: StudentExtension = StudentExtension()
    overrides: tuple[Override, ...] = ()
    school_id: str | None = None


def write_assignment(folder: Path, assignment: str, late: str = LATE) -> None:
    """Write the files of an assignment."""
    text = ASSIGNMENT.format(id=assignment, due=DUE[assignment], marks=MARKS[assignment], late=late)
    specs = folder / "test_specs" / assignment
    (specs / "tests").mkdir(parents=True, exist_ok=True)
    (specs / "assignment.yaml").write_text(text)
    (specs / "tests" / "work.yaml").write_text(TESTS)
    (folder / "reference").mkdir(exist_ok=True)
    (folder / "reference" / "work.py").write_text("print(1)\n")


def write_reports(folder: Path, assignment: str, works: Mapping[str, Work]) -> None:
    """Write the results of a class, whose assignment has been written."""
    loaded = Course(folder).assignment(assignment)
    rows = tuple(row(loaded, student, work) for student, work in works.items())
    reports = folder / "reports" / assignment
    reports.mkdir(parents=True, exist_ok=True)
    (reports / "results.json").write_text(
        results_json(ClassResult(assignment=loaded, rows=rows, not_graded=(), notes=()))
    )


def row(assignment: Assignment, student: str, work: Work) -> StudentResult:
    """A student of a class."""
    submission = Submission(
        student=student,
        files=(SubmittedFile("work.py", assignment.folder / "work.py"),),
        submitted=assignment.due + timedelta(days=work.days_late),
        time_source="submission.yaml",
        notes=(),
        identity=StudentIdentity(id=work.school_id, name=f"Name of {student}"),
        source=student,
    )
    manual = ManualMarks({} if work.points is None else {"work": Decimal(work.points)})
    graded = GradedSubmission(submission=submission, results=(), variants={})
    return student_result(assignment, graded, {student: work.granted}, manual, work.overrides)


WORKS = {
    "a1": {
        "z1": Work("18", 1.5),
        "z2": Work("12", 3),
        "z3": Work("20"),
        "z4": Work("11", granted=StudentExtension(excused=True)),
    },
    "lab1": {"z1": Work("5"), "z2": Work("4", 1), "z3": Work("2"), "z4": Work("3")},
    "lab2": {"z1": Work("3"), "z3": Work("4"), "z4": Work("5")},
    "a2": {"z1": Work("41", 2.2), "z2": Work("30", 1), "z3": Work(None), "z4": Work("47.5")},
}

TERM = """\
format: 1
title: COMP9021, term 3 of 2025
missing: zero
assignments:
  - {id: a1, weight: 30}
  - {id: lab1, group: labs}
  - {id: lab2, group: labs}
  - {id: a2, weight: 60}
groups:
  - {id: labs, weight: 10, best: 1}
rounding: {places: 1}
late_days:
  total: 3
  hand_out: best
  extra:
    - {student: z2, days: 1, reason: the server was down}
"""


def write_course(folder: Path, term: str = TERM) -> Path:
    """Write the whole course, and return its term.yaml."""
    for assignment, works in WORKS.items():
        write_assignment(folder, assignment)
        write_reports(folder, assignment, works)
    (folder / "term.yaml").write_text(term)
    return folder / "term.yaml"
