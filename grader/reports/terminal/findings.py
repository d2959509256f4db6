"""What analyses and searches found, for the terminal: shared mistakes, tests, similar programs, sessions."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, zip_longest

from rich.console import Console
from rich.table import Table
from rich.text import Text

from grader.analysis.failure_groups import FailureGroup, example_of, groups_of, shared_groups, students_alone
from grader.analysis.item_statistics import TestStatistics, item_statistics
from grader.analysis.similarity import Fingerprints, SharedPassage, SimilarPair
from grader.authoring.fuzz.search import PlanFindings, SharedDifference
from grader.authoring.fuzz.session_plan import SessionPlan
from grader.authoring.fuzz.sessions import RandomSession
from grader.authoring.shortest import ShorterSession
from grader.model.interaction import Dialogue, FunctionCall
from grader.model.results import ClassResult, GradedSubmission
from grader.model.test import Test
from grader.reports.terminal.test_result import failure_text
from grader.reports.theme import TERMINAL
from grader.text.escape import escape_controls
from grader.text.language import told
from grader.text.words import pluralize, some_of

NOT_GUILT = (
    "This shows similarity, not guilt: programs for the same task are alike, more so the shorter they are. "
    "Look at the passages, and talk to people, before you conclude anything."
)

_WIDTH = 58
_MOST_TESTS = 6
_MOST_STUDENTS = 12
_MOST_FAULTS = 3


def similar_lines(pairs: Sequence[SimilarPair], *, show: int) -> Iterator[Text]:
    """Yield a line per pair, and the matching passages of the first `show` side by side."""
    yield Text(NOT_GUILT, TERMINAL.warning)
    for number, pair in enumerate(pairs):
        first, second = pair.first.source, pair.second.source
        yield Text()
        yield (
            Text(f"{pair.first_share:>4.0%} of ", TERMINAL.heading)
            .append(escape_controls(f"{owner_words(pair.first)} {first.file}"))
            .append(f", {pair.second_share:.0%} of ", TERMINAL.heading)
            .append(escape_controls(f"{owner_words(pair.second)} {second.file}"))
        )
        for passage in pair.passages if number < show else ():
            yield from _side_by_side(pair, passage)


def owner_words(program: Fingerprints) -> str:
    """Name the author of a program, and say if it is from an earlier class."""
    return f"{program.source.student} (earlier)" if program.source.earlier else program.source.student


def _side_by_side(pair: SimilarPair, passage: SharedPassage) -> Iterator[Text]:
    yield Text()
    first_lines, second_lines = _numbered(pair.first, passage.first), _numbered(pair.second, passage.second)
    for first_line, second_line in zip_longest(first_lines, second_lines, fillvalue=""):
        yield Text(f"    {first_line:<{_WIDTH}} │ {second_line}", TERMINAL.muted)


def _numbered(program: Fingerprints, lines: tuple[int, int]) -> list[str]:
    first, last = lines
    shown = program.source.code.split("\n")[first - 1 : last]
    return [escape_controls(f"{number:>4} {line.rstrip()}")[:_WIDTH] for number, line in enumerate(shown, first)]


def print_insight(console: Console, graded: ClassResult, *, show: int) -> None:
    """Print the groups of a class, `show` of them with one member's failure in full, then a row per test."""
    submissions = [row.graded for row in graded.rows]
    groups = groups_of(submissions)
    shared = shared_groups(groups)
    by_student = {submission.submission.student: submission for submission in submissions}
    console.print(Text(escape_controls(graded.assignment.title), TERMINAL.heading), soft_wrap=True)
    console.print(f"{len(shared)} mistake{'' if len(shared) == 1 else 's'} that several students share")
    for number, group in enumerate(shared):
        for line in _group_lines(group, by_student, full=number < show):
            console.print(line, soft_wrap=True)
    alone = students_alone(groups)
    if alone:
        console.print()
        console.print(
            Text(f"Failing in a way of their own: {escape_controls(some_of(alone, _MOST_STUDENTS))}"), soft_wrap=True
        )
    console.print()
    console.print(_items_table(item_statistics(submissions)))


