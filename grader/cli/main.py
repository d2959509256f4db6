"""The `grader` command. Exit codes: 0 all well, 1 something failed, 2 the tool could not do its work."""

import sys
import traceback
import warnings
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated

import typer

from grader.cli import INTERRUPTED
from grader.cli.authoring import app as authoring
from grader.cli.complete import assignment_ids, files
from grader.cli.names import CommandWithNames, autograders, comparisons, exports
from grader.cli.options import (
    AssignmentId,
    Course,
    Extensions,
    Intake,
    Jobs,
    Marks,
    Output,
    Overrides,
    Program,
    Reports,
    RosterFile,
    Sandbox,
    Show,
    StoreFile,
    Submissions,
)
from grader.errors import GraderError
from grader.model.limits import SandboxKind

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Grade programs that talk in a terminal, and check your own before you hand it in.",
)


@app.callback()
def _root() -> None:
    """Grade programs that talk in a terminal, and check your own before you hand it in."""


@app.command(cls=CommandWithNames)
def check(
    path: Program,
    assignment: AssignmentId = None,
    course: Course = None,
    show: Show = 3,
    save: Annotated[
        Path | None, typer.Option(help="Write what your program printed, a .txt file per test.", autocompletion=files)
    ] = None,
    full: Annotated[bool, typer.Option("--full", help="Show every difference, not a screenful per test.")] = False,
    output: Output = "text",
) -> None:
    """Run the public tests on your own program."""
    from grader.cli.check import run_check
    from grader.reports.terminal.diff import all_differences, first_screenful
    from grader.run.system import THIS_SYSTEM

    code = run_check(
        path,
        assignment,
        course,
        show=show,
        save=save,
        output=output,
        system=THIS_SYSTEM,
        diff_text=all_differences if full else first_screenful,
    )
    raise typer.Exit(code)


@app.command()
def watch(
    path: Program,
    assignment: AssignmentId = None,
    course: Course = None,
    show: Show = 3,
) -> None:
    """Run the public tests again whenever you save, and show what has changed. Ctrl-C ends."""
    from grader.cli.watch import run_watch

    raise typer.Exit(run_watch(path, assignment, course, show=show))


@app.command(cls=CommandWithNames)
def grade(
    folder: Submissions,
    assignment: AssignmentId = None,
    course: Course = None,
    intake: Intake = None,
    roster: RosterFile = None,
    extensions: Extensions = None,
    marks: Marks = None,
    overrides: Overrides = None,
    reports: Reports = None,
    jobs: Jobs = None,
    cluster: Annotated[str | None, typer.Option(help="tcp://HOST:PORT of a Dask scheduler, or local:N.")] = None,
    sandbox: Sandbox = SandboxKind.BWRAP,
    store: StoreFile = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Run every test again, whatever the store holds.")] = False,
    output: Output = "text",
) -> None:
    """Grade a class: all tests, lateness, marks, reports. What was run before is not run again."""
    from grader.cli.grade import run_grade
    from grader.cli.request import GradeRequest

    request = GradeRequest(
        folder=folder,
        assignment=assignment,
        course=course,
        extensions=extensions,
        marks=marks,
        reports=reports,
        sandbox=sandbox,
        overrides=overrides,
        intake=intake,
        roster=roster,
        output=output,
    )
    raise typer.Exit(run_grade(request, jobs=jobs, cluster=cluster, store_file=store, fresh=fresh))


@app.command(cls=CommandWithNames)
def report(
    folder: Submissions,
    assignment: AssignmentId = None,
    course: Course = None,
    intake: Intake = None,
    roster: RosterFile = None,
    extensions: Extensions = None,
    marks: Marks = None,
    overrides: Overrides = None,
    reports: Reports = None,
    jobs: Jobs = None,
    sandbox: Sandbox = SandboxKind.BWRAP,
    store: StoreFile = None,
) -> None:
    """Make web pages about a class: an overview, a page per student and per test. Runs only what was never run."""
    from grader.cli.report import run_report
    from grader.cli.request import GradeRequest

    request = GradeRequest(
        folder=folder,
        assignment=assignment,
        course=course,
        extensions=extensions,
        marks=marks,
        reports=reports,
        sandbox=sandbox,
        overrides=overrides,
        intake=intake,
        roster=roster,
    )
    raise typer.Exit(run_report(request, jobs=jobs, store_file=store))


