"""`grader grade`."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.api.request import GradeRequest
from grader.cli.options import (
    CommandWithNames,
    ExitCode,
    class_request,
    class_steps,
    hide_names,
    instructor_files,
    output_format,
    reports,
    submission_steps,
    submissions,
)
from grader.cli.output import INTERRUPTED, InterruptibleProgress, Messages, add_step_summary

if TYPE_CHECKING:
    from grader.api.unchanged_run import ClassRun
    from grader.model.results import ClassResult


@click.command(cls=CommandWithNames)
@submissions
@class_request
@instructor_files
@click.option("--cluster", metavar="ADDRESS", help="A cluster: tcp://HOST:PORT of a Dask scheduler, or local:N.")
@click.option("--no-cache", is_flag=True, help="Run every test again, ignoring the store.")
@submission_steps
@class_steps
@hide_names
@reports
@output_format
@click.pass_obj
def grade(messages: Messages, *, request: GradeRequest, reports: Path | None, output: str) -> ExitCode:
    """Grade a class: tests, lateness, marks and reports. Tests that were run before are not run again."""
    from grader.api.unchanged_run import open_run

    with open_run(request, reports, output) as run:
        past = run.unchanged()
        if past is None:
            return _grade_now(run, reports, output, messages)
        messages.detail("Nothing has changed since the last run, whose output is printed again.")
        sys.stdout.write(past.printed)
        add_step_summary(past.summary)
        return past.exit_code


def _grade_now(run: "ClassRun", named_reports: Path | None, output: str, messages: Messages) -> int:
    """Grade the classes, write the reports and print the marks; return the exit code.

    The exit code is 130 after Ctrl-C, and 1 if a mark is undecided. A mark that only waits for manual marking is not a
    failure.
    """
    from grader.api.grade import grade_classes
    from grader.api.report import reports_run, save_results
    from grader.reports.output_formats import output_format

    written = output_format(output)
    code = 0
    printed = summary = ""
    digests: dict[str, str | None] = {}
    settled, waits = True, False
    progress = InterruptibleProgress(messages)
    logged, all_reports = reports_run(), named_reports or run.course / "reports"
    for graded in grade_classes(
        run.request, store=run.store, progress=progress, report=messages.tests, cancelled=progress.cancelled
    ):
        messages.warnings(graded)
        if not graded.not_graded:
            _tell_replaced(run.request.folder, graded.assignment.id, all_reports, messages)
        with messages.stage(f"Writing the reports of {graded.assignment.id}"):
            saved = save_results(graded, all_reports, logged)
            shown = written.of_class(graded, saved.folder)
        sys.stdout.write(shown.printed)
        sys.stdout.flush()
        add_step_summary(shown.summary)
        printed += shown.printed
        summary += shown.summary
        if graded.not_graded or progress.cancelled.is_set():
            return INTERRUPTED
        if any(row.mark_is_lost for row in graded.rows):
            code = 1
        digests[str(saved.folder)] = saved.digest
        settled = settled and _is_settled(graded)
        waits = any(row.waits_for_decision for row in graded.rows)
    digests_known = {folder: digest for folder, digest in digests.items() if digest is not None}
    if len(digests) == 1:
        messages.next_command(run.request.folder, waits=waits)
    if settled and len(digests_known) == len(digests):
        run.keep(code, printed, summary, digests_known)
    return code


def _tell_replaced(folder: Path, assignment: str, reports: Path, messages: Messages) -> None:
    """Print whose reports are about to be replaced, if they are about another folder."""
    from grader.api.report import replaced_class

    other = replaced_class(reports, assignment, folder / assignment if (folder / assignment).is_dir() else folder)
    if other:
        messages.replaces(assignment, other)


def _is_settled(graded: "ClassResult") -> bool:
    """Return whether a repeated run would do and print exactly this.

    Warnings must be repeated, and a student's Python and its packages may change without any change in the course.
    """
    reruns = any(row.graded.needs_rerun or row.graded.undecided_rules for row in graded.rows)
    return not (graded.warnings or reruns or graded.assignment.python.asks)
