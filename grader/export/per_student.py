"""Exports that are a file per student."""

from collections.abc import Callable

from grader.export.exported import Export
from grader.export.scores import score_so_far, why_open
from grader.export.student_view import for_students
from grader.report.graded_class import GradedClass, Row
from grader.spec.assignment import Assignment

Render = Callable[[Assignment, Row], str]
"""Writes one student's results, which hold nothing that the student may not see."""


def file_per_student(graded: GradedClass, render: Render, suffix: str) -> Export:
    """The results of each student in a file; who cannot be given a score is left out."""
    shown = for_students(graded)
    files = {
        f"{row.student.replace('/', '-')}{suffix}": render(shown.assignment, row).encode("utf-8", "backslashreplace")
        for row in shown.rows
        if score_so_far(row) is not None
    }
    left_out = [f"{row.student}: {why_open(row)}" for row in shown.rows if score_so_far(row) is None]
    return Export(files, tuple(left_out))
