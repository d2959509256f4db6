"""The command `grader export`: marks and feedback in the formats of learning platforms."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.api.request import GradeRequest
from grader.cli.options import PATH, CommandWithNames, ExitCode, class_request, exports, file_language, instructor_files
from grader.cli.output import INTERRUPTED, Messages, graded_classes

if TYPE_CHECKING:
    from rich.console import Console

    from grader import ClassResult, ExportedFiles, ExportOptions


@click.command(cls=CommandWithNames)
@click.argument("name", metavar="FORMAT", shell_complete=exports, help="The format: {exports}.")
@click.argument(
    "folder", type=PATH, metavar="SUBMISSIONS|ASSIGNMENT", help="The submissions; for an autograder, the assignment."
)
@class_request
@instructor_files
@click.option("--sheet", type=PATH, metavar="FILE", help="The sheet downloaded from the platform.")
@click.option("--encoding", metavar="NAME", help="The encoding of the sheet; default: UTF-8.")
@click.option("--column", metavar="TITLE", help="The column or item in the sheet; default: the assignment's title.")
@click.option("--hidden-tests", metavar="hidden|after_published", help="When Gradescope shows hidden tests.")
@file_language
@click.option("--by", metavar="COLUMN", help="Write an export for each value in a column of the roster.")
@click.option("--canvas-url", metavar="URL", help="The URL of Canvas, such as https://school.instructure.com.")
@click.option("--canvas-course", metavar="NUMBER", help="The course's number on Canvas, at the end of its URL.")
@click.option("--canvas-assignment", metavar="NUMBER", help="The assignment's number on Canvas, at the end of its URL.")
@click.option("--send", is_flag=True, help="Send the marks to the platform; without this option, they are only shown.")
@click.option(
    "--output",
    type=PATH,
    metavar="PATH",
    help="The file or folder to write; default: in exports/ in the course folder.",
)
@click.option(
    "--reports", type=PATH, metavar="FOLDER", help="Folder with audit.jsonl; default: reports/ in the course folder."
)
@click.pass_obj
def export(
    messages: Messages,
    /,
    *,
    name: str,
    request: GradeRequest,
    by: str | None,
    send: bool,
    output: Path | None,
    reports: Path | None,
    **asked: Any,
) -> ExitCode:
    """Write marks, or an autograder, for a learning platform. `canvas-api` sends the marks to Canvas."""
    from grader import ExportOptions
    from grader.plugins.exporting.api import is_autograder
    from grader.plugins.exporting.deliver import is_delivery

    if send and not is_delivery(name):
        raise click.UsageError(f"--send is for exports that are sent to a platform, not for {name}.")
    if is_autograder(name):
        return _export_autograder(name, request, output)
    options = ExportOptions(**asked)
    if is_delivery(name):
        return _deliver_classes(name, request, options, messages, reports=reports, send=send)
    return _export_classes(name, request, options, messages, by=by, reports=reports, output=output)


def _graded(request: GradeRequest, messages: Messages) -> "tuple[list[ClassResult], int]":
    """Return the graded classes and the exit code so far: 1 if an entry of an instructor's file has no effect."""
    classes = list(graded_classes(request, messages))
    if any(graded.not_graded for graded in classes):
        return classes, INTERRUPTED
    for graded in classes:
        messages.class_notes(graded)
    return classes, int(any(graded.without_effect for graded in classes))


def _export_classes(
    name: str,
    request: GradeRequest,
    options: "ExportOptions",
    messages: Messages,
    *,
    by: str | None,
    reports: Path | None,
    output: Path | None,
) -> int:
    """Write the classes of the request, and return the exit code: 1 if a mark or a decision is not in the export."""
    from grader.api.course import course_for
    from grader.plugins.exporting.api import class_writer, export_run, export_with_log, several_classes
    from grader.reports.terminal.console import output_console

    write = class_writer(name, options)
    course = course_for(request.course, request.folder).folder
    classes, code = _graded(request, messages)
    if code == INTERRUPTED:
        return code
    if len(classes) > 1 and (options.sheet or output):
        raise several_classes(graded.assignment.id for graded in classes)
    console = output_console()
    run = export_run(name)
    for graded in classes:
        folder = course / "exports" / graded.assignment.id
        for place, part, output_of_part in _parts(graded, by, folder, output):
            with messages.stage(f"Writing {name} of {graded.assignment.id}"):
                exported = export_with_log(part, write, reports or course / "reports", run)
                _save_files(console, name, exported, output_of_part, place)
            code = max(code, _print_left_out(console, exported.notes, exported.left_out))
    return code


