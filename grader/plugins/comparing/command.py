"""The commands `grader compare` and `grader history`."""

import sys
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli.options import PATH, ExitCode, assignments, course, reports
from grader.errors import known_name
from grader.model.option import LateFunction

if TYPE_CHECKING:
    from grader.reports.decision_log import AuditEntry

_DIGITS = 12
_FORMATS: Mapping[str, LateFunction] = {
    name: LateFunction(f"grader.plugins.comparing.comparison:comparison_{name}") for name in ("text", "json", "csv")
}


@click.command()
@click.argument("first", type=PATH, metavar="RUN1", help="The earlier results.json, or its folder.")
@click.argument("second", type=PATH, metavar="RUN2", help="The later results.json, or its folder.")
@click.option(
    "--format",
    "written",
    metavar="NAME",
    default="text",
    shell_complete=lambda _context, _parameter, start: [name for name in _FORMATS if name.startswith(start)],
    help=f"The output format: {', '.join(_FORMATS)}.",
)
def compare(*, first: Path, second: Path, written: str) -> ExitCode:
    """Show whose mark differs between two runs, and why. The exit code is 1 if a mark differs."""
    from grader.plugins.comparing.api import compare as compare_runs

    write = known_name(written, _FORMATS, "format of comparisons")
    comparison = compare_runs(first, second)
    sys.stdout.buffer.write(write(comparison).encode("utf-8", "surrogateescape"))
    sys.stdout.flush()
    return 1 if comparison.changes else 0


@click.command()
@click.argument("student", help="The student's name, as in the reports.")
@click.option("--assignment", metavar="ID", shell_complete=assignments, help="Assignment; default: all.")
@course
@reports
def history(*, student: str, assignment: str | None, course: Path | None, reports: Path | None) -> ExitCode:
    """Show a student's marks over time, and the decisions behind them. Each has its time, old value and author."""
    from grader.plugins.comparing.api import history as mark_history
    from grader.reports.terminal.console import output_console
    from grader.text.escape import escape_controls

    marks = mark_history(student, course=course, assignment=assignment, reports=reports)
    console = output_console()
    if not marks.log:
        console.print(escape_controls(f"{marks.file} says nothing about {student}{marks.hint}"), soft_wrap=True)
        return 1
    for entry in marks.log:
        local = replace(entry, at=_local_time(entry.at, marks.zones.get(entry.assignment)))
        console.print(escape_controls(_entry_words(local)), soft_wrap=True)
    return 0


def _local_time(at: str, zone: tzinfo | None) -> str:
    """Return a logged time in the assignment's time zone, or in this machine's if it is unknown."""
    try:
        return f"{datetime.fromisoformat(at).astimezone(zone):%Y-%m-%d %H:%M:%S %Z}"
    except ValueError:
        return at


def _entry_words(entry: "AuditEntry") -> str:
    from grader.reports.audit_log import REPORTS
    from grader.reports.decision_log import LoggedDecision

    if isinstance(entry, LoggedDecision):
        return entry.words
    mark = "excused" if entry.excused else "no mark" if entry.mark is None else f"mark {entry.mark}"
    decided = ", decided by a person" if entry.overridden else ""
    to = "" if entry.to == REPORTS else f", to {entry.to}"
    spec = entry.spec[:_DIGITS] if entry.spec else "unknown"
    return (
        f"{entry.at}  {entry.assignment}: {mark} ({entry.points} points{decided}); "
        f"submission {entry.submission[:_DIGITS]}, tests {spec}, grader {entry.harness}, run {entry.run}{to}"
    )
