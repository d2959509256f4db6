"""Finds where two transcripts part."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Divergence:
    """The first line that differs.

    `line` counts from 1. `expected` or `actual` is None when that side has ended. `column` counts characters from 1:
    the first one that differs.
    """

    line: int
    column: int
    expected: str | None
    actual: str | None


def lines_of(text: str) -> list[str]:
    """The lines of a transcript, without line ends; what follows the last line end is a line when not empty."""
    lines = text.split("\n")
    return lines if lines[-1] else lines[:-1]


def find_divergence(expected: str, actual: str) -> Divergence | None:
    """Where `actual` first differs from `expected`; None when they are equal."""
    if expected == actual:
        return None
    same = common_prefix(expected, actual)
    start = expected.rfind("\n", 0, same) + 1
    return Divergence(
        line=expected.count("\n", 0, same) + 1,
        column=same - start + 1,
        expected=_line_at(expected, start),
        actual=_line_at(actual, start),
    )


def common_prefix(first: str, second: str) -> int:
    """The number of leading characters that two texts share, by bisection: fast on long texts."""
    low, high = 0, min(len(first), len(second))
    while low < high:
        middle = (low + high + 1) // 2
        if first[low:middle] == second[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def common_suffix(first: str, second: str, limit: int) -> int:
    """The number of trailing characters, at most `limit`, that two texts share."""
    low, high = 0, limit
    while low < high:
        middle = (low + high + 1) // 2
        if first[len(first) - middle : len(first) - low] == second[len(second) - middle : len(second) - low]:
            low = middle
        else:
            high = middle - 1
    return low


def _line_at(text: str, start: int) -> str | None:
    if start >= len(text):
        return None
    end = text.find("\n", start)
    return text[start:] if end < 0 else text[start:end]
