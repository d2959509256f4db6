"""A short line diff around the place where two transcripts part.

Only a window of lines is looked at, so the cost does not grow with the number of lines.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

from grader.judge.divergence import Divergence, differing_spans, start_of_differing_line

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
    cut to the surroundings of that part, with `…` at the cuts. `ended` says whether a line end follows.
    """

    side: Side
    number: int
    text: str
    start: int
    end: int
    ended: bool


@dataclass(frozen=True)
class Diff:
    """The lines of the window, and whether the transcripts go on after it."""

    lines: tuple[DiffLine, ...]
    goes_on: bool


@dataclass(frozen=True)
class _Line:
    """A whole line of a transcript; `number` plays no part in comparisons of its content."""

    number: int
    text: str
    ended: bool

    @property
    def content(self) -> tuple[str, bool]:
        return self.text, self.ended


def diff_around(expected: str, actual: str, divergence: Divergence) -> Diff:
    """The lines before the divergence that both share, then what was expected and what came instead.

    `divergence` is what `find_divergence` says of the two transcripts.
    """
    start = start_of_differing_line(expected, actual)
    shared = [_diff_line(Side.BOTH, line) for line in _lines_before(expected, start, divergence.line)]
    expected_lines, expected_goes_on = _lines_after(expected, start, divergence.line)
    actual_lines, actual_goes_on = _lines_after(actual, start, divergence.line)
    return Diff((*shared, *_diff_lines(expected_lines, actual_lines)), expected_goes_on or actual_goes_on)


def _lines_before(text: str, start: int, number: int) -> list[_Line]:
    lines: list[_Line] = []
    while start > 0 and len(lines) < _CONTEXT:
        before = text.rfind("\n", 0, start - 1) + 1
        lines.insert(0, _Line(number - len(lines) - 1, text[before : start - 1], ended=True))
        start = before
    return lines


def _lines_after(text: str, start: int, number: int) -> tuple[list[_Line], bool]:
    lines: list[_Line] = []
    while start < len(text) and len(lines) < _WINDOW:
        end = text.find("\n", start)
        lines.append(_Line(number + len(lines), text[start:] if end < 0 else text[start:end], ended=end >= 0))
        start = len(text) if end < 0 else end + 1
    return lines, start < len(text)


def _diff_lines(expected: list[_Line], actual: list[_Line]) -> Iterator[DiffLine]:
    contents = [line.content for line in expected], [line.content for line in actual]
    for tag, low, high, actual_low, actual_high in SequenceMatcher(None, *contents, autojunk=False).get_opcodes():
        wanted, found = expected[low:high], actual[actual_low:actual_high]
        if tag == "equal":
            yield from (_diff_line(Side.BOTH, line) for line in wanted)
            continue
        for wanted_line, found_line in zip(wanted, found, strict=False):
            yield from _pair(wanted_line, found_line)
        yield from (_diff_line(Side.EXPECTED, line) for line in wanted[len(found) :])
        yield from (_diff_line(Side.ACTUAL, line) for line in found[len(wanted) :])


def _pair(wanted: _Line, found: _Line) -> Iterator[DiffLine]:
    start, wanted_end, found_end = differing_spans(wanted.text, found.text)
    # Both are cut at the same place, so that they can be read one below the other.
    low = max(start - _WIDEST // 2, 0) if max(len(wanted.text), len(found.text)) > _WIDEST else 0
    yield _diff_line(Side.EXPECTED, wanted, start, wanted_end, low)
    yield _diff_line(Side.ACTUAL, found, start, found_end, low)


def _diff_line(side: Side, line: _Line, start: int = 0, end: int = 0, low: int = 0) -> DiffLine:
    high = min(low + _WIDEST, len(line.text))
    before, after = "…" * (low > 0), "…" * (high < len(line.text))
    shift = len(before) - low
    text = before + line.text[low:high] + after
    return DiffLine(side, line.number, text, start + shift, min(end, high) + shift, line.ended)
