"""Exports of a file per student, each with what that student may see."""

from grader.model.student_result import ClassResult, StudentResult
from grader.platforms.platform import ClassWriter, ExportedFiles, ExportOptions, StudentExport, StudentRenderer
from grader.platforms.shared.output_text import excused_note, has_score, why_open
from grader.platforms.shared.student_view import for_students
from grader.store.provenance import Provenance


def student_file_writer(export: StudentExport, options: ExportOptions) -> ClassWriter:
    """What writes a class in the form of `export`. Raises ExportError when an option is wrong."""
    render = export.renderer(options)
    return lambda graded, origin: file_per_student(export, graded, render, origin)


def file_per_student(
    export: StudentExport, graded: ClassResult, render: StudentRenderer, origin: Provenance
) -> ExportedFiles:
    """The results of each student in a file; a student without a score that the platform can be told is left out."""
    shown = for_students(graded)
    told = [row for row in shown.rows if _can_be_told(export, row)]
    texts = {row.student.replace("/", "-"): render(shown.assignment, row, origin) for row in told}
    files = {f"{name}{export.suffix}": text.encode("utf-8", "backslashreplace") for name, text in texts.items()}
    left_out = tuple(f"{row.student}: {why_open(row)}" for row in shown.rows if not _can_be_told(export, row))
    return ExportedFiles(files, left_out, excused_note(told), frozenset(row.student for row in told))


def _can_be_told(export: StudentExport, row: StudentResult) -> bool:
    return has_score(row) or (export.takes_excused and row.granted.excused)