def _deliver_classes(
    name: str,
    request: GradeRequest,
    options: "ExportOptions",
    messages: Messages,
    *,
    reports: Path | None,
    send: bool,
) -> int:
    """Show what would be sent to a platform, send it if `send` is set, and return the exit code."""
    from grader.api.course import course_for
    from grader.plugins.exporting.api import export_run, several_classes
    from grader.plugins.exporting.deliver import deliver, delivery_planner
    from grader.reports.terminal.console import output_console
    from grader.text.escape import escape_controls
    from grader.text.words import pluralize

    plan = delivery_planner(name, options)
    course = course_for(request.course, request.folder).folder
    classes, code = _graded(request, messages)
    if code == INTERRUPTED:
        return code
    if len(classes) > 1:
        raise several_classes(graded.assignment.id for graded in classes)
    (graded,) = classes
    console = output_console()
    delivery = plan(graded)
    for line in delivery.lines:
        console.print(escape_controls(line), soft_wrap=True)
    code = max(code, _print_left_out(console, delivery.notes, delivery.left_out))
    if not send:
        console.print(f"{pluralize(len(delivery.lines), 'student')} to tell of; nothing is sent without --send")
        return code
    if delivery.lines:
        with messages.stage(f"Sending {name} of {graded.assignment.id}"):
            problems = deliver(graded, delivery, reports or course / "reports", export_run(name))
        for problem in problems:
            console.print(escape_controls(problem), soft_wrap=True)
        code = max(code, int(bool(problems)))
        console.print(f"sent: {len(delivery.lines) - len(problems)} of {len(delivery.lines)}")
    return code


def _parts(
    graded: "ClassResult", by: str | None, folder: Path, output: Path | None
) -> "Iterator[tuple[Path, ClassResult, Path | None]]":
    """Yield each part to export, with its folder and the path that the user gave."""
    from grader.plugins.exporting.api import parts_by

    if by is None:
        yield folder, graded, output
        return
    for name, part in parts_by(graded, by).items():
        yield (output or folder) / name, part, None


def _export_autograder(name: str, request: GradeRequest, output: Path | None) -> int:
    """Write the autograder of the assignment given in place of submissions, and return the exit code."""
    from grader.plugins.exporting.api import export_autograder
    from grader.reports.terminal.console import output_console

    assignment = str(request.folder)
    course_folder, exported = export_autograder(
        assignment, name, course=request.course, sandbox=request.options.sandbox
    )
    _save_files(output_console(), name, exported, output, course_folder / "exports" / assignment)
    return 0


def _save_files(console: "Console", name: str, exported: "ExportedFiles", output: Path | None, folder: Path) -> None:
    """Write the files to `folder`, or to `output`: a file if the class is exported as one file, otherwise a folder."""
    from grader.plugins.exporting.api import fills_one_file, save_export, save_export_as

    if fills_one_file(name):
        written = save_export(exported, folder) if output is None else save_export_as(exported, output)
        for file in written:
            console.print(f"written: {file}", soft_wrap=True)
    else:
        own_folder = output or folder / name
        written = save_export(exported, own_folder)
        console.print(f"written: {len(written)} files to {own_folder}", soft_wrap=True)


def _print_left_out(console: "Console", notes: Sequence[str], left_out: Sequence[str]) -> int:
    from grader.text.escape import escape_controls

    for note in notes:
        console.print(escape_controls(note), soft_wrap=True)
    if not left_out:
        return 0
    console.print("Not in it:", soft_wrap=True)
    for sentence in left_out:
        console.print(f"  {escape_controls(sentence)}", soft_wrap=True)
    return 1
