"""What an audit says, for the terminal."""

from collections.abc import Iterator, Mapping, Sequence

from rich.text import Text

from grader.authoring.audit.trial import AuditReport
from grader.model.assignment import Assignment
from grader.reports.theme import TERMINAL
from grader.text.escape import escape_controls

_MOST_NAMED = 8


_DIFF_STYLES = {"-": TERMINAL.failed, "+": TERMINAL.passed}


def audit_lines(
    assignment: Assignment, found: AuditReport, reasons: Mapping[str, str], faults: Sequence[str]
) -> Iterator[Text]:
    """The audit in words, worst first."""
    yield Text(escape_controls(f"{assignment.id}: {assignment.title}"), TERMINAL.heading)
    for fault in faults:
        yield Text(f"  {escape_controls(fault)}", TERMINAL.failed)
    if not faults:
        yield Text(
            "  Every test repeats, every expected file is fresh, every sample gets its stated verdicts.",
            TERMINAL.passed,
        )
    count = len(found.caught) + len(found.survived)
    style = TERMINAL.passed if not found.survived else TERMINAL.warning
    caught = f"  {len(found.caught)} of {count} mutants are caught ({found.share:.1%})"
    yield Text().append(caught, style).append(f"; {len(found.equivalent)} more are marked as equivalent.")
    yield from _survivors(found)
    yield from _lists(found, reasons)


def _survivors(found: AuditReport) -> Iterator[Text]:
    for mutant in found.survived:
        yield Text()
        words = (
            f"{mutant.id} survives every test of {mutant.program} ({mutant.about}); needed is a test in which it shows"
        )
        yield Text(f"  {escape_controls(words)}", TERMINAL.warning)
        for line in mutant.diff.splitlines():
            yield Text(f"    {escape_controls(line)}", _DIFF_STYLES.get(line[:1], TERMINAL.muted))


def _lists(found: AuditReport, reasons: Mapping[str, str]) -> Iterator[Text]:
    if found.idle:
        yield Text()
        yield Text(f"  Tests that catch nothing: {_some(found.idle)}")
    if found.redundant:
        yield Text()
        yield Text(f"  Tests that catch nothing that others do not: {_some(found.redundant)}")
    if found.only_hidden:
        yield Text()
        yield Text("  Hidden tests that are needed, for no public test catches these mutants:")
        for trial in found.only_hidden[:_MOST_NAMED]:
            yield Text(f"    {trial.mutant.id} ({trial.mutant.about}): {_some(trial.failed)}")
        if len(found.only_hidden) > _MOST_NAMED:
            yield Text(f"    and {len(found.only_hidden) - _MOST_NAMED} more")
    for mutant in found.wrongly_marked:
        yield Text(
            f"  {mutant} is marked as equivalent ({escape_controls(reasons[mutant])}), but a test catches it.",
            TERMINAL.failed,
        )
    for mutant in found.stale_marks:
        yield Text(f"  {mutant} is marked as equivalent, but there is no such mutant any more.", TERMINAL.warning)


def _some(names: Sequence[str]) -> str:
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
