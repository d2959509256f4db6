"""`grader export` and `grader autograde`: marks and feedback in the formats of learning platforms."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grader.api.request import GradeOptions, GradeRequest
from grader.cli.options import (
    AssignmentId,
    CommandWithNames,
    Course,
    DownloadFormat,
    Extensions,
    Jobs,
    Marks,
    Overrides,
    RosterFile,
    Sandbox,
    StoreFile,
    assignments,
    autograders,
    exports,
    files,
)
from grader.cli.output import INTERRUPTED, Messages, graded_classes, messages_of
from grader.model.program import SandboxKind

if TYPE_CHECKING:
    from rich.console import Console

    from grader import ExportedFiles, ExportOptions

app = typer.Typer()


ExportName = Annotated[str, typer.Argument(metavar="FORMAT", help="What to write: {exports}.", autocompletion=exports)]


Exported = Annotated[
    Path,
    typer.Argument(metavar="SUBMISSIONS|ASSIGNMENT", help="For an autograder: the assignment.", autocompletion=files),
]


Sheet = Annotated[Path | None, typer.Option(help="The sheet downloaded from Moodle or Canvas.", autocompletion=files)]


Encoding = Annotated[str | None, typer.Option(help="How the sheet is encoded; default: UTF-8.")]


Column = Annotated[str | None, typer.Option(help="The column on Canvas; default: the assignment's title.")]


HiddenTests = Annotated[
    str | None, typer.Option(metavar="hidden|after_published", help="When Gradescope shows hidden tests.")
]


ExportOutput = Annotated[
    Path | None, typer.Option(help="File or folder; default: in exports/ of the course.", autocompletion=files)
]


LogFolder = Annotated[
    Path | None,
    typer.Option(help="Where audit.jsonl is; default: reports/ in the course folder.", autocompletion=files),
]


@app.command(cls=CommandWithNames)
def export(
    context: typer.Context,
    kind: ExportName,
    what: Exported,
    *,
    assignment: AssignmentId = None,
    course: Course = None,
    download_format: DownloadFormat = None,
    roster: RosterFile = None,
    extensions: Extensions = None,
    marks: Marks = None,
    overrides: Overrides = None,
    sheet: Sheet = None,
    encoding: Encoding = None,
    column: Column = None,
    hidden_tests: HiddenTests = None,
    output: ExportOutput = None,
    reports: LogFolder = None,
    jobs: Jobs = None,
    sandbox: Sandbox = SandboxKind.BWRAP,
    store: StoreFile = None,
) -> None:
    """Write marks, or an autograder, for a learning platform."""
    from grader import ExportOptions
    from grader.api.export import is_autograder

    if is_autograder(kind):
        raise typer.Exit(_export_autograder(kind, str(what), course, sandbox, output))
    grade_options = GradeOptions(
        sandbox=sandbox,
        download_format=download_format,
        roster=roster,
        extensions=extensions,
        marks=marks,
        overrides=overrides,
        jobs=jobs,
        store=store,
    )
    request = GradeRequest(folder=what, assignment=assignment, course=course, options=grade_options)
    options = ExportOptions(sheet=sheet, encoding=encoding, column=column, hidden_tests=hidden_tests)
    raise typer.Exit(_export_classes(kind, request, options, messages_of(context), reports=reports, output=output))


def _export_classes(
    name: str,
    request: GradeRequest,
    options: "ExportOptions",
    messages: Messages,
    *,
    reports: Path | None,
    output: Path | None,
) -> int:
    """Write the classes of the request; returns the exit code: 1 when the mark of a student is not in the export."""
    from grader.api.course import course_for
    from grader.api.export import class_writer, export_run, export_with_log, several_classes
    from grader.reports.terminal.console import output_console

    write = class_writer(name, options)
    course = course_for(request.course, request.folder).folder
    classes = list(graded_classes(request, messages))
    if any(graded.not_graded for graded in classes):
        return INTERRUPTED
    if len(classes) > 1 and (options.sheet or output):
        raise several_classes(graded.assignment.id for graded in classes)
    console = output_console()
    run = export_run(name)
    code = 0
    for graded in classes:
        with messages.stage(f"Writing {name} of {graded.assignment.id}"):
            exported = export_with_log(graded, write, reports or course / "reports", run)
            _save(console, name, exported, output, course / "exports" / graded.assignment.id)
        code = max(code, _print_left_out(console, exported))
    return code


def _export_autograder(
    name: str, assignment_id: str, course: Path | None, sandbox: SandboxKind, output: Path | None
) -> int:
    """Write the autograder; returns the exit code."""
    from grader.api.export import export_autograder
    from grader.reports.terminal.console import output_console

    found, exported = export_autograder(assignment_id, name, course=course, sandbox=sandbox)
    _save(output_console(), name, exported, output, found / "exports" / assignment_id)
    return 0


def _save(console: "Console", name: str, exported: "ExportedFiles", output: Path | None, folder: Path) -> None:
    """Write the files to `folder`, or to `output`: a file for the one file of a class, otherwise a folder."""
    from grader.api.export import fills_one_file, save_export, save_export_as

    if fills_one_file(name):
        written = save_export(exported, folder) if output is None else save_export_as(exported, output)
        for file in written:
            console.print(f"written: {file}", soft_wrap=True)
    else:
        own_folder = output or folder / name
        written = save_export(exported, own_folder)
        console.print(f"written: {len(written)} files to {own_folder}", soft_wrap=True)


def _print_left_out(console: "Console", exported: "ExportedFiles") -> int:
    from grader.text.escape import escape_controls

    for note in exported.notes:
        console.print(escape_controls(note), soft_wrap=True)
    if not exported.left_out:
        return 0
    console.print("Not in it:", soft_wrap=True)
    for sentence in exported.left_out:
        console.print(f"  {escape_controls(sentence)}", soft_wrap=True)
    return 1


@app.command(cls=CommandWithNames)
def autograde(
    platform: Annotated[
        str, typer.Argument(metavar="PLATFORM", help="Who runs this: {autograders}.", autocompletion=autograders)
    ],
    folder: Annotated[Path, typer.Argument(help="The submission.", autocompletion=files)],
    *,
    assignment: Annotated[str, typer.Option(help="The assignment.", autocompletion=assignments)],
    course: Annotated[Path, typer.Option(help="The course folder.", autocompletion=files)],
    metadata: Annotated[
        Path | None, typer.Option(help="Gradescope's submission_metadata.json.", autocompletion=files)
    ] = None,
    sandbox: Sandbox = SandboxKind.BWRAP,
    output: Annotated[
        Path | None, typer.Option(help="Where the platform looks; default: standard output.", autocompletion=files)
    ] = None,
) -> None:
    """Grade one submission where a platform runs an autograder. It writes what the platform reads."""
    from grader.api.export import NoMarkError, save_result
    from grader.api.export import autograde as grade_submission

    try:
        result = grade_submission(platform, folder, assignment, course, sandbox=sandbox, metadata=metadata)
    except NoMarkError as error:
        # Nothing is written: the platform then says that the autograder failed, and the student gets no wrong mark.
        print(error, file=sys.stderr)
        raise typer.Exit(1) from None
    for line in result.log:
        print(line, file=sys.stderr)
    if output is None:
        sys.stdout.write(result.text)
    else:
        save_result(result.text, output)
