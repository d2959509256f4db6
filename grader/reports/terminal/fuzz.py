"""What random sessions found, for the terminal."""

from collections import Counter
from collections.abc import Iterator, Sequence

from rich.text import Text

from grader.authoring.fuzz.search import PlanFindings, SharedDifference
from grader.model.interaction import Dialogue, FunctionCall
from grader.reports.terminal.test_result import failure_text
from grader.reports.theme import TERMINAL
from grader.text.escape import escape_controls
from grader.text.words import pluralize

_MOST_STUDENTS = 12


_MOST_FAULTS = 3


def fuzz_lines(findings: Sequence[PlanFindings]) -> Iterator[Text]:
    """The sessions of every plan in words."""
    for found in findings:
        yield Text(escape_controls(f"{found.plan.id}: {found.plan.program.file}"), TERMINAL.heading)
        yield from _played_lines(found)
        for shared in found.differences:
            yield from _difference_lines(shared)


def _played_lines(found: PlanFindings) -> Iterator[Text]:
    style = TERMINAL.warning if found.differences else TERMINAL.passed
    all_of_them = " and no other" if found.complete else ""
    yield Text(
        f"  {pluralize(found.played, 'session')}{all_of_them}, with {pluralize(found.probed, 'submission')} that "
        f"{'passes' if found.probed == 1 else 'pass'} all tests.",
        style,
    )
    if found.left_open:
        yield Text(f"  Not played, because fuzz.yaml leaves them out: {found.left_open}.", TERMINAL.muted)
    faults = Counter(one.fault for one in found.dropped).most_common()
    for fault, count in faults[:_MOST_FAULTS]:
        words = f"  Dropped, because the reference does not handle them: {count} ({fault})."
        yield Text(escape_controls(words), TERMINAL.warning)
    if len(faults) > _MOST_FAULTS:
        others = sum(count for _, count in faults[_MOST_FAULTS:])
        yield Text(f"  Dropped for other reasons: {others}.", TERMINAL.warning)
    if found.unsteady:
        words = "Differences that do not count, because they were gone when all was played again"
        yield Text(f"  {words}: {found.unsteady}.", TERMINAL.warning)


def _difference_lines(shared: SharedDifference) -> Iterator[Text]:
    students, result = shared.students, shared.difference.result
    more = f" and {len(students) - _MOST_STUDENTS} more" if len(students) > _MOST_STUDENTS else ""
    yield Text()
    named = escape_controls(", ".join(students[:_MOST_STUDENTS]))
    yield Text(f"  {named}{more}: not like the reference in this session", TERMINAL.failed)
    match result.test.interaction:
        case FunctionCall():
            what = "call"
        case Dialogue():
            what = "type"
        case _:
            what = "input"
    if result.test.provision.deck is not None:
        yield Text(escape_controls(f"    deck  {result.test.provision.deck}"))
    for text in shared.difference.session.texts:
        yield Text(escape_controls(f"    {what}  {text}"))
    for line in failure_text(result):
        yield Text("    ").append_text(line)


def fuzz_summary(accepted: int, played: int, differing: int) -> Text:
    """What is known now, and no more than that."""
    verb = "differs" if differing == 1 else "differ"
    words = (
        f"{pluralize(accepted, 'accepted submission')} probed with {pluralize(played, 'session')}, {differing} {verb}."
    )
    bound = "" if differing else " What these sessions do not show is not known."
    return Text(words + bound, TERMINAL.failed if differing else TERMINAL.passed)
