"""What an export gives.

Exports that are a file per student.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from grader.errors import GraderError
from grader.model.assignment import Assignment
from grader.model.student_result import ClassResult, StudentResult
from grader.platforms.shared.output_text import excused_note, has_score, why_open
from grader.platforms.shared.student_view import for_students
from grader.store.provenance import Provenance


class ExportError(GraderError):
    """A class cannot be written in the format that was asked for."""


@dataclass(frozen=True)
class ExportedFiles:
    """The files by name, and the `students` whose results are in them.

    `left_out` says whose mark is not in them and why; `notes` are of no consequence to a mark.
    """

    files: Mapping[str, bytes]
    left_out: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    students: frozenset[str] = frozenset()


StudentRenderer = Callable[[Assignment, StudentResult, Provenance], str]
"""Writes one student's results, which hold nothing that the student may not see."""


def file_per_student(
    graded: ClassResult,
    render: StudentRenderer,
    suffix: str,
    origin: Provenance,
    can_be_told: Callable[[StudentResult], bool] = has_score,
) -> ExportedFiles:
    """The results of each student in a file; who cannot be told to the platform is left out."""
    shown = for_students(graded)
    told = [row for row in shown.rows if can_be_told(row)]
    texts = {row.student.replace("/", "-"): render(shown.assignment, row, origin) for row in told}
    files = {f"{name}{suffix}": text.encode("utf-8", "backslashreplace") for name, text in texts.items()}
    left_out = tuple(f"{row.student}: {why_open(row)}" for row in shown.rows if not can_be_told(row))
    return ExportedFiles(files, left_out, excused_note(told), frozenset(row.student for row in told))
