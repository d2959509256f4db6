"""Computes how many late days of the term are left after earlier assignments, when a later one is graded."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from grader.model.assignment import Assignment
from grader.model.mark import ClassExtensions, StudentExtension
from grader.plugins.term.reported import NoReportsError, ReportedClass, read_reported
from grader.plugins.term.table import TermTable, term_table
from grader.plugins.term.term_file import FILE_NAME, HandOut, TermFile, TermLateDaysEntry, read_term
from grader.spec.course import Course


def with_days_left(granted: ClassExtensions, assignment: Assignment, students: Sequence[str]) -> ClassExtensions:
    """Give the students of a class their remaining late days, unless their extensions state the number.

    Nothing changes for an assignment without a term.yaml with late days. If the days are spent where they help most,
    they are distributed at the end of the term, and this assignment uses none. Raises SpecError, TermError.
    """
    course = Course(assignment.folder.parent.parent)
    file = course.folder / FILE_NAME
    term = read_term(file).content if file.is_file() else None
    if term is None or term.late_days is None or assignment.id not in {entry.id for entry in term.assignments}:
        return granted
    if term.late_days.hand_out is HandOut.BEST:
        return _with_days(granted, dict.fromkeys(students, 0), ())
    return _with_days(granted, *_days_before(term, term.late_days, course, assignment.id, students))


def _with_days(granted: ClassExtensions, days: Mapping[str, int], notes: Sequence[str]) -> ClassExtensions:
    of = {student: granted.of.get(student, StudentExtension()) for student in days} | dict(granted.of)
    for student, left in days.items():
        if of[student].late_days is None:
            of[student] = replace(of[student], late_days=left)
    return ClassExtensions(of, (*granted.notes, *notes))


def _days_before(
    term: TermFile, late_days: TermLateDaysEntry, course: Course, assignment: str, students: Sequence[str]
) -> tuple[dict[str, int], list[str]]:
    """Return the days left before an assignment by student, and notes on days that are not known yet."""
    earlier: list[ReportedClass] = []
    notes: list[str] = []
    for entry in term.assignments:
        if entry.id == assignment:
            break
        try:
            earlier.append(read_reported(term.reports(entry, course.folder)))
        except NoReportsError:
            notes.append(f"{FILE_NAME}: {entry.id} has no reports yet; late days that it takes are not counted")
    table = term_table(term, earlier, course.assignment)
    days_left = {name: row.pool - row.days_used for row in table.rows for name in row.student.names}
    doubtful = _shared_names(table)
    notes += [
        f"{FILE_NAME}: {row.student.student} has an open mark, of {reason}; late days that it takes are not counted"
        for row in table.rows
        for reason in row.open_because
        if row.student.names & set(students)
    ]
    notes += [
        f"{FILE_NAME}: {name} is the name of several students; say in the extensions how many late days are left"
        for name in sorted(doubtful & set(students))
    ]
    return {name: days_left.get(name, late_days.pool({name})) for name in students if name not in doubtful}, notes


def _shared_names(table: TermTable) -> set[str]:
    """Return the names that several students have in the reports."""
    counts = Counter(name for row in table.rows for name in row.student.names)
    return {name for name, count in counts.items() if count > 1}
