"""`grader export`: marks and feedback in the formats of learning platforms, and autograders for them."""

from dataclasses import replace
from pathlib import Path

from rich.console import Console

from grader.cli import INTERRUPTED
from grader.cli.grading import known_classes
from grader.cli.request import GradeRequest
from grader.platforms import check_options, export_format
from grader.platforms.platform import (
    AutograderExport,
    ClassExport,
    ClassWriter,
    Export,
    ExportedFiles,
    ExportError,
    ExportOptions,
    StudentExport,
)
from grader.platforms.shared.student_view import student_file_writer
from grader.reports.audit_log import FILE_NAME as AUDIT_LOG
from grader.reports.audit_log import new_run, record
from grader.spec.course import Course
from grader.spec.course_folder import course_folder_for
from grader.store.provenance import origin_of
from grader.text.escape import escape_controls


def run_export(
    name: str,
    request: GradeRequest,
    options: ExportOptions,
    *,
    jobs: int | None,
    store_file: Path | None,
    output: Path | None,
) -> int:
    """Write the export of this name; returns the exit code: 1 when the mark of a student is not in it.

    The folder of the request is that of the class; for an autograder it is the id of the assignment.
    """
    export = export_format(name)
    if isinstance(export, AutograderExport):
        return _export_autograder(export, request, output)
    return _export_class(export, request, options, jobs=jobs, store_file=store_file, output=output)


def _export_class(
    export: ClassExport | StudentExport,
    request: GradeRequest,
    options: ExportOptions,
    *,
    jobs: int | None,
    store_file: Path | None,
    output: Path | None,
) -> int:
    console = Console(highlight=False)
    write = _writer(export, options)
    course = course_folder_for(request.course, request.folder)
    code = 0
    with known_classes(request, jobs=jobs, store_file=store_file) as classes:
        found = list(classes)
    if any(graded.not_graded for graded in found):
        return INTERRUPTED
    if len(found) > 1 and (options.sheet or output):
        ids = ", ".join(graded.assignment.id for graded in found)
        raise ExportError(f"There is more than one class ({ids}): name the folder of one.")
    run = new_run(export.name)
    for graded in found:
        origin = origin_of(graded.assignment)
        exported = write(graded, origin)
        # First the log: a mark that leaves is always in it.
        told = replace(graded, rows=tuple(row for row in graded.rows if row.student in exported.students))
        record((request.reports or course / "reports") / AUDIT_LOG, told, origin, run)
        _write(console, export, exported, output, course / "exports" / graded.assignment.id)
        code = max(code, _say(console, exported))
    return code


def _export_autograder(export: AutograderExport, request: GradeRequest, output: Path | None) -> int:
    course = Course(course_folder_for(request.course, Path.cwd()))
    assignment = course.assignment(str(request.folder))
    exported = export.build(assignment, course.folder, request.sandbox)
    _write(Console(highlight=False), export, exported, output, course.folder / "exports" / assignment.id)
    return 0


def _writer(export: ClassExport | StudentExport, options: ExportOptions) -> ClassWriter:
    check_options(export, options)
    return export.writer(options) if isinstance(export, ClassExport) else student_file_writer(export, options)


def _write(console: Console, export: Export, exported: ExportedFiles, output: Path | None, folder: Path) -> None:
    """Write the files to `folder`, or to `output`: a file for the one file of a class, otherwise a folder."""
    try:
        if isinstance(export, ClassExport):
            for name, content in exported.files.items():
                file = output or folder / name
                _write_file(file, content)
                console.print(f"written: {file}", soft_wrap=True, markup=False)
        else:
            own_folder = output or folder / export.name
            for name, content in exported.files.items():
                _write_file(own_folder / name, content)
            console.print(f"written: {len(exported.files)} files to {own_folder}", soft_wrap=True, markup=False)
    except OSError as error:
        raise ExportError(f"The export cannot be written: {error}") from None


def _write_file(file: Path, content: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)


def _say(console: Console, exported: ExportedFiles) -> int:
    for note in exported.notes:
        console.print(escape_controls(note), soft_wrap=True, markup=False)
    if not exported.left_out:
        return 0
    console.print("Not in it:", soft_wrap=True)
    for sentence in exported.left_out:
        console.print(f"  {escape_controls(sentence)}", soft_wrap=True, markup=False)
    return 1
