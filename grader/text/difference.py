"""Finds the first difference between two texts, quickly even if they are long."""

import re
from dataclasses import dataclass

_PIECE = 1 << 16
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


@dataclass(frozen=True)
class FirstDifference:
    """The first line that differs.

    `line` counts from 1. `expected` or `actual` is that line without its newline, or None if that side ended earlier.
    `column` is the first differing character, counted from 1. If only one of the lines has a newline and they are
    otherwise equal, `expected` equals `actual`, and `column` is one past their end.
    """

    line: int
    column: int
    expected: str | None
    actual: str | None


def lines_of(text: str) -> list[str]:
    """Return the lines of a transcript without newlines; text after the last newline is a line unless it is empty."""
    lines = text.split("\n")
    return lines if lines[-1] else lines[:-1]


def find_first_difference(expected: str, actual: str) -> FirstDifference | None:
    """Return the first difference between `expected` and `actual`; None if they are equal."""
    if expected == actual:
        return None
    same = common_prefix(expected, actual)
    start = expected.rfind("\n", 0, same) + 1
    return FirstDifference(
        line=expected.count("\n", 0, same) + 1,
        column=same - start + 1,
        expected=_line_at(expected, start),
        actual=_line_at(actual, start),
    )


def start_of_differing_line(expected: str, actual: str) -> int:
    """Return the offset of the first differing line in both texts, which is at most the length of the shorter text."""
    return expected.rfind("\n", 0, common_prefix(expected, actual)) + 1


def common_prefix(first: str, second: str) -> int:
    """Return the number of leading characters that two texts share.

    Pieces and bisection make this fast on long texts.
    """
    low, shorter = 0, min(len(first), len(second))
    while low < shorter and first[low : low + _PIECE] == second[low : low + _PIECE]:
        low = min(low + _PIECE, shorter)
    high = min(low + _PIECE, shorter)
    while low < high:
        middle = (low + high + 1) // 2
        if first[low:middle] == second[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def common_suffix(first: str, second: str, limit: int) -> int:
    """Return the number of trailing characters that two texts share, up to `limit`."""
    return min(common_prefix(first[::-1], second[::-1]), limit)


def differing_spans(expected: str, actual: str) -> tuple[int, int, int]:
    """Return the range in which two texts differ: the start in both, and the end in each."""
    start = common_prefix(expected, actual)
    suffix = common_suffix(expected, actual, min(len(expected), len(actual)) - start)
    return start, len(expected) - suffix, len(actual) - suffix


def _line_at(text: str, start: int) -> str | None:
    if start >= len(text):
        return None
    end = text.find("\n", start)
    return text[start:] if end < 0 else text[start:end]


def without_numbers(line: str) -> str:
    """Return `line` with identical numbers and without spaces, which may only pad numbers of different lengths."""
    return _NUMBER.sub("0", line).replace(" ", "")
