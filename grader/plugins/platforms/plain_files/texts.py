"""Writes each student's feedback as text; imported on demand."""

from grader.grading.student_view import StudentView
from grader.model.assignment import Assignment
from grader.platforms.platform import ExportOptions, StudentRenderer
from grader.reports.student_text import student_text
from grader.store.origin import Provenance


def text_renderer(_: ExportOptions) -> StudentRenderer:
    """Return the function that writes a student's feedback."""

    def render(assignment: Assignment, row: StudentView, _: Provenance) -> str:
        return student_text(assignment, row)

    return render
