"""Computes the line diff of two texts in bounded time and memory for any input.

Up to a certain size, it finds the longest common subsequence, storing each row of the table in one long integer (Hyyrö
2004). Larger texts are first split at lines that occur equally often in both, as in patience diff. A part that cannot
be split becomes a single difference.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

_MAX_CELLS = 100_000_000
"""The maximum number of cells in all tables of a diff, with one bit per cell."""


_MAX_ANCHORS = 500_000
_DEEPEST = 8


@dataclass(frozen=True)
class LineBlock:
    """Lines of both texts that are either equal in pairs or replace each other; one side may be empty."""

    is_equal: bool
    expected: range
    actual: range


@dataclass(frozen=True, kw_only=True)
class _Region:
    """Lines `low` to `high` of the expected text and a range of the actual text; `depth` counts the cuts so far."""

    low: int
    high: int
    actual_low: int
    actual_high: int
    depth: int

    @property
    def cells(self) -> int:
        return (self.high - self.low) * (self.actual_high - self.actual_low)


def blocks(expected: Sequence[Hashable], actual: Sequence[Hashable]) -> Iterator[LineBlock]:
    """Yield the blocks of two texts in order, alternately equal and different; every line is in exactly one block."""
    low = actual_low = 0
    for same in _runs(_equal_lines(expected, actual)):
        if low < same.expected.start or actual_low < same.actual.start:
            yield LineBlock(
                is_equal=False, expected=range(low, same.expected.start), actual=range(actual_low, same.actual.start)
            )
        yield same
        low, actual_low = same.expected.stop, same.actual.stop
    if low < len(expected) or actual_low < len(actual):
        yield LineBlock(is_equal=False, expected=range(low, len(expected)), actual=range(actual_low, len(actual)))


def _runs(same: Iterator[tuple[int, int, int]]) -> Iterator[LineBlock]:
    """Merge adjacent runs, each given as the start, the actual start and the length of a run of equal lines."""
    start = actual_start = length = 0
    for low, actual_low, lines in same:
        if length and low == start + length and actual_low == actual_start + length:
            length += lines
            continue
        if length:
            yield _equal(start, actual_start, length)
        start, actual_start, length = low, actual_low, lines
    if length:
        yield _equal(start, actual_start, length)


def _equal(start: int, actual_start: int, length: int) -> LineBlock:
    return LineBlock(
        is_equal=True, expected=range(start, start + length), actual=range(actual_start, actual_start + length)
    )


def _equal_lines(expected: Sequence[Hashable], actual: Sequence[Hashable]) -> Iterator[tuple[int, int, int]]:
    """Yield the runs of equal lines in the order of both texts: start, actual start and length."""
    cells = _MAX_CELLS
    waiting: list[_Region | tuple[int, int, int]] = [
        _Region(low=0, high=len(expected), actual_low=0, actual_high=len(actual), depth=0)
    ]
    while waiting:
        item = waiting.pop()
        if isinstance(item, tuple):
            yield item
            continue
        prefix, region, suffix = _trimmed(item, expected, actual)
        yield prefix
        waiting.append(suffix)
        if 0 < region.cells <= cells:
            cells -= region.cells
            yield from _common_lines(region, expected, actual)
        elif region.cells and region.depth < _DEEPEST:
            waiting += reversed(_cut(region, _anchors(region, expected, actual)))


def _trimmed(
    region: _Region, expected: Sequence[Hashable], actual: Sequence[Hashable]
) -> tuple[tuple[int, int, int], _Region, tuple[int, int, int]]:
    """Split a region into the equal lines at its start, the rest, and the equal lines at its end."""
    low, actual_low, high, actual_high = region.low, region.actual_low, region.high, region.actual_high
    while low < high and actual_low < actual_high and expected[low] == actual[actual_low]:
        low, actual_low = low + 1, actual_low + 1
    while low < high and actual_low < actual_high and expected[high - 1] == actual[actual_high - 1]:
        high, actual_high = high - 1, actual_high - 1
    inner = _Region(low=low, high=high, actual_low=actual_low, actual_high=actual_high, depth=region.depth)
    return (region.low, region.actual_low, low - region.low), inner, (high, actual_high, region.high - high)


def _cut(region: _Region, anchors: Sequence[tuple[int, int]]) -> list[_Region | tuple[int, int, int]]:
    """Split a region at the anchors; return an empty list without anchors."""
    parts: list[_Region | tuple[int, int, int]] = []
    low, actual_low = region.low, region.actual_low
    for run in _runs((line, actual_line, 1) for line, actual_line in anchors):
        if low < run.expected.start or actual_low < run.actual.start:
            parts.append(
                _Region(
                    low=low,
                    high=run.expected.start,
                    actual_low=actual_low,
                    actual_high=run.actual.start,
                    depth=region.depth + 1,
                )
            )
        parts.append((run.expected.start, run.actual.start, len(run.expected)))
        low, actual_low = run.expected.stop, run.actual.stop
    if anchors:
        parts.append(
            _Region(
                low=low, high=region.high, actual_low=actual_low, actual_high=region.actual_high, depth=region.depth + 1
            )
        )
    return parts


def _anchors(region: _Region, expected: Sequence[Hashable], actual: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Return the longest chain of lines that occur equally often on both sides, paired with their counterparts."""
    if max(region.high - region.low, region.actual_high - region.actual_low) > _MAX_ANCHORS:
        return []
    counts = Counter(expected[region.low : region.high])
    actual_counts = Counter(actual[region.actual_low : region.actual_high])
    places: dict[Hashable, list[int]] = {line: [] for line, count in counts.items() if actual_counts[line] == count}
    for index in range(region.actual_high - 1, region.actual_low - 1, -1):
        if actual[index] in places:
            places[actual[index]].append(index)
    shared = (index for index in range(region.low, region.high) if expected[index] in places)
    return _longest_rising([(index, places[expected[index]].pop()) for index in shared])


