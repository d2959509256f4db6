"""Which line of a transcript stands for which expected line, under a comparison policy."""

from collections import defaultdict, deque
from collections.abc import Iterator, Sequence

from grader.judge.line_diff import blocks
from grader.judge.line_match import LineMatch

_MOST_ALIGNED = 600

Pair = tuple[int | None, int | None]
"""The indexes of an expected and an actual line: both when they match or stand in each other's place."""


def in_order(expected: Sequence[str], actual: Sequence[str], match: LineMatch) -> list[Pair]:
    """Pairs of lines in the order of both transcripts; every line is in exactly one pair."""
    same = 0
    while same < min(len(expected), len(actual)) and match.same(expected[same], actual[same]):
        same += 1
    pairs: list[Pair] = [(index, index) for index in range(same)]
    pairs += ((_shift(wanted, same), _shift(found, same)) for wanted, found in _rest(expected, actual, same, match))
    return pairs


def in_any_order(expected: Sequence[str], actual: Sequence[str], match: LineMatch) -> list[Pair]:
    """Pairs in the order of the expected lines; lines without a match are paired in the order they have."""
    left: dict[str, deque[int]] = defaultdict(deque)
    for index, line in enumerate(actual):
        left[match.key(line)].append(index)
    found: dict[int, int] = {}
    for index, line in enumerate(expected):
        waiting = left[match.key(line)]
        if waiting and match.same(line, actual[waiting[0]]):
            found[index] = waiting.popleft()
    others = sorted(index for waiting in left.values() for index in waiting)
    missing = [index for index in range(len(expected)) if index not in found]
    if len(others) <= _MOST_ALIGNED:
        for index in missing:
            fitting = next((other for other in others if match.same(expected[index], actual[other])), None)
            if fitting is not None:
                found[index] = fitting
                others.remove(fitting)
    missing = [index for index in missing if index not in found]
    found.update(zip(missing, others, strict=False))
    surplus = others[len(missing) :]
    return [*((index, found.get(index)) for index in range(len(expected))), *((None, index) for index in surplus)]


def _shift(index: int | None, by: int) -> int | None:
    return None if index is None else index + by


def _rest(expected: Sequence[str], actual: Sequence[str], start: int, match: LineMatch) -> Iterator[Pair]:
    """Pairs of the lines from `start` on, counted from there."""
    keys = [match.key(line) for line in expected[start:]], [match.key(line) for line in actual[start:]]
    if len(keys[0]) == len(keys[1]):
        # Positions say as much as contents.
        yield from _side_by_side(range(len(keys[0])), range(len(keys[1])))
        return
    for block in blocks(*keys):
        yield from _side_by_side(block.expected, block.actual)


def _side_by_side(wanted: range, found: range) -> Iterator[Pair]:
    both = min(len(wanted), len(found))
    yield from zip(wanted[:both], found[:both], strict=True)
    yield from ((index, None) for index in wanted[both:])
    yield from ((None, index) for index in found[both:])
