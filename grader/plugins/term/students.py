"""Matches the rows of several assignments by student."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from grader.plugins.term.reported import ReportedClass, ReportedRow, TermError


@dataclass(frozen=True)
class TermStudent:
    """A student of the term, with the rows by assignment id; a class without the student has no row."""

    student: str
    school_id: str | None
    name: str | None
    rows: Mapping[str, ReportedRow]

    @property
    def names(self) -> frozenset[str]:
        """The student's names in the reports."""
        return frozenset(row.student for row in self.rows.values())


def matched(classes: Sequence[ReportedClass]) -> tuple[TermStudent, ...]:
    """Return the students of all classes, sorted by name.

    Students are identified by the school's id. A row without an id belongs to the student with that name, or to the
    student with an id if only one has the name. Raises TermError if a class has the same student twice.
    """
    ids_of: dict[str, set[str]] = {}
    for row in (row for graded in classes for row in graded.rows if row.school_id):
        ids_of.setdefault(row.student, set()).add(str(row.school_id))
    rows: dict[tuple[str, str], dict[str, ReportedRow]] = {}
    for graded in classes:
        for row in graded.rows:
            of_student = rows.setdefault(_key(row, ids_of), {})
            if graded.assignment in of_student:
                before = of_student[graded.assignment].student
                raise TermError(
                    f"{graded.assignment}: {before} and {row.student} are the same student, {row.school_id}"
                )
            of_student[graded.assignment] = row
    return tuple(sorted(map(_student, rows.values()), key=lambda each: (each.student, each.school_id or "")))


def _key(row: ReportedRow, ids_of: Mapping[str, set[str]]) -> tuple[str, str]:
    ids = {row.school_id} if row.school_id else ids_of.get(row.student, set())
    return ("id", str(next(iter(ids)))) if len(ids) == 1 else ("name", row.student)


def _student(rows: Mapping[str, ReportedRow]) -> TermStudent:
    """Return the student with these rows, named as in the last row."""
    *_, last = rows.values()
    school_id = next((row.school_id for row in rows.values() if row.school_id), None)
    name = next((row.name for row in rows.values() if row.name), None)
    return TermStudent(last.student, school_id, name, rows)