def _longest_rising(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest chain of `pairs` with increasing second members (patience sorting)."""
    tops: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for number, (_, value) in enumerate(pairs):
        pile = bisect_left(tops, value)
        before.append(ends[pile - 1] if pile else -1)
        tops[pile : pile + 1] = [value]
        ends[pile : pile + 1] = [number]
    chain = []
    number = ends[-1] if ends else -1
    while number >= 0:
        chain.append(pairs[number])
        number = before[number]
    return chain[::-1]


def _common_lines(
    region: _Region, expected: Sequence[Hashable], actual: Sequence[Hashable]
) -> Iterator[tuple[int, int, int]]:
    """Yield the longest common subsequence of a region."""
    width = region.actual_high - region.actual_low
    full = (1 << width) - 1
    places = _places(region, expected, actual)
    row = full
    rows = [_bits(row, width)]
    for index in range(region.low, region.high):
        step = row & places[expected[index]]
        row = ((row + step) | (row - step)) & full
        rows.append(_bits(row, width))
    matches = []
    line, column = region.high - region.low, width
    while line and column:
        # A zero bit means that the common subsequence up to this column is one line longer than up to the previous
        # column.
        if _is_set(rows[line], column - 1):
            column -= 1
            continue
        line -= 1
        if _is_set(rows[line], column - 1):
            column -= 1
            matches.append((region.low + line, region.actual_low + column, 1))
    yield from reversed(matches)


def _places(region: _Region, expected: Sequence[Hashable], actual: Sequence[Hashable]) -> dict[Hashable, int]:
    """Map each expected line of a region to bits that mark its positions in the actual text."""
    width = region.actual_high - region.actual_low
    # Setting a bit copies the whole integer, so bytes are filled first.
    bits = {line: bytearray(width // 8 + 1) for line in dict.fromkeys(expected[region.low : region.high])}
    for column in range(width):
        bit_row = bits.get(actual[region.actual_low + column])
        if bit_row is not None:
            bit_row[column >> 3] |= 1 << (column & 7)
    return {line: int.from_bytes(bit_row, "little") for line, bit_row in bits.items()}


def _bits(row: int, width: int) -> bytes:
    return row.to_bytes(width // 8 + 1, "little")


def _is_set(bits: bytes, column: int) -> bool:
    return bool(bits[column >> 3] >> (column & 7) & 1)
