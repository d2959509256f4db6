"""Findings of random sessions for the terminal."""

from collections import Counter
from collections.abc import Iterator, Sequence

from rich.text import Text

from grader.model.interaction import Dialogue, FunctionCall
from grader.model.test import Test
from grader.plugins.searching.fuzzing.playing.sessions import RandomSession
from grader.plugins.searching.fuzzing.search import PlanFindings, SharedDifference
from grader.plugins.searching.fuzzing.session_plan import FuzzPlan
from grader.reports.terminal.test_result import failure_text
from grader.reports.theme import TerminalStyle
from grader.text.escape import escape_controls
from grader.text.words import pluralize, some_of

_MAX_STUDENTS = 12
_MAX_FAULTS = 3


def fuzz_lines(findings: Sequence[PlanFindings]) -> Iterator[Text]:
    """Yield the sessions of every plan in words."""
    for probe in findings:
        yield Text(escape_controls(f"{probe.plan.id}: {probe.plan.program.file}"), TerminalStyle.HEADING)
        yield from _played_lines(probe)
        for shared in probe.differences:
            yield from _difference_lines(probe.plan, shared)


def _played_lines(probe: PlanFindings) -> Iterator[Text]:
    style = TerminalStyle.WARNING if probe.differences else TerminalStyle.PASSED
    all_of_them = " and no other" if probe.complete else ""
    yield Text(
        f"  {pluralize(probe.played, 'session')}{all_of_them}, with {pluralize(probe.probed, 'submission')} that "
        f"{'passes' if probe.probed == 1 else 'pass'} all tests.",
        style,
    )
    if probe.left_open:
        yield Text(f"  Not played, because fuzz.yaml leaves them out: {probe.left_open}.", TerminalStyle.MUTED)
    faults = Counter(session.fault for session in probe.dropped).most_common()
    for fault, count in faults[:_MAX_FAULTS]:
        words = f"  Dropped, because the reference does not handle them: {count} ({fault})."
        yield Text(escape_controls(words), TerminalStyle.WARNING)
    if len(faults) > _MAX_FAULTS:
        others = sum(count for _, count in faults[_MAX_FAULTS:])
        yield Text(f"  Dropped for other reasons: {others}.", TerminalStyle.WARNING)
    if probe.unsteady:
        words = "Differences that do not count, because they were gone when all was played again"
        yield Text(f"  {words}: {probe.unsteady}.", TerminalStyle.WARNING)


def _difference_lines(plan: FuzzPlan, shared: SharedDifference) -> Iterator[Text]:
    students, result = shared.students, shared.difference.result
    yield Text()
    named = escape_controls(some_of(students, _MAX_STUDENTS))
    yield Text(f"  {named}: not like the reference in this session", TerminalStyle.FAILED)
    for what, words in _session_words(plan, shared.difference.session, result.test):
        yield Text(escape_controls(f"    {what}  {words}"))
    for line in failure_text(result):
        yield Text("    ").append_text(line)


def _session_words(plan: FuzzPlan, session: RandomSession, test: Test) -> Iterator[tuple[str, str]]:
    """Yield the steps of a session, and everything else that it depends on."""
    if len(plan.templates) > 1:
        yield "like", plan.templates[session.like].test.id
    if test.provision.deck is not None:
        yield "deck", test.provision.deck
    if session.random_seed is not None:
        yield "random seed", str(session.random_seed)
    match test.interaction:
        case FunctionCall():
            what = "call"
        case Dialogue():
            what = "type"
        case _:
            what = "input" if plan.generator is None else plan.generator.name
    for text in session.texts:
        yield what, text if text and text == text.strip() else repr(text)


def fuzz_summary(accepted: int, played: int, differing: int) -> Text:
    """Return a summary of the findings that claims no more than is known."""
    verb = "differs" if differing == 1 else "differ"
    words = (
        f"{pluralize(accepted, 'accepted submission')} probed with {pluralize(played, 'session')}, {differing} {verb}."
    )
    bound = "" if differing else " What these sessions do not show is not known."
    return Text(words + bound, TerminalStyle.FAILED if differing else TerminalStyle.PASSED)
