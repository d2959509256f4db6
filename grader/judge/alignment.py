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
    pairs, wanted, found = _while_right(expected, actual, match)
    rest = _rest(expected[wanted:], actual[found:], match)
    pairs += ((_shift(index, wanted), _shift(other, found)) for index, other in rest)
    return pairs


def _while_right(expected: Sequence[str], actual: Sequence[str], match: LineMatch) -> tuple[list[Pair], int, int]:
    """Pairs up to the first wrong line, missing open texts aside, and how many expected and actual lines they take."""
    pairs: list[Pair] = []
    wanted = found = 0
    while wanted < len(expected) and found < len(actual):
        if match.is_open(expected[wanted]):
            end, other_end = _ends_of_open_text(expected, actual, wanted, found, match)
        elif match.same(expected[wanted], actual[found]):
            end, other_end = wanted + 1, found + 1
        else:
            break
        pairs += _side_by_side(range(wanted, end), range(found, other_end))
        wanted, found = end, other_end
    return pairs, wanted, found


def _ends_of_open_text(
    expected: Sequence[str], actual: Sequence[str], wanted: int, found: int, match: LineMatch
) -> tuple[int, int]:
    """Where the open lines from `wanted` on end, and the text in their place.

    In place of one line there may be one, in place of several all lines before the one that must follow them. If that
    one never comes, they are taken one by one.
    """
    end = wanted
    while end < len(expected) and match.is_open(expected[end]):
        end += 1
    after = expected[end] if end < len(expected) else None
    most = found + 1 if end == wanted + 1 else len(actual)
    other_end = found
    while other_end < most and actual[other_end].strip():
        if after is not None and match.same(after, actual[other_end]):
            return end, other_end
        other_end += 1
    if after is None or (other_end < len(actual) and match.same(after, actual[other_end])):
        return end, other_end
    return end, min(other_end, found + end - wanted)


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


def _rest(expected: Sequence[str], actual: Sequence[str], match: LineMatch) -> Iterator[Pair]:
    keys = [match.key(line) for line in expected], [match.key(line) for line in actual]
    if len(expected) == len(actual):
        # Positions say as much as contents.
        yield from _side_by_side(range(len(expected)), range(len(actual)))
        return
    for block in blocks(*keys):
        yield from _side_by_side(block.expected, block.actual)


def _side_by_side(wanted: range, found: range) -> Iterator[Pair]:
    both = min(len(wanted), len(found))
    yield from zip(wanted[:both], found[:both], strict=True)
    yield from ((index, None) for index in wanted[both:])
    yield from ((None, index) for index in found[both:])
