"""The numbers behind the charts; the templates draw them as SVG."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal

from grader.judge.verdict import Verdict
from grader.marks.exact import exact

_MOST_BINS = 14
_WIDTHS = tuple(Decimal(width).scaleb(power) for power in range(-2, 5) for width in ("1", "2", "2.5", "5"))
_SECONDS = (0.03, 0.1, 0.3, 1.0, 3.0, 10.0)


@dataclass(frozen=True)
class Bar:
    """A bar: what it stands for in short and in full, its count, and its height, 0 to 100, the highest being 100."""

    label: str
    title: str
    count: int
    height: float


@dataclass(frozen=True)
class Share:
    """A piece of a whole: where it starts and how long it is, both in percent."""

    verdict: Verdict
    count: int
    start: float
    percent: float


def mark_bars(marks: Iterable[Decimal], full: Decimal) -> list[Bar]:
    """A histogram of marks from 0 to `full` in at most 14 bars of a round width."""
    width = next((width for width in _WIDTHS if full / width <= _MOST_BINS), full)
    bins = max(math.ceil(full / width), 1)
    counts = Counter(min(int((mark / width).to_integral_value(ROUND_FLOOR)), bins - 1) for mark in marks)
    ends = [(exact(width * number), exact(min(width * (number + 1), full))) for number in range(bins)]
    titles = [f"{low} to {'' if number == bins - 1 else 'below '}{high}" for number, (low, high) in enumerate(ends)]
    # Whoever has the full mark is in the last one.
    labels = [*(low for low, _ in ends[:-1]), "–".join(ends[-1])]
    return _bars(labels, titles, [counts[number] for number in range(bins)])


def time_bars(seconds: Iterable[float]) -> list[Bar]:
    """A histogram of how long tests took; each bar reaches about three times as far as the one before."""
    counts = Counter(
        next((number for number, most in enumerate(_SECONDS) if one < most), len(_SECONDS)) for one in seconds
    )
    labels = [f"<{most:g} s" for most in _SECONDS] + [f"{_SECONDS[-1]:g} s +"]
    titles = [f"below {most:g} s" for most in _SECONDS] + [f"{_SECONDS[-1]:g} s or more"]
    return _bars(labels, titles, [counts[number] for number in range(len(labels))])


def verdict_shares(verdicts: Iterable[Verdict]) -> list[Share]:
    """How often each verdict was given, `passed` first, then the most frequent."""
    counts = Counter(verdicts)
    total = counts.total()
    order = sorted(counts, key=lambda verdict: (verdict is not Verdict.PASSED, -counts[verdict], verdict))
    shares: list[Share] = []
    start = 0
    for verdict in order:
        shares.append(Share(verdict, counts[verdict], 100 * start / total, 100 * counts[verdict] / total))
        start += counts[verdict]
    return shares


def _bars(labels: Sequence[str], titles: Sequence[str], counts: Sequence[int]) -> list[Bar]:
    most = max(*counts, 1)
    return [
        Bar(label, title, count, 100 * count / most) for label, title, count in zip(labels, titles, counts, strict=True)
    ]