@app.command(cls=CommandWithNames)
def compare(
    first: Annotated[
        Path, typer.Argument(metavar="RUN1", help="The earlier results.json, or its folder.", autocompletion=files)
    ],
    second: Annotated[Path, typer.Argument(metavar="RUN2", help="The later one.", autocompletion=files)],
    written: Annotated[
        str, typer.Option("--format", help="How it is written: {comparisons}.", autocompletion=comparisons)
    ] = "text",
) -> None:
    """Say who has another mark in the second run, by how much and why; exit 1 when somebody has."""
    from grader.cli.compare import run_compare

    raise typer.Exit(run_compare(first, second, written))


@app.command()
def history(
    student: Annotated[str, typer.Argument(help="The student's name, as in the reports.")],
    assignment: Annotated[str | None, typer.Option(help="Assignment; default: all.")] = None,
    course: Course = None,
    reports: Reports = None,
) -> None:
    """Show the marks that a student was given: when, from which submission and by which tests."""
    from grader.cli.history import run_history

    raise typer.Exit(run_history(student, assignment, course, reports))


@app.command(cls=CommandWithNames)
def insight(
    folder: Submissions,
    assignment: AssignmentId = None,
    course: Course = None,
    intake: Intake = None,
    roster: RosterFile = None,
    show: Annotated[int, typer.Option(min=0, help="Groups to show with one failure in full.")] = 0,
    jobs: Jobs = None,
    sandbox: Sandbox = SandboxKind.BWRAP,
    store: StoreFile = None,
) -> None:
    """Group a class by the mistakes that students share, and say how well each test works."""
    from grader.cli.insight import run_insight
    from grader.cli.request import GradeRequest

    request = GradeRequest(
        folder=folder,
        assignment=assignment,
        course=course,
        extensions=None,
        marks=None,
        reports=None,
        sandbox=sandbox,
        overrides=None,
        intake=intake,
        roster=roster,
    )
    raise typer.Exit(run_insight(request, jobs=jobs, store_file=store, show=show))


@app.command()
def similar(
    folder: Submissions,
    assignment: AssignmentId = None,
    course: Course = None,
    earlier: Annotated[
        list[Path] | None, typer.Option(help="Submissions of an earlier class; may be repeated.")
    ] = None,
    base: Annotated[list[Path] | None, typer.Option(help="A file that all students got; may be repeated.")] = None,
    least: Annotated[float, typer.Option(min=0, max=100, help="Percent of one program to be found in another.")] = 60,
    common: Annotated[int, typer.Option(min=1, help="What stands in more programs than this does not count.")] = 10,
    show: Annotated[int, typer.Option(min=0, help="Pairs whose passages are shown side by side.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Everything as JSON.")] = False,
    html: Annotated[
        Path | None, typer.Option(help="Folder for web pages that show the pairs side by side.", autocompletion=files)
    ] = None,
) -> None:
    """List programs of a class that have much in common. It shows similarity, not guilt."""
    from grader.cli.similar import run_similar

    code = run_similar(
        folder,
        assignment,
        course,
        earlier=earlier or [],
        base=base or [],
        least=least,
        common=common,
        show=show,
        as_json=as_json,
        pages=html,
    )
    raise typer.Exit(code)


@app.command()
def doctor() -> None:
    """Say how well this machine can keep submissions from doing harm."""
    from grader.cli.doctor import run_doctor

    raise typer.Exit(run_doctor())


