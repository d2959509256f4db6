"""`grader generate`."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli.options import PATH, ExitCode, assignments, course, jobs
from grader.cli.output import Messages

if TYPE_CHECKING:
    from rich.console import Console

    from grader.plugins.scaffolding.author import GeneratedTranscripts


@click.command()
@click.argument(
    "assignments", metavar="[ID]...", nargs=-1, shell_complete=assignments, help="Assignments; default: all."
)
@course
@click.option("--check", is_flag=True, help="Change nothing; the exit code is 1 if a file is out of date.")
@click.option("--python", type=PATH, metavar="FILE", help="Run the references with this Python.")
@jobs
@click.pass_obj
def generate(
    messages: Messages,
    *,
    assignments: Sequence[str],
    course: Path | None,
    check: bool,
    python: Path | None,
    jobs: int | None,
) -> ExitCode:
    """Write the expected transcripts by running the references."""
    from grader.plugins.scaffolding.author import find_stale
    from grader.plugins.scaffolding.author import generate as generate_expected
    from grader.reports.terminal.console import output_console

    console = output_console()
    work, report = (find_stale, _print_stale) if check else (generate_expected, print_written)
    done = work(
        assignments or None,
        course=course,
        python=python,
        jobs=jobs,
        progress=messages.progress("tests"),
        report=partial(report, console, messages),
    )
    wrong = sum(len(transcripts.findings) for transcripts in done) if check else 0
    if wrong:
        console.print(f"{wrong} expected files are not as they should be; `grader generate` repairs them.")
        return 1
    return 0


def print_written(console: "Console", messages: Messages, generated: "GeneratedTranscripts") -> None:
    """Print which files of an assignment were written."""
    messages.notes(generated.assignment, generated.notes)
    for finding in generated.findings:
        done = "removed" if finding.new is None else "written"
        console.print(f"{done}: {finding.file}", soft_wrap=True)
    console.print(f"{generated.assignment.id}: {generated.count} expected files are up to date.", soft_wrap=True)


def _print_stale(console: "Console", messages: Messages, generated: "GeneratedTranscripts") -> None:
    from rich.text import Text

    from grader.reports.theme import TerminalStyle
    from grader.text.escape import escape_controls

    messages.notes(generated.assignment, generated.notes)
    for finding in generated.findings:
        console.print(
            Text(f"{finding.state}: {finding.file}", f"{TerminalStyle.HEADING} {TerminalStyle.FAILED}"), soft_wrap=True
        )
        for line in finding.diff().splitlines():
            console.print(Text(escape_controls(line)), soft_wrap=True)
    if not generated.findings:
        console.print(f"{generated.assignment.id}: all {generated.count} expected files are fresh.", soft_wrap=True)
