"""Formats the results of an audit for the terminal."""

from collections.abc import Iterator, Mapping, Sequence
from typing import assert_never

from rich.text import Text

from grader.model.assignment import Assignment
from grader.plugins.auditing.base_program import Accepted, Origin, Reference
from grader.plugins.auditing.report import AuditReport, FirstKills, TestTable
from grader.plugins.auditing.trial import MutantTrial
from grader.reports.theme import TerminalStyle
from grader.text.escape import escape_controls
from grader.text.words import some_of

_MAX_NAMED = 8
_DIFF_STYLES = {"-": TerminalStyle.FAILED, "+": TerminalStyle.PASSED}


def audit_lines(
    assignment: Assignment, report: AuditReport, reasons: Mapping[str, str], faults: Sequence[str]
) -> Iterator[Text]:
    """Yield the results in words, worst first."""
    yield Text(escape_controls(f"{assignment.id}: {assignment.title}"), TerminalStyle.HEADING)
    for fault in faults:
        yield Text(f"  {escape_controls(fault)}", TerminalStyle.FAILED)
    if not faults:
        yield Text(
            "  Every test repeats, every expected file is fresh, every sample gets its stated verdicts.",
            TerminalStyle.PASSED,
        )
    count = len(report.caught) + len(report.survived)
    style = TerminalStyle.PASSED if not report.survived else TerminalStyle.WARNING
    caught = f"  {len(report.caught)} of {count} mutants are caught ({report.share:.1%})"
    yield Text().append(caught, style).append(f"; {len(report.equivalent)} more are marked as equivalent.")
    for share in report.by_kind:
        bounds = share.interval
        passing = (
            f"{share.survived} of {share.count} pass; of all such programs {bounds.low:.1%} to {bounds.high:.1%} (95%)"
        )
        yield Text(f"    {share.kind}: {passing}", TerminalStyle.MUTED)
    for trial in report.survived:
        yield from _survivor(trial)
    yield from _about_tests(report)
    yield from _marks(report, reasons)


def _survivor(trial: MutantTrial) -> Iterator[Text]:
    mutant = trial.mutant
    what = f"{mutant.base.file} ({mutant.about}{_origin_words(mutant.base.origin)})"
    if trial.reached:
        words = f"survives every test of {what}; needed is a test in which it shows"
    else:
        words = f"is reached by no test of {what}; needed is a test that gets there"
    yield Text()
    yield Text(f"  {escape_controls(f'{mutant.id} {words}')}", TerminalStyle.WARNING)
    for line in mutant.diff.splitlines():
        yield Text(f"    {escape_controls(line)}", _DIFF_STYLES.get(line[:1], TerminalStyle.MUTED))


def _origin_words(origin: Origin) -> str:
    match origin:
        case Reference():
            return ""
        case Accepted(students=students):
            return f", in the program of {some_of(students, _MAX_NAMED)}"


def _about_tests(report: AuditReport) -> Iterator[Text]:
    match report.tests:
        case FirstKills():
            return
        case TestTable(only_hidden=only_hidden, redundant=redundant, idle=idle, catches=catches):
            if idle:
                yield Text()
                yield Text(f"  Tests that catch nothing: {_named(idle)}")
            if redundant:
                yield Text()
                yield Text(f"  Tests that catch nothing that others do not: {_named(redundant)}")
            if only_hidden:
                yield Text()
                yield from _needed_hidden(only_hidden)
            if catches.both < min(catches.public, catches.hidden):
                counts = (
                    f"Public tests catch {catches.public} mutants, hidden ones {catches.hidden}, both {catches.both}"
                )
                yield Text()
                yield Text(f"  {counts}: by that neither catches {catches.missed:.1f} further mistakes, or more.")
        case _:
            assert_never(report.tests)


def _needed_hidden(trials: Sequence[MutantTrial]) -> Iterator[Text]:
    yield Text("  Hidden tests that are needed, for no public test catches these mutants:")
    for trial in trials[:_MAX_NAMED]:
        about = f"{trial.mutant.about}{_origin_words(trial.mutant.base.origin)}"
        yield Text(f"    {trial.mutant.id} ({escape_controls(about)}): {_named(trial.failed)}")
    if len(trials) > _MAX_NAMED:
        yield Text(f"    and {len(trials) - _MAX_NAMED} more")


def _marks(report: AuditReport, reasons: Mapping[str, str]) -> Iterator[Text]:
    for mutant in report.wrongly_marked:
        yield Text(
            f"  {mutant} is marked as equivalent ({escape_controls(reasons[mutant])}), but a test catches it.",
            TerminalStyle.FAILED,
        )
    for mutant in report.stale_marks:
        yield Text(f"  {mutant} is marked as equivalent, but there is no such mutant any more.", TerminalStyle.WARNING)


def _named(names: Sequence[str]) -> str:
    return escape_controls(some_of(names, _MAX_NAMED))
