"""What the overview of a class shows, and the numbers behind its charts, which the templates draw as SVG."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal
from statistics import median

from grader.analysis.item_statistics import TestStatistics
from grader.analysis.proportion import wilson_interval
from grader.model.judgement import Verdict
from grader.model.results import ClassResult, StudentResult
from grader.model.test import Test
from grader.reports.probing import ProbedSubmissions, probing_share
from grader.reports.terminal.class_report import notes_of
from grader.text.words import format_decimal, lateness_words, pluralize

_MOST_BINS = 14


_WIDTHS = tuple(Decimal(width).scaleb(power) for power in range(-2, 5) for width in ("1", "2", "2.5", "5"))


_SECONDS = (0.03, 0.1, 0.3, 1.0, 3.0, 10.0)


@dataclass(frozen=True)
class ChartBar:
    """A bar: what it stands for in short and in full, its count, and its height, 0 to 100, the highest being 100."""

    label: str
    title: str
    count: int
    height: float


@dataclass(frozen=True)
class ChartShare:
    """A piece of a whole: where it starts and how long it is, both in percent."""

    verdict: Verdict
    count: int
    start: float
    percent: float


def mark_bars(marks: Iterable[Decimal], full: Decimal) -> list[ChartBar]:
    """A histogram of marks from 0 to `full` in at most 14 bars of a round width."""
    width = next((width for width in _WIDTHS if full / width <= _MOST_BINS), full)
    bins = max(math.ceil(full / width), 1)
    counts = Counter(min(int((mark / width).to_integral_value(ROUND_FLOOR)), bins - 1) for mark in marks)
    ends = [(format_decimal(width * number), format_decimal(min(width * (number + 1), full))) for number in range(bins)]
    titles = [f"{low} to {'' if number == bins - 1 else 'below '}{high}" for number, (low, high) in enumerate(ends)]
    # The full mark is in the last one.
    labels = [*(low for low, _ in ends[:-1]), "–".join(ends[-1])]
    return _bars(labels, titles, [counts[number] for number in range(bins)])


def time_bars(seconds: Iterable[float]) -> list[ChartBar]:
    """A histogram of how long tests took; each bar reaches about three times as far as the one before."""
    counts = Counter(
        next((number for number, most in enumerate(_SECONDS) if one < most), len(_SECONDS)) for one in seconds
    )
    labels = [f"<{most:g} s" for most in _SECONDS] + [f"{_SECONDS[-1]:g} s +"]
    titles = [f"below {most:g} s" for most in _SECONDS] + [f"{_SECONDS[-1]:g} s or more"]
    return _bars(labels, titles, [counts[number] for number in range(len(labels))])


def verdict_shares(verdicts: Iterable[Verdict]) -> list[ChartShare]:
    """How often each verdict was given, `passed` first, then the most frequent."""
    counts = Counter(verdicts)
    total = counts.total()
    order = sorted(counts, key=lambda verdict: (verdict is not Verdict.PASSED, -counts[verdict], verdict))
    shares: list[ChartShare] = []
    start = 0
    for verdict in order:
        shares.append(ChartShare(verdict, counts[verdict], 100 * start / total, 100 * counts[verdict] / total))
        start += counts[verdict]
    return shares


def _bars(labels: Sequence[str], titles: Sequence[str], counts: Sequence[int]) -> list[ChartBar]:
    most = max(*counts, 1)
    return [
        ChartBar(label, title, count, 100 * count / most)
        for label, title, count in zip(labels, titles, counts, strict=True)
    ]


_MOST_SLOW = 3


@dataclass(frozen=True)
class SummaryCard:
    """A figure of the class."""

    label: str
    value: str
    more: str = ""


@dataclass(frozen=True)
class TestRate:
    """How a test works in the class; `item` is None when nothing was handed in that could be judged."""

    __test__ = False

    test: Test
    page: str
    item: TestStatistics | None

    @property
    def seconds(self) -> float | None:
        """The median time, None if the test never ran."""
        return self.item.median_seconds if self.item else None


@dataclass(frozen=True, kw_only=True)
class StudentLine:
    """A row of the table.

    `state` holds the words the table can be filtered by, `verdicts` those of failed tests. `parts` is empty when there
    is only one part; `late` is in seconds.
    """

    student: str
    page: str
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
    """The whole page."""

    tiles: Sequence[SummaryCard]
    marks: Sequence[ChartBar]
    rates: Sequence[TestRate]
    verdicts: Sequence[ChartShare]
    times: Sequence[ChartBar]
    slowest: Sequence[TestRate]
    students: Sequence[StudentLine]
    notes: Sequence[tuple[str, str, Sequence[str]]]
    class_notes: Sequence[str]
    not_graded: Sequence[str]
    python: str


def class_overview(
    graded: ClassResult,
    items: Mapping[str, TestStatistics],
    student_pages: Mapping[str, str],
    test_pages: Mapping[str, str],
    probed: ProbedSubmissions | None = None,
) -> OverviewPage:
    """The overview of `graded`; statistics and pages of tests are known by their ids, pages of students by names.

    `probed` is what random sessions found.
    """
    marks = [row.mark.adjusted for row in graded.rows if row.mark]
    results = [result for row in graded.rows for result in row.graded.results]
    seconds = [result.outcome.wall_seconds for result in results if result.outcome]
    rates = [TestRate(test, test_pages[test.id], items.get(test.id)) for test in graded.assignment.tests]
    timed = [rate for rate in rates if rate.seconds is not None]
    noted = [(row.student, student_pages[row.student], notes_of(row, graded)) for row in graded.rows]
    return OverviewPage(
        tiles=[*_tiles(graded, marks, seconds), *_probing(graded, probed)],
        marks=mark_bars(marks, graded.assignment.highest_mark) if marks else [],
        rates=rates,
        verdicts=verdict_shares(result.verdict for result in results),
        times=time_bars(seconds) if seconds else [],
        slowest=sorted(timed, key=lambda rate: -(rate.seconds or 0))[:_MOST_SLOW],
        students=[_line(graded, row, student_pages[row.student]) for row in graded.rows],
        notes=[one for one in noted if one[2]],
        class_notes=graded.notes,
        not_graded=graded.not_graded,
        python=str(graded.python or ""),
    )


def _tiles(graded: ClassResult, marks: Sequence[Decimal], seconds: Sequence[float]) -> Iterator[SummaryCard]:
    rows = graded.rows
    full = format_decimal(graded.assignment.marks)
    yield SummaryCard("Students", str(len(rows)), f"{len(graded.assignment.tests)} tests each")
    if marks:
        yield SummaryCard("Median mark", _rounded(median(marks)), f"of {full}")
        yield SummaryCard("Mean mark", _rounded(sum(marks, Decimal(0)) / len(marks)), f"of {full}")
    perfect = sum(all(result.verdict is Verdict.PASSED for result in row.graded.results) for row in rows)
    yield SummaryCard("All tests passed", str(perfect), "students")
    late = sum(bool(row.mark and row.mark.late) for row in rows)
    yield SummaryCard("Late", str(late), "submissions")
    waiting = sum(row.mark is None and not row.granted.excused for row in rows)
    if waiting:
        yield SummaryCard("No mark yet", str(waiting), "see the notes below")
    if seconds:
        yield SummaryCard("Running time", _duration(sum(seconds)), "of all tests together")


def _probing(graded: ClassResult, probed: ProbedSubmissions | None) -> Iterator[SummaryCard]:
    """How many of the submissions that pass all tests are not right: what is known, and what that says of others."""
    share = probing_share(graded, probed) if probed else None
    if not share or not share.probed:
        return
    bounds = wilson_interval(share.differing, share.probed)
    words = (
        f"of {share.probed} probed in {pluralize(share.sessions, 'random session')}; "
        f"{bounds.low:.0%} to {bounds.high:.0%} of such programs, at 95 %"
    )
    yield SummaryCard("Pass all tests and are wrong", str(share.differing), words)


def _line(graded: ClassResult, row: StudentResult, page: str) -> StudentLine:
    results, parts = row.graded.results, graded.assignment.parts
    passed = sum(result.verdict is Verdict.PASSED for result in results)
    return StudentLine(
        student=row.student,
        page=page,
        parts=tuple(format_decimal(row.part_points(part)) + (" + ?" if row.waits(part) else "") for part in parts)
        if len(parts) > 1
        else (),
        passed=passed,
        tests=len(results),
        percent=100 * passed / len(results) if results else 0.0,
        raw=format_decimal(row.points) + ("" if row.mark else " + ?"),
        late=int(row.mark.late.total_seconds()) if row.mark else None,
        lateness=_lateness(row),
        mark="excused" if row.granted.excused else format_decimal(row.mark.adjusted) if row.mark else "?",
        state=" ".join(_states(graded, row, passed)),
        verdicts=" ".join(sorted({result.verdict for result in results} - {Verdict.PASSED})),
    )


def _lateness(row: StudentResult) -> str:
    if row.mark is None:
        return "?"
    return lateness_words(row.mark.late) if row.graded.submission.submitted else "nothing handed in"


def _states(graded: ClassResult, row: StudentResult, passed: int) -> Iterator[str]:
    yield "passed" if passed == len(row.graded.results) else "failing"
    if row.mark is None and not row.granted.excused:
        yield "waiting"
    if row.mark and row.mark.late:
        yield "late"
    if notes_of(row, graded):
        yield "noted"


def _rounded(value: Decimal) -> str:
    return format_decimal(value.quantize(Decimal("0.01")))


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{seconds:.1f} s"
