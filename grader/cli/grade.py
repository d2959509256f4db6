"""`grader grade`, `grader report` and `grader doctor`: classes, and the machine that they are graded on."""

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
    Output,
    Overrides,
    Reports,
    RosterFile,
    Sandbox,
    StoreFile,
    Submissions,
)
from grader.cli.output import (
    INTERRUPTED,
    InterruptibleProgress,
    Messages,
    add_step_summary,
    graded_classes,
    messages_of,
)
from grader.model.program import SandboxKind

if TYPE_CHECKING:
    from grader.api.unchanged_run import ClassRun

app = typer.Typer()

_ADVICE = "Without a sandbox, `grader grade` needs --sandbox none: use it only for programs that you trust."


NoCache = Annotated[bool, typer.Option("--no-cache", help="Run every test again, and use nothing from the store.")]


@app.command(cls=CommandWithNames)
def grade(
    context: typer.Context,
    folder: Submissions,
    *,
    assignment: AssignmentId = None,
    course: Course = None,
    download_format: DownloadFormat = None,
    roster: RosterFile = None,
    extensions: Extensions = None,
    marks: Marks = None,
    overrides: Overrides = None,
    reports: Reports = None,
    jobs: Jobs = None,
    cluster: Annotated[str | None, typer.Option(help="tcp://HOST:PORT of a Dask scheduler, or local:N.")] = None,
    sandbox: Sandbox = SandboxKind.BWRAP,
    store: StoreFile = None,
    no_cache: NoCache = False,
    output: Output = "text",
) -> None:
    """Grade a class: all tests, lateness, marks, reports. What was run before is not run again."""
    from grader.api.unchanged_run import open_run

    options = GradeOptions(
        sandbox=sandbox,
        download_format=download_format,
        roster=roster,
        extensions=extensions,
        marks=marks,
        overrides=overrides,
        jobs=jobs,
        cluster=cluster,
        store=store,
        no_cache=no_cache,
    )
    request = GradeRequest(folder=folder, assignment=assignment, course=course, options=options)
    with open_run(request, reports, output) as run:
        raise typer.Exit(_grade_if_changed(run, reports, output, messages_of(context)))


def _grade_if_changed(run: "ClassRun", reports: Path | None, output: str, messages: Messages) -> int:
    """Grade, or print again what a run printed that had nothing else to do; returns the exit code."""
    past = run.unchanged()
    if past is None:
        return _grade_now(run, reports, output, messages)
    messages.detail("Nothing has changed since the last run, whose output is printed again.")
    sys.stdout.write(past.printed)
    add_step_summary(past.summary)
    return past.exit_code


def _grade_now(run: "ClassRun", named_reports: Path | None, output: str, messages: Messages) -> int:
    """Grade the classes, write the reports and print the marks; returns the exit code.

    It is 130 after Ctrl-C, 1 when a mark could not be told; one that only waits for what a person has to mark is no
    failure.
    """
    from grader.api.grade import grade_with_store
    from grader.api.report import reports_run, save_results
    from grader.reports.output_formats import output_format

    written = output_format(output)
    code = 0
    printed = summary = ""
    digests: dict[str, str | None] = {}
    settled = True
    progress = InterruptibleProgress(messages)
    logged = reports_run()
    for graded in grade_with_store(
        run.request,
        run.course,
        run.store,
        progress=progress,
        report=messages.tests,
        cancelled=progress.cancelled,
    ):
        with messages.stage(f"Writing the reports of {graded.assignment.id}"):
            saved = save_results(graded, named_reports or run.course / "reports", logged)
            shown = written.of_class(graded, saved.folder)
        sys.stdout.write(shown.printed)
        sys.stdout.flush()
        add_step_summary(shown.summary)
        printed += shown.printed
        summary += shown.summary
        if graded.not_graded:
            return INTERRUPTED
        if any(row.mark_is_lost for row in graded.rows):
            code = 1
        digests[str(saved.folder)] = saved.digest
        settled = settled and not any(row.graded.needs_rerun for row in graded.rows)
    known = {folder: digest for folder, digest in digests.items() if digest is not None}
    if settled and len(known) == len(digests):
        run.keep(code, printed, summary, known)
    return code


@app.command(cls=CommandWithNames)
def report(
    context: typer.Context,
    folder: Submissions,
    *,
    assignment: AssignmentId = None,
    course: Course = None,
    download_format: DownloadFormat = None,
    roster: RosterFile = None,
    extensions: Extensions = None,
    marks: Marks = None,
    overrides: Overrides = None,
    reports: Reports = None,
    jobs: Jobs = None,
    sandbox: Sandbox = SandboxKind.BWRAP,
    store: StoreFile = None,
) -> None:
    """Make web pages about a class. An overview, a page per student and per test; only what was never run is run."""
    from grader.api.report import report as write_pages
    from grader.api.report import reports_of_course, reports_run

    options = GradeOptions(
        sandbox=sandbox,
        download_format=download_format,
        roster=roster,
        extensions=extensions,
        marks=marks,
        overrides=overrides,
        jobs=jobs,
        store=store,
    )
    request = GradeRequest(folder=folder, assignment=assignment, course=course, options=options)
    where = reports_of_course(request, reports)
    messages = messages_of(context)
    run = reports_run()
    for graded in graded_classes(request, messages):
        with messages.stage(f"Writing the web pages of {graded.assignment.id}"):
            first = write_pages(graded, where, run, jobs=jobs)
        print(f"Web pages: {first}")
        if graded.not_graded:
            raise typer.Exit(INTERRUPTED)


@app.command()
def doctor() -> None:
    """Say how well this machine can keep submissions from doing harm."""
    import platform

    from rich.console import Console

    from grader.api.environment import machine_protections
    from grader.reports.theme import TERMINAL

    console = Console(highlight=False)
    console.print(f"Python {platform.python_version()} on {platform.system()} {platform.release()}", soft_wrap=True)
    found = machine_protections()
    for protection in found:
        mark = f"[{TERMINAL.passed}]yes[/]" if protection.available else f"[{TERMINAL.failed}]no [/]"
        console.print(f"{mark}  {protection.name}: ", end="", soft_wrap=True)
        console.print(protection.found, markup=False, soft_wrap=True)
    if not all(protection.available for protection in found):
        console.print(_ADVICE, soft_wrap=True)
        raise typer.Exit(1)
