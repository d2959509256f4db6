"""Exports with a separate file for each student's results."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from grader.grading.student_view import student_views
from grader.model.assignment import Assignment
from grader.model.results import ClassResult, StudentResult
from grader.platforms.platform import ClassWriter, ExportedFiles, ExportOptions, StudentExport, StudentRenderer
from grader.platforms.scores import excused_note, score_so_far, why_open
from grader.store.origin import Provenance


def student_file_writer(export: StudentExport, options: ExportOptions) -> ClassWriter:
    """Return the function that exports a class as `export` describes. Raises ExportError if an option is invalid."""
    render = export.renderer(options)
    return lambda graded, origin: file_per_student(export, graded, render, origin)


class _LateFiles(Mapping[str, bytes]):
    """Contents by file name, which are rendered on demand because a large class would fill the memory."""

    def __init__(self, rows: Mapping[str, StudentResult], write: Callable[[StudentResult], bytes]) -> None:
        self._rows = rows
        self._write = write

    def __getitem__(self, name: str) -> bytes:
        return self._write(self._rows[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)


def file_per_student(
    export: StudentExport, graded: ClassResult, render: StudentRenderer, origin: Provenance
) -> ExportedFiles:
    """Write a file per student, omitting students whose score the platform cannot receive."""
    view_of = student_views(graded.assignment)

    def write(row: StudentResult) -> bytes:
        text = render(graded.assignment, view_of(row), origin)
        return text.encode("utf-8", "backslashreplace")

    exported = [row for row in graded.rows if _can_be_exported(export, graded.assignment, row)]
    files = _LateFiles({f"{row.student.replace('/', '-')}{export.suffix}": row for row in exported}, write)
    names_told = frozenset(row.student for row in exported)
    left_out = tuple(f"{row.student}: {why_open(row)}" for row in graded.rows if row.student not in names_told)
    return ExportedFiles(files, left_out, (*excused_note(exported), *_unmarked_note(exported)), names_told)


def _unmarked_note(rows: Iterable[StudentResult]) -> tuple[str, ...]:
    """Return a note about the students whose score lacks the points of unmarked items."""
    names = [row.student for row in rows if row.mark is None and row.not_yet_marked]
    return (f"scored without what is not yet marked: {', '.join(names)}",) if names else ()


def _can_be_exported(export: StudentExport, assignment: Assignment, row: StudentResult) -> bool:
    if row.granted.excused:
        return export.takes_excused
    return row.mark is not None or (not export.needs_mark and score_so_far(assignment, row) is not None)