def _group_lines(group: FailureGroup, by_student: Mapping[str, GradedSubmission], *, full: bool) -> Iterator[Text]:
    example = example_of(group, by_student)
    yield Text()
    count, tests = len(group.students), len(group.tests)
    yield Text(f"{group.id}  ", TERMINAL.heading).append(
        f"{count} students, {tests} test{'' if tests == 1 else 's'}", TERMINAL.heading
    )
    yield Text(f"  tests     {escape_controls(some_of(group.tests, _MOST_TESTS))}")
    yield Text(f"  students  {escape_controls(some_of(group.students, _MOST_STUDENTS))}")
    if full:
        yield Text(f"  such as   {escape_controls(group.showings[0].students[0])}")
        for line in failure_text(example):
            yield Text("    ").append_text(line)
    elif example.judgement.diagnosis:
        yield Text(f"  such as   {escape_controls(example.judgement.diagnosis.sentence)}")


def _items_table(items: Sequence[TestStatistics]) -> Table:
    table = Table(title="Tests", title_justify="left")
    table.add_column("test", overflow="fold")
    for header in ("passed", "discrimination", "median s", "longest s"):
        table.add_column(header, justify="right", no_wrap=True)
    for item in items:
        table.add_row(
            item.test,
            f"{item.passed:.0%}",
            "-" if item.discrimination is None else f"{item.discrimination:.2f}",
            _seconds(item.median_seconds),
            _seconds(item.longest_seconds),
        )
    return table


def _seconds(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def fuzz_lines(findings: Sequence[PlanFindings]) -> Iterator[Text]:
    """Yield the sessions of every plan in words."""
    for probe in findings:
        yield Text(escape_controls(f"{probe.plan.id}: {probe.plan.program.file}"), TERMINAL.heading)
        yield from _played_lines(probe)
        for shared in probe.differences:
            yield from _difference_lines(probe.plan, shared)


def _played_lines(probe: PlanFindings) -> Iterator[Text]:
    style = TERMINAL.warning if probe.differences else TERMINAL.passed
    all_of_them = " and no other" if probe.complete else ""
    yield Text(
        f"  {pluralize(probe.played, 'session')}{all_of_them}, with {pluralize(probe.probed, 'submission')} that "
        f"{'passes' if probe.probed == 1 else 'pass'} all tests.",
        style,
    )
    if probe.left_open:
        yield Text(f"  Not played, because fuzz.yaml leaves them out: {probe.left_open}.", TERMINAL.muted)
    faults = Counter(session.fault for session in probe.dropped).most_common()
    for fault, count in faults[:_MOST_FAULTS]:
        words = f"  Dropped, because the reference does not handle them: {count} ({fault})."
        yield Text(escape_controls(words), TERMINAL.warning)
    if len(faults) > _MOST_FAULTS:
        others = sum(count for _, count in faults[_MOST_FAULTS:])
        yield Text(f"  Dropped for other reasons: {others}.", TERMINAL.warning)
    if probe.unsteady:
        words = "Differences that do not count, because they were gone when all was played again"
        yield Text(f"  {words}: {probe.unsteady}.", TERMINAL.warning)


def _difference_lines(plan: SessionPlan, shared: SharedDifference) -> Iterator[Text]:
    students, result = shared.students, shared.difference.result
    yield Text()
    named = escape_controls(some_of(students, _MOST_STUDENTS))
    yield Text(f"  {named}: not like the reference in this session", TERMINAL.failed)
    for what, words in _session_words(plan, shared.difference.session, result.test):
        yield Text(escape_controls(f"    {what}  {words}"))
    for line in failure_text(result):
        yield Text("    ").append_text(line)


def _session_words(plan: SessionPlan, session: RandomSession, test: Test) -> Iterator[tuple[str, str]]:
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


def shorter_lines(shorter: ShorterSession) -> Iterator[Text]:
    """Yield a session of fewer lines than a test, in which a program fails as it does there."""
    yield Text()
    words = told(
        "{test}, of {all} lines, fails in the same way with {lines}",
        test=shorter.test.id,
        lines=len(shorter.lines),
        all=len(shorter.all_lines),
    )
    yield Text(escape_controls(words), TERMINAL.heading)
    for line in shorter.lines:
        shown = line if line and line == line.strip() else repr(line)
        yield Text(escape_controls(told("  type  {line}", line=shown)))
    yield from islice(failure_text(shorter.result), 2, None)


def fuzz_summary(accepted: int, played: int, differing: int) -> Text:
    """Sum up the findings, claiming no more than is known."""
    verb = "differs" if differing == 1 else "differ"
    words = (
        f"{pluralize(accepted, 'accepted submission')} probed with {pluralize(played, 'session')}, {differing} {verb}."
    )
    bound = "" if differing else " What these sessions do not show is not known."
    return Text(words + bound, TERMINAL.failed if differing else TERMINAL.passed)