@app.command(cls=CommandWithNames)
def export(
    kind: Annotated[str, typer.Argument(metavar="FORMAT", help="What to write: {exports}.", autocompletion=exports)],
    what: Annotated[
        Path,
        typer.Argument(
            metavar="SUBMISSIONS|ASSIGNMENT", help="For an autograder: the assignment.", autocompletion=files
        ),
    ],
    assignment: AssignmentId = None,
    course: Course = None,
    intake: Intake = None,
    roster: RosterFile = None,
    extensions: Extensions = None,
    marks: Marks = None,
    overrides: Overrides = None,
    sheet: Annotated[
        Path | None, typer.Option(help="The sheet downloaded from Moodle or Canvas.", autocompletion=files)
    ] = None,
    encoding: Annotated[str | None, typer.Option(help="How the sheet is encoded; default: UTF-8.")] = None,
    column: Annotated[str | None, typer.Option(help="The column on Canvas; default: the assignment's title.")] = None,
    hidden_tests: Annotated[
        str | None,
        typer.Option(metavar="hidden|after_published", help="When Gradescope shows hidden tests."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option(help="File or folder; default: in exports/ of the course.", autocompletion=files)
    ] = None,
    reports: Annotated[
        Path | None,
        typer.Option(help="Where audit.jsonl is; default: reports/ in the course folder.", autocompletion=files),
    ] = None,
    jobs: Jobs = None,
    sandbox: Sandbox = SandboxKind.BWRAP,
    store: StoreFile = None,
) -> None:
    """Write the marks of a class for a learning platform, or an autograder for one."""
    from grader.cli.export import run_export
    from grader.cli.request import GradeRequest
    from grader.platforms.platform import ExportOptions

    request = GradeRequest(
        folder=what,
        assignment=assignment,
        course=course,
        extensions=extensions,
        marks=marks,
        reports=reports,
        sandbox=sandbox,
        overrides=overrides,
        intake=intake,
        roster=roster,
    )
    options = ExportOptions(sheet=sheet, encoding=encoding, column=column, hidden_tests=hidden_tests)
    raise typer.Exit(run_export(kind, request, options, jobs=jobs, store_file=store, output=output))


@app.command(cls=CommandWithNames)
def autograde(
    platform: Annotated[
        str, typer.Argument(metavar="PLATFORM", help="Who runs this: {autograders}.", autocompletion=autograders)
    ],
    folder: Annotated[Path, typer.Argument(help="The submission.", autocompletion=files)],
    assignment: Annotated[str, typer.Option(help="The assignment.", autocompletion=assignment_ids)],
    course: Annotated[Path, typer.Option(help="The course folder.", autocompletion=files)],
    metadata: Annotated[
        Path | None, typer.Option(help="Gradescope's submission_metadata.json.", autocompletion=files)
    ] = None,
    sandbox: Sandbox = SandboxKind.BWRAP,
    output: Annotated[
        Path | None, typer.Option(help="Where the platform looks; default: standard output.", autocompletion=files)
    ] = None,
) -> None:
    """Grade one submission where a platform runs an autograder, and write what the platform reads."""
    from grader.cli.autograde import run_autograde

    code = run_autograde(platform, folder, assignment, course, sandbox=sandbox, metadata=metadata, output=output)
    raise typer.Exit(code)


app.add_typer(authoring)


def _harmless(message: str) -> str:
    """The message without what a terminal would act on: it may quote names of files that students chose."""
    from grader.text.escape import escape_controls

    return "\n".join(map(escape_controls, message.split("\n")))


def main() -> None:
    """Run the command line; errors of ours become messages and exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    # Reading students' code must not print what Python thinks of it.
    warnings.simplefilter("ignore", SyntaxWarning)
    try:
        app()
    except GraderError as error:
        print(_harmless(str(error)), file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        sys.exit(INTERRUPTED)
    except Exception:
        traceback.print_exc()
        print("This is a fault in grader, not in the graded program; please report it.", file=sys.stderr)
        sys.exit(2)
