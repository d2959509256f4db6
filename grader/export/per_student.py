"""Exports that are a file per student."""

from collections.abc import Callable

from grader.export.exported import Export
from grader.export.scores import excused_note, has_score, why_open
from grader.export.student_view import for_students
from grader.report.graded_class import GradedClass, Row
from grader.spec.assignment import Assignment
from grader.store.version import Origin

Render = Callable[[Assignment, Row, Origin], str]
"""Writes one student's results, which hold nothing that the student may not see."""


def file_per_student(
    graded: GradedClass,
    render: Render,
    suffix: str,
    origin: Origin,
    can_be_told: Callable[[Row], bool] = has_score,
) -> Export:
    """The results of each student in a file; who cannot be told to the platform is left out."""
    shown = for_students(graded)
    told = [row for row in shown.rows if can_be_told(row)]
    texts = {row.student.replace("/", "-"): render(shown.assignment, row, origin) for row in told}
    files = {f"{name}{suffix}": text.encode("utf-8", "backslashreplace") for name, text in texts.items()}
    left_out = tuple(f"{row.student}: {why_open(row)}" for row in shown.rows if not can_be_told(row))
    return Export(files, left_out, excused_note(told), frozenset(row.student for row in told))
