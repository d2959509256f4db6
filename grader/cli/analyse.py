"""The commands that look into classes and runs: compare, history, insight, similar."""

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
    Jobs,
    Reports,
    RosterFile,
    Sandbox,
    StoreFile,
    Submissions,
    comparisons,
    files,
)
from grader.cli.output import graded_classes, messages_of
from grader.model.program import SandboxKind

if TYPE_CHECKING:
    from grader.reports.audit_log import LogEntry

app = typer.Typer()

_DIGITS = 12


@app.command(cls=CommandWithNames)
def compare(
    first: Annotated[
        Path, typer.Argument(metavar="RUN1", help="The earlier results.json, or its folder.", autocompletion=files)
    ],
    second: Annotated[Path, typer.Argument(metavar="RUN2", help="The later one.", autocompletion=files)],
    *,
    written: Annotated[
        str, typer.Option("--format", help="How it is written: {comparisons}.", autocompletion=comparisons)
    ] = "text",
) -> None:
    """Say who has another mark in the second run, and why. The exit code is 1 when a mark differs."""
    from grader.api.analyse import compare as compare_runs
    from grader.reports.comparison import comparison_writer

    write = comparison_writer(written)
    comparison = compare_runs(first, second)
    sys.stdout.buffer.write(write(comparison).encode("utf-8", "surrogateescape"))
    sys.stdout.flush()
    raise typer.Exit(1 if comparison.changes else 0)


@app.command()
def history(
    student: Annotated[str, typer.Argument(help="The student's name, as in the reports.")],
    *,
    assignment: Annotated[str | None, typer.Option(help="Assignment; default: all.")] = None,
    course: Course = None,
    reports: Reports = None,
) -> None:
    """Show the marks that a student was given. It says when, from which submission and by which tests."""
    from grader.api.analyse import history as mark_history
    from grader.reports.terminal.console import output_console
    from grader.text.escape import escape_controls

    found = mark_history(student, course=course, assignment=assignment, reports=reports)
    console = output_console()
    if not found.entries:
        console.print(escape_controls(f"{found.file} says nothing about {student}{found.hint}"), soft_wrap=True)
        raise typer.Exit(1)
    for entry in found.entries:
        console.print(escape_controls(_words(entry)), soft_wrap=True)


def _words(entry: "LogEntry") -> str:
    from grader.reports.audit_log import REPORTS

    mark = "excused" if entry.excused else "no mark" if entry.mark is None else f"mark {entry.mark}"
    decided = ", decided by a person" if entry.overridden else ""
    to = "" if entry.to == REPORTS else f", to {entry.to}"
    spec = entry.spec[:_DIGITS] if entry.spec else "unknown"
    return (
        f"{entry.at}  {entry.assignment}: {mark} ({entry.points} points{decided}); "
        f"submission {entry.submission[:_DIGITS]}, tests {spec}, grader {entry.harness}, run {entry.run}{to}"
    )


@app.command(cls=CommandWithNames)
def insight(
    context: typer.Context,
    folder: Submissions,
    *,
    assignment: AssignmentId = None,
    course: Course = None,
    download_format: DownloadFormat = None,
    roster: RosterFile = None,
    show: Annotated[int, typer.Option(min=0, help="Groups to show with one failure in full.")] = 0,
    jobs: Jobs = None,
    sandbox: Sandbox = SandboxKind.BWRAP,
    store: StoreFile = None,
) -> None:
    """Group a class by the mistakes that students share. It also says how well each test works."""
    from rich.console import Console

    from grader.reports.terminal.findings import print_insight

    options = GradeOptions(sandbox=sandbox, download_format=download_format, roster=roster, jobs=jobs, store=store)
    request = GradeRequest(folder=folder, assignment=assignment, course=course, options=options)
    console = Console(highlight=False)
    for graded in graded_classes(request, messages_of(context)):
        print_insight(console, graded, show=show)


Earlier = Annotated[list[Path] | None, typer.Option(help="Submissions of an earlier class; may be repeated.")]


Base = Annotated[list[Path] | None, typer.Option(help="A file that all students got; may be repeated.")]


MinPercent = Annotated[float, typer.Option(min=0, max=100, help="Percent of one program to be found in another.")]


MaxPrograms = Annotated[int, typer.Option(min=1, help="What stands in more programs than this does not count.")]


Pages = Annotated[
    Path | None, typer.Option(help="Folder for web pages that show the pairs side by side.", autocompletion=files)
]


@app.command()
def similar(
    context: typer.Context,
    folder: Submissions,
    *,
    assignment: AssignmentId = None,
    course: Course = None,
    earlier: Earlier = None,
    base: Base = None,
    min_percent: MinPercent = 60,
    max_programs: MaxPrograms = 10,
    show: Annotated[int, typer.Option(min=0, help="Pairs whose passages are shown side by side.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Everything as JSON.")] = False,
    html: Pages = None,
) -> None:
    """List programs of a class that have much in common. It shows similarity, not guilt."""
    from rich.console import Console

    from grader.api.analyse import SimilarityOptions, write_similar_pages
    from grader.api.analyse import similar as similar_programs
    from grader.reports.results_json import similar_json
    from grader.reports.terminal.findings import similar_lines

    options = SimilarityOptions(
        earlier=earlier or [], base=base or [], min_percent=min_percent, max_programs=max_programs
    )
    console = Console(highlight=False)
    progress = messages_of(context).progress("")
    for found in similar_programs(folder, course=course, assignment=assignment, options=options, progress=progress):
        first = write_similar_pages(found, html) if html is not None else None
        if as_json:
            sys.stdout.write(similar_json(found.assignment.id, found.pairs))
            continue
        console.print(
            f"{found.assignment.id}: {len(found.pairs)} pairs share at least {min_percent:g} % of one of them."
        )
        for line in similar_lines(found.pairs, show=show):
            console.print(line, soft_wrap=True)
        if first is not None:
            print(f"Web pages, for instructors only: {first}")
