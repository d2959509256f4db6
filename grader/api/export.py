"""Writes a class, or the autograder of an assignment, in the format of a learning platform."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from grader.api.course import course_for
from grader.api.request import FilePath
from grader.model.limits import SandboxKind
from grader.model.student_result import ClassResult
from grader.platforms import check_options, export_format
from grader.platforms.platform import (
    AutograderExport,
    ClassExport,
    ClassWriter,
    ExportedFiles,
    ExportError,
    ExportOptions,
)
from grader.platforms.shared.student_view import student_file_writer
from grader.reports.audit_log import FILE_NAME as AUDIT_LOG
from grader.reports.audit_log import LoggedRun, new_run, record
from grader.store.provenance import origin_of

_NO_OPTIONS = ExportOptions()


def is_autograder(name: str) -> bool:
    """Whether this export is made of an assignment, not of a class. Raises GraderError when there is none."""
    return isinstance(export_format(name), AutograderExport)


def fills_one_file(name: str) -> bool:
    """Whether this export of a class is a single file. Raises GraderError when there is no such export."""
    return isinstance(export_format(name), ClassExport)


def class_writer(name: str, options: ExportOptions = _NO_OPTIONS) -> ClassWriter:
    """What writes a class in this format. Raises ExportError when an option is missing or does not fit."""
    chosen = export_format(name)
    if isinstance(chosen, AutograderExport):
        raise ExportError(f"{name} is made of an assignment, not of a class.")
    check_options(chosen, options)
    return chosen.writer(options) if isinstance(chosen, ClassExport) else student_file_writer(chosen, options)


def several_classes(ids: Iterable[str]) -> ExportError:
    """The error when a sheet or a file was named and there is more than one class."""
    return ExportError(f"There is more than one class ({', '.join(ids)}): name the folder of one.")


def export(graded: ClassResult, name: str, options: ExportOptions = _NO_OPTIONS) -> ExportedFiles:
    """The class in the format of this name, as the contents of files. Raises ExportError when it cannot be written.

    The marks are not recorded in an audit log; `export_with_log` does that.
    """
    return class_writer(name, options)(graded, origin_of(graded.assignment))


def export_run(name: str) -> LoggedRun:
    """A run, as the audit log names it, that writes this export and begins now."""
    return new_run(name)


def export_with_log(graded: ClassResult, write: ClassWriter, reports: FilePath, run: LoggedRun) -> ExportedFiles:
    """Export a class, and record whose marks leave in the audit log of `reports` as those of `run`."""
    origin = origin_of(graded.assignment)
    exported = write(graded, origin)
    # First the log: a mark that leaves is always in it.
    told = replace(graded, rows=tuple(row for row in graded.rows if row.student in exported.students))
    record(Path(reports) / AUDIT_LOG, told, origin, run)
    return exported


def export_autograder(
    assignment_id: str, name: str, *, course: FilePath | None = None, sandbox: SandboxKind = SandboxKind.BWRAP
) -> tuple[Path, ExportedFiles]:
    """The course folder, and the autograder of an assignment for a platform, as files. Raises ExportError."""
    chosen = export_format(name)
    if not isinstance(chosen, AutograderExport):
        raise ExportError(f"{name} is made of a class, not of an assignment.")
    found = course_for(Path(course) if course is not None else None, Path.cwd())
    assignment = found.assignment(assignment_id)
    return found.folder, chosen.build(assignment, found.folder, sandbox)


def save_export(exported: ExportedFiles, folder: FilePath) -> list[Path]:
    """Write the files of an export to a folder; returns them. Raises ExportError when they cannot be written."""
    return [_save(Path(folder) / name, content) for name, content in exported.files.items()]


def save_export_as(exported: ExportedFiles, file: FilePath) -> list[Path]:
    """Write the one file of an export as `file`. Raises ExportError when it cannot be written."""
    return [_save(Path(file), content) for content in exported.files.values()]


def _save(file: Path, content: bytes) -> Path:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    except OSError as error:
        raise ExportError(f"The export cannot be written: {error}") from None
    return file
