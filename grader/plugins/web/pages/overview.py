"""The content of the overview of a class."""

from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from statistics import median, quantiles

from grader.analysis.item_statistics import TestStatistics, wilson_interval
from grader.grading.student_view import hidden_numbers
from grader.model.assignment import Assignment, Part
from grader.model.judgement import Verdict
from grader.model.results import ClassResult, StudentResult
from grader.model.submission import SECTION
from grader.model.test import Test
from grader.plugins.web.pages.attention import WaitingMatter, WaitingStudents, waiting_matters
from grader.plugins.web.pages.charts import (
    ChartBar,
    ChartShare,
    ScatterChart,
    attempts_chart,
    difficulty_chart,
    due_date_chart,
    mark_bars,
    time_bars,
    verdict_shares,
)
from grader.plugins.web.pages.class_pages import StudentLink
from grader.plugins.web.pages.probing_share import probing_share
from grader.reports.lateness import lateness
from grader.reports.probing import ProbedSubmissions
from grader.reports.student_notes import notes_of
from grader.text.words import format_decimal, pluralize

_MAX_SLOW = 3
_MAX_VALUES = 60
_MIN_POINTS = 2


@dataclass(frozen=True)
class SummaryCard:
    """A key figure of the class."""

    label: str
    value: str
    more: str = ""


@dataclass(frozen=True)
class TestRate:
    """The figures of a test in the class; `item` is None if no submission could be judged.

    `number` is the number that students see for a hidden test.
    """

    __test__ = False

    test: Test
    page: str
    item: TestStatistics | None
    number: int | None = None

    @property
    def seconds(self) -> float | None:
        """The median time, or None if the test never ran."""
        return self.item.median_seconds if self.item else None


@dataclass(frozen=True)
class RosterFilter:
    """A roster column by which the table can be filtered, with its values."""

    column: str
    values: Sequence[str]


@dataclass(frozen=True)
class PartMean:
    """A part, the mean of its points in the class, and that mean as a percentage of its marks."""

    part: Part
    mean: str
    percent: float


@dataclass(frozen=True, kw_only=True)
class StudentLine:
    """A row of the table.

    `state` holds the words the table can be filtered by, `verdicts` the verdicts of failed tests, and `roster` the
    roster columns that it can be filtered by. `parts` is empty when there is only one part; `late` is in seconds.
    """

    link: StudentLink
    roster: tuple[str, ...]
    parts: tuple[str, ...]
    passed: int
    tests: int
    percent: float
    raw: str
    late: int | None
    lateness: str
    mark: str
    state: str
    verdicts: str


@dataclass(frozen=True, kw_only=True)
class OverviewPage:
    """The overview page; the lines of the `count` students are made as they are written.

    The bars of `marks` name their members by their place in `marked`.
    """

    count: int
    waiting: Sequence[WaitingMatter]
    tiles: Sequence[SummaryCard]
    marks: Sequence[ChartBar]
    marked: Sequence[StudentLink]
    part_means: Sequence[PartMean]
    rates: Sequence[TestRate]
    verdicts: Sequence[ChartShare]
    times: Sequence[ChartBar]
    slowest: Sequence[TestRate]
    scatters: Sequence[ScatterChart]
    students: Iterator[StudentLine]
    filters: Sequence[RosterFilter]
    notes: Sequence[tuple[StudentLink, Sequence[str]]]
    class_notes: Sequence[str]
    not_graded: Sequence[str]
    python: str


@dataclass(frozen=True)
class _AllResults:
    """The verdicts and times of all tests of the class, how many students passed all, and who needs attention."""

    verdicts: Counter[Verdict]
    seconds: "array[float]"
    perfect: int
    waiting: WaitingStudents

    @classmethod
    def of(cls, graded: ClassResult) -> "_AllResults":
        """Read the results in a single pass, because the results of a large class are not in memory."""
        verdicts: Counter[Verdict] = Counter()
        seconds = array("d")
        perfect = 0
        waiting = WaitingStudents()
        for row in graded.rows:
            results = tuple(row.graded.results)
            verdicts_of_student = [result.verdict for result in results]
            verdicts.update(verdicts_of_student)
            perfect += all(verdict is Verdict.PASSED for verdict in verdicts_of_student)
            seconds.extend(result.outcome.wall_seconds for result in results if result.outcome)
            waiting.add(row, results)
        return cls(verdicts, seconds, perfect, waiting)


def class_overview(
    graded: ClassResult,
    items: Mapping[str, TestStatistics],
    links: Mapping[str, StudentLink],
    test_pages: Mapping[str, str],
    probed: ProbedSubmissions | None = None,
) -> OverviewPage:
    """Gather the overview of `graded`. Statistics and pages of tests are by test id, links to students by name.

    `probed` holds the findings of random sessions.
    """
    marks = [row.mark.adjusted for row in graded.rows if row.mark]
    results = _AllResults.of(graded)
    numbers = hidden_numbers(graded.assignment)
    rates = [
        TestRate(test, test_pages[test.id], items.get(test.id), numbers.get(test.id))
        for test in graded.assignment.tests
    ]
    timed = [rate for rate in rates if rate.seconds is not None]
    filters = roster_filters(graded)
    notes = {row.student: notes_of_student for row in graded.rows if (notes_of_student := notes_of(row, graded))}
    return OverviewPage(
        count=len(graded.rows),
        waiting=waiting_matters(results.waiting, items, links, test_pages),
        tiles=[*_summary_cards(graded, marks, results), *_probing_cards(graded, probed)],
        marks=mark_bars(marks, graded.assignment.highest_mark) if marks else [],
        marked=[links[row.student] for row in graded.rows if row.mark],
        part_means=list(_part_means(graded)),
        rates=rates,
        verdicts=verdict_shares(results.verdicts),
        times=time_bars(results.seconds) if results.seconds else [],
        slowest=sorted(timed, key=lambda rate: -(rate.seconds or 0))[:_MAX_SLOW],
        scatters=list(_scatter_charts(graded, items)),
        students=(
            _line(graded.assignment, row, links[row.student], filters, notes.get(row.student, ()))
            for row in graded.rows
        ),
        filters=filters,
        notes=[(links[student], notes_of_student) for student, notes_of_student in notes.items()],
        class_notes=graded.notes,
        not_graded=graded.not_graded,
        python=str(graded.python or "") if any(test.recipe is None for test in graded.assignment.tests) else "",
    )


