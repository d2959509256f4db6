"""A short line diff around the place where two transcripts part.

Only a window of lines is looked at, so the cost does not grow with the length of the transcripts.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

from grader.judge.divergence import Divergence, common_prefix, common_suffix

_CONTEXT = 3
_WINDOW = 12
_WIDEST = 160


class Side(StrEnum):
    """Where a line of a diff stands."""

    BOTH = "both"
    EXPECTED = "expected"
    ACTUAL = "actual"


@dataclass(frozen=True)
class DiffLine:
    """One line of a diff.

    `number` counts from 1 in the transcript of `side` (the expected one for BOTH). `start` and `end` bound the part
    of `text` that differs from the line it is paired with; they are equal when there is none. A very long line is
    cut to the surroundings of that part, with `…` at the cuts.
    """

    side: Side
    number: int
    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Diff:
    """The lines of the window, and whether the transcripts go on after it."""

    lines: tuple[DiffLine, ...]
    goes_on: bool


def diff_around(expected: str, actual: str, divergence: Divergence) -> Diff:
    """The lines before the divergence that both share, then what was expected and what came instead."""
    first = max(divergence.line - _CONTEXT, 1)
    expected_lines, expected_goes_on = _window(expected, first, divergence.line + _WINDOW)
    actual_lines, actual_goes_on = _window(actual, first, divergence.line + _WINDOW)
    lines = tuple(_diff_lines(expected_lines, actual_lines, first))
    return Diff(lines, expected_goes_on or actual_goes_on)


def _window(text: str, first: int, last: int) -> tuple[list[str], bool]:
    start = 0
    for _ in range(first - 1):
        start = text.index("\n", start) + 1
    lines = text[start:].split("\n", last - first)
    goes_on = "\n" in lines[-1]
    lines[-1] = lines[-1].split("\n", 1)[0]
    if not goes_on and not lines[-1]:
        lines.pop()
    return lines, goes_on


def _diff_lines(expected: list[str], actual: list[str], first: int) -> Iterator[DiffLine]:
    matcher = SequenceMatcher(None, expected, actual, autojunk=False)
    for tag, low, high, actual_low, actual_high in matcher.get_opcodes():
        if tag == "equal":
            for index in range(low, high):
                yield _line(Side.BOTH, first + index, expected[index], 0, 0)
            continue
        pairs = min(high - low, actual_high - actual_low)
        for offset in range(pairs):
            yield from _pair(first, low + offset, expected, actual_low + offset, actual)
        for index in range(low + pairs, high):
            yield _line(Side.EXPECTED, first + index, expected[index], 0, 0)
        for index in range(actual_low + pairs, actual_high):
            yield _line(Side.ACTUAL, first + index, actual[index], 0, 0)


def _pair(first: int, index: int, expected: list[str], actual_index: int, actual: list[str]) -> Iterator[DiffLine]:
    wanted, found = expected[index], actual[actual_index]
    start = common_prefix(wanted, found)
    end = common_suffix(wanted, found, min(len(wanted), len(found)) - start)
    yield _line(Side.EXPECTED, first + index, wanted, start, len(wanted) - end)
    yield _line(Side.ACTUAL, first + actual_index, found, start, len(found) - end)


def _line(side: Side, number: int, text: str, start: int, end: int) -> DiffLine:
    if len(text) <= _WIDEST:
        return DiffLine(side, number, text, start, end)
    low = max(min(start - _WIDEST // 2, len(text) - _WIDEST), 0)
    high = min(low + _WIDEST, len(text))
    before, after = "…" * (low > 0), "…" * (high < len(text))
    shift = len(before) - low
    return DiffLine(side, number, before + text[low:high] + after, start + shift, min(end, high) + shift)
