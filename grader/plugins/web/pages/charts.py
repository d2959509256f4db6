"""The numbers behind the charts of a class, which templates draw as SVG in percent of the width and height."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import ROUND_FLOOR, Decimal

from grader.analysis.item_statistics import TestStatistics
from grader.model.judgement import Verdict
from grader.model.results import ClassResult, StudentResult
from grader.text.words import format_decimal, lateness_words

_MAX_BINS = 14
_WIDTHS = tuple(Decimal(width).scaleb(power) for power in range(-2, 5) for width in ("1", "2", "2.5", "5"))
_SECONDS = (0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
_HOUR = 3600
_MINUTE = 1 / 60
_SPANS = ((1, "1 h"), (24, "1 d"), (24 * 7, "1 w"), (24 * 28, "4 w"))
"""The hours from the due date that have a mark on the axis."""
_MAX_MARKS = 6
_MAX_TICKS = 10
_DUE = "due"
_LABEL_WIDTH = 9
"""The space for a label on the axis of times, in percent."""


@dataclass(frozen=True, kw_only=True)
class ChartBar:
    """A bar: its short and full label, its count, and its height from 0 to 100; the highest bar has height 100.

    `members` are the places of the counted items, if known.
    """

    label: str
    title: str
    count: int
    height: float
    members: Sequence[int] = ()

    @property
    def row(self) -> tuple[str, str]:
        """Its row in the table behind the chart."""
        return self.title, str(self.count)


@dataclass(frozen=True)
class ChartShare:
    """A segment of a whole: its start and length, both in percent."""

    verdict: Verdict
    count: int
    start: float
    percent: float


def mark_bars(marks: Iterable[Decimal], full: Decimal) -> list[ChartBar]:
    """Return a histogram of marks from 0 to `full` in at most 14 bars of a round width.

    The members of a bar are the places of its marks.
    """
    width = next((width for width in _WIDTHS if full / width <= _MAX_BINS), full)
    bins = max(math.ceil(full / width), 1)
    members: list[list[int]] = [[] for _ in range(bins)]
    for place, mark in enumerate(marks):
        members[min(int((mark / width).to_integral_value(ROUND_FLOOR)), bins - 1)].append(place)
    ends = [(format_decimal(width * number), format_decimal(min(width * (number + 1), full))) for number in range(bins)]
    titles = [f"{low} to {'' if number == bins - 1 else 'below '}{high}" for number, (low, high) in enumerate(ends)]
    # The full mark belongs to the last bar.
    labels = [*(low for low, _ in ends[:-1]), "–".join(ends[-1])]
    bars = _bars(labels, titles, list(map(len, members)))
    return [replace(bar, members=places) for bar, places in zip(bars, members, strict=True)]


def time_bars(seconds: Iterable[float]) -> list[ChartBar]:
    """Return a histogram of how long tests took; each bar reaches about three times as far as the previous bar."""
    counts = Counter(
        next((number for number, most in enumerate(_SECONDS) if duration < most), len(_SECONDS)) for duration in seconds
    )
    labels = [f"<{most:g} s" for most in _SECONDS] + [f"{_SECONDS[-1]:g} s +"]
    titles = [f"below {most:g} s" for most in _SECONDS] + [f"{_SECONDS[-1]:g} s or more"]
    return _bars(labels, titles, [counts[number] for number in range(len(labels))])


def verdict_shares(counts: Counter[Verdict]) -> list[ChartShare]:
    """Return how often each verdict was given, starting with `passed`, then by frequency."""
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
        ChartBar(label=label, title=title, count=count, height=100 * count / most)
        for label, title, count in zip(labels, titles, counts, strict=True)
    ]


@dataclass(frozen=True)
class AxisTick:
    """A mark on an axis: its place, in percent from the left or the bottom, and its label."""

    place: float
    label: str


@dataclass(frozen=True, slots=True)
class ChartPoint:
    """A point, in percent from the left and the bottom; its cells in the table behind the chart describe it."""

    x: float
    y: float
    cells: tuple[str, ...]

    @property
    def title(self) -> str:
        """The cells in one line."""
        return ", ".join(self.cells)


@dataclass(frozen=True, kw_only=True)
class ScatterChart:
    """Points between two axes. `columns` are the columns of its table; `lines` join points by number."""

    id: str
    title: str
    about: str
    x_title: str
    y_title: str
    x_ticks: Sequence[AxisTick]
    y_ticks: Sequence[AxisTick]
    columns: tuple[str, ...]
    points: Sequence[ChartPoint]
    lines: Sequence[tuple[int, int]] = ()


def difficulty_chart(items: Iterable[TestStatistics]) -> ScatterChart:
    """Return a chart of tests by how many pass them and how well they distinguish strong submissions from weak ones."""
    measured = [(item, item.discrimination) for item in items if item.discrimination is not None]
    lowest = -1.0 if any(value < 0 for _, value in measured) else 0.0
    points = [
        ChartPoint(
            100 * item.passed,
            100 * (value - lowest) / (1 - lowest),
            (item.test, f"{item.passed:.0%}".replace("%", " %"), f"{value:.2f}".replace("-", "−")),
        )
        for item, value in measured
    ]
    steps = (-1.0, -0.5, 0.0, 0.5, 1.0) if lowest else (0.0, 0.25, 0.5, 0.75, 1.0)
    return ScatterChart(
        id="difficulty",
        title="Difficulty of the tests",
        about="What is far down tells little of a program.",
        x_title="passed by",
        y_title="like the rest",
        x_ticks=[AxisTick(place, f"{place} %") for place in (0, 25, 50, 75, 100)],
        y_ticks=[AxisTick(100 * (step - lowest) / (1 - lowest), f"{step:g}".replace("-", "−")) for step in steps],
        columns=("test", "passed", "like the rest"),
        points=points,
    )


def due_date_chart(graded: ClassResult) -> ScatterChart:
    """Return a chart of students by time of submission and mark."""
    marked = [
        (row, _hours_late(row, row.graded.submission.submitted), row.mark.adjusted)
        for row in graded.rows
        if row.mark and row.graded.submission.submitted and row.graded.submission.files
    ]
    ends = [0.0, *(hours for _, hours, _ in marked)]
    first, last = _span_around(-min(ends)), _span_around(max(ends))
    low, high = -math.asinh(first), math.asinh(last)

    def place(hours: float) -> float:
        # Far from the due date, days matter; close to it, minutes.
        return 100 * (math.asinh(hours) - low) / (high - low)

    most = graded.assignment.highest_mark
    return ScatterChart(
        id="due-date",
        title="Time to the due date and mark",
        about="Late ones are beyond the due date.",
        x_title="handed in",
        y_title="mark",
        x_ticks=_with_room([AxisTick(place(hours), label) for hours, label in _due_date_ticks(first, last)]),
        y_ticks=_mark_ticks(most),
        columns=("student", "handed in", "mark"),
        points=[
            ChartPoint(place(hours), _percent(mark, most), (row.label, _when(row, hours), format_decimal(mark)))
            for row, hours, mark in marked
        ],
    )


def attempts_chart(graded: ClassResult) -> ScatterChart:
    """Return a chart of the points of each attempt, for students with several graded attempts."""
    points: list[ChartPoint] = []
    lines: list[tuple[int, int]] = []
    several = [row for row in graded.rows if len(row.attempts) > 1]
    last = max((attempt.number for row in several for attempt in row.attempts), default=2)
    most = graded.assignment.marks
    for row in several:
        for place, attempt in enumerate(row.attempts):
            if place:
                lines.append((len(points) - 1, len(points)))
            across = 100 * (attempt.number - 1) / max(last - 1, 1)
            cells = (row.label, str(attempt.number), format_decimal(attempt.points))
            points.append(ChartPoint(across, _percent(attempt.points, most), cells))
    return ScatterChart(
        id="attempts",
        title="Progress over attempts",
        about="A line joins those of a student.",
        x_title="attempt",
        y_title="points",
        x_ticks=[
            AxisTick(100 * (attempt - 1) / max(last - 1, 1), str(attempt))
            for attempt in _evenly_spaced(range(1, last + 1))
        ],
        y_ticks=_mark_ticks(most),
        columns=("student", "attempt", "points"),
        points=points,
        lines=lines,
    )


def _hours_late(row: StudentResult, submitted: datetime) -> float:
    return (submitted - row.due).total_seconds() / _HOUR


def _when(row: StudentResult, hours: float) -> str:
    if hours > 0 and row.mark:
        return lateness_words(row.mark.late)
    if abs(hours) < _MINUTE:
        return "at the due date"
    return f"{-hours / 24:.1f} d before" if hours <= -24 else f"{-hours:.1f} h before"


def _span_around(hours: float) -> float:
    """Return the first mark on the axis, in hours, at or beyond `hours`, or else `hours` itself."""
    return next((float(span) for span, _ in _SPANS if hours <= span), hours)


def _due_date_ticks(first: float, last: float) -> Iterator[tuple[float, str]]:
    yield from ((-float(span), f"−{label}") for span, label in reversed(_SPANS) if span <= first)
    yield 0.0, _DUE
    yield from ((float(span), f"+{label}") for span, label in _SPANS if span <= last)


def _with_room(ticks: Sequence[AxisTick]) -> list[AxisTick]:
    """Return the ticks whose labels fit: of two ticks that are too close, the less important one is dropped.

    The due date is the most important, then the ticks farthest from it.
    """
    [due] = (tick for tick in ticks if tick.label == _DUE)
    chosen = [due]
    for tick in sorted(ticks, key=lambda tick: -abs(tick.place - due.place)):
        if all(abs(tick.place - neighbour.place) >= _LABEL_WIDTH for neighbour in chosen):
            chosen.append(tick)
    return sorted(chosen, key=lambda tick: tick.place)


def _mark_ticks(most: Decimal) -> list[AxisTick]:
    width = next((width for width in _WIDTHS if most / width <= _MAX_MARKS), most)
    steps = range(int(most / width) + 1) if width else range(1)
    return [AxisTick(_percent(width * step, most), format_decimal(width * step)) for step in steps]


def _percent(value: Decimal, most: Decimal) -> float:
    return min(float(100 * value / most), 100.0) if most else 0.0


def _evenly_spaced(numbers: Sequence[int]) -> Sequence[int]:
    """Return at most about ten of the numbers, evenly spaced."""
    return numbers[:: math.ceil(len(numbers) / _MAX_TICKS)]