def _scatter_charts(graded: ClassResult, items: Mapping[str, TestStatistics]) -> Iterator[ScatterChart]:
    """Return the charts that have content."""
    charts = (difficulty_chart(items.values()), due_date_chart(graded), attempts_chart(graded))
    return (chart for chart in charts if len(chart.points) >= _MIN_POINTS)


def _summary_cards(graded: ClassResult, marks: Sequence[Decimal], results: _AllResults) -> Iterator[SummaryCard]:
    rows = graded.rows
    full = format_decimal(graded.assignment.marks)
    yield SummaryCard("Students", str(len(rows)), f"{len(graded.assignment.tests)} tests each")
    if marks:
        yield SummaryCard("Median mark", _rounded(median(marks)), f"of {full}")
        yield SummaryCard("Mean mark", _rounded(sum(marks, Decimal(0)) / len(marks)), f"of {full}")
        yield from _spread(marks)
    yield SummaryCard("All tests passed", str(results.perfect), "students")
    late = sum(bool(row.mark and row.mark.late) for row in rows)
    yield SummaryCard("Late", str(late), "submissions")
    waiting = sum(row.mark is None and not row.granted.excused for row in rows)
    if waiting:
        yield SummaryCard("No mark yet", str(waiting), "see above")
    if results.seconds:
        yield SummaryCard("Running time", _duration(sum(results.seconds)), "of all tests together")


def _spread(marks: Sequence[Decimal]) -> Iterator[SummaryCard]:
    """Yield the range of the middle half of the marks, and how far they are from the mean."""
    if len(marks) > 1:
        low, _, high = quantiles(marks, n=4, method="inclusive")
        mean = sum(marks, Decimal(0)) / len(marks)
        away = sum((abs(mark - mean) for mark in marks), Decimal(0)) / len(marks)
        words = f"the middle half; from the mean {_rounded(away)} on average"
        yield SummaryCard("Spread", f"{_rounded(low)}–{_rounded(high)}", words)


def _part_means(graded: ClassResult) -> Iterator[PartMean]:
    """Yield the mean of each part over the students with a mark."""
    rows = [row for row in graded.rows if row.mark]
    for part in graded.assignment.parts if rows else ():
        mean = sum((row.part_points(part) for row in rows), Decimal(0)) / len(rows)
        yield PartMean(part, _rounded(mean), float(100 * mean / part.marks) if part.marks else 0.0)


def _probing_cards(graded: ClassResult, probed: ProbedSubmissions | None) -> Iterator[SummaryCard]:
    """Yield how many submissions that pass all tests are wrong, and the conclusion for the others."""
    share = probing_share(graded, probed) if probed else None
    if not share or not share.probed:
        return
    bounds = wilson_interval(share.differing, share.probed)
    words = (
        f"of {share.probed} probed in {pluralize(share.sessions, 'random session')}; "
        f"{bounds.low:.0%} to {bounds.high:.0%} of such programs, at 95 %"
    )
    yield SummaryCard("Pass all tests and are wrong", str(share.differing), words)


def roster_filters(graded: ClassResult) -> list[RosterFilter]:
    """Return the roster columns that divide the class; columns with almost as many values as students do not."""
    filters: list[RosterFilter] = []
    for name in graded.roster_columns:
        values = {row.graded.submission.roster.get(name, "") for row in graded.rows}
        if name == SECTION or 1 < len(values) <= _MAX_VALUES:
            filters.append(RosterFilter(name, sorted(values - {""})))
    return filters


def _line(
    assignment: Assignment, row: StudentResult, link: StudentLink, filters: Sequence[RosterFilter], notes: Sequence[str]
) -> StudentLine:
    results, parts = row.graded.results, assignment.parts
    passed = sum(result.verdict is Verdict.PASSED for result in results)
    return StudentLine(
        link=link,
        roster=tuple(row.graded.submission.roster.get(roster_filter.column, "") for roster_filter in filters),
        parts=tuple(format_decimal(row.part_points(part)) + (" + ?" if row.waits(part) else "") for part in parts)
        if len(parts) > 1
        else (),
        passed=passed,
        tests=len(results),
        percent=100 * passed / len(results) if results else 0.0,
        raw=format_decimal(row.points) + ("" if row.mark else " + ?"),
        late=int(row.mark.late.total_seconds()) if row.mark else None,
        lateness=lateness(row),
        mark="excused" if row.granted.excused else format_decimal(row.mark.adjusted) if row.mark else "?",
        state=" ".join(_states(row, passed, notes)),
        verdicts=" ".join(sorted({result.verdict for result in results} - {Verdict.PASSED})),
    )


def _states(row: StudentResult, passed: int, notes: Sequence[str]) -> Iterator[str]:
    yield "passed" if passed == len(row.graded.results) else "failing"
    if row.mark is None and not row.granted.excused:
        yield "waiting"
    if row.mark and row.mark.late:
        yield "late"
    if notes:
        yield "noted"


def _rounded(value: Decimal) -> str:
    return format_decimal(value.quantize(Decimal("0.01")))


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{seconds:.1f} s"
