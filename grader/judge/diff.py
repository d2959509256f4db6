"""Line diffs of two transcripts: a short diff around the first difference, or a complete diff.

The short diff only examines a window of lines, so its cost does not grow with the length of the transcripts.
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import accumulate, chain, islice, pairwise, zip_longest

from grader.judge.line_diff import LineBlock, blocks
from grader.model.outcome import TypedLine
from grader.text.difference import FirstDifference, common_suffix, differing_spans, start_of_differing_line

_CONTEXT = 3
_FEW = 2
_DIALOGUE = 4
_WINDOW = 12
# More lines are aligned than shown. Otherwise, correct lines would look extra if their counterpart is just outside the
# window.
_ALIGNED = 5 * _WINDOW
_WIDEST = 160
_MAX_LINES = 20_000


class DiffSide(StrEnum):
    """The side of a diff that a line belongs to."""

    BOTH = "both"
    EXPECTED = "expected"
    ACTUAL = "actual"


@dataclass(frozen=True, kw_only=True)
class DiffLine:
    """A line of a diff.

    `number` counts from 1 in the transcript of `side` (the expected transcript for BOTH). `start` and `end` enclose the
    part of `text` that differs from the paired line, and are equal if no part differs. A very long line is cut down to
    the text around that part, with `…` at the cuts. `ended` is true if a newline follows. `typed` is the index in
    `text` where the typed input begins, or None without input or if its position is unknown.
    """

    side: DiffSide
    number: int
    text: str
    start: int
    end: int
    ended: bool
    typed: int | None = None


@dataclass(frozen=True)
class TranscriptDiff:
    """The lines in the window, and whether the transcripts continue after it.

    A gap in the expected transcript's line numbers means that equal lines were omitted.
    """

    lines: tuple[DiffLine, ...]
    goes_on: bool


_Raw = str | tuple[str]
"""A line to compare. A line without a newline is wrapped in a tuple, so that it never equals one with a newline."""


@dataclass(frozen=True)
class _Line:
    """A complete line of a transcript; see DiffLine for `typed`."""

    number: int
    text: str
    ended: bool
    typed: int | None = None


class _Dialogue:
    """The input typed in a transcript, by offset."""

    def __init__(self, text: str, typed: Sequence[TypedLine]) -> None:
        self._text = text
        self._typed = typed
        self._offsets = [line.offset for line in typed]

    def in_line(self, start: int, end: int) -> int | None:
        """Return the index in the line from `start` to `end` of the first visible typed text, or None."""
        place = bisect_left(self._offsets, start)
        if place == len(self._typed) or self._offsets[place] > end:
            return None
        line = self._typed[place]
        return line.offset - start if self._text.startswith(line.text, line.offset) else None

    def lines_since(self, offset: int) -> int:
        """Count the lines from the last line with input to `offset`; return 0 if nothing was typed."""
        place = bisect_left(self._offsets, offset)
        return self._text.count("\n", self._offsets[place - 1], offset) if place else 0

    def before(self, offset: int, count: int) -> list[int]:
        """Return the offsets of the last `count` inputs before `offset`."""
        place = bisect_left(self._offsets, offset)
        return self._offsets[max(place - count, 0) : place]


def diff_around(
    expected: str, actual: str, divergence: FirstDifference, typed: Sequence[TypedLine] = ()
) -> TranscriptDiff:
    """Return the lines just before a difference, followed by the expected and actual lines.

    `divergence` is the first difference, or a more informative later one. If `typed` contains the input of the actual
    transcript, the last lines with input before the difference are included.
    """
    first = start_of_differing_line(expected, actual)
    further = divergence.line - 1 - expected.count("\n", 0, first)
    start, actual_start = (_after(text, first, further) for text in (expected, actual))
    dialogue = _Dialogue(actual, typed)
    end, actual_end = _after(expected, start, _ALIGNED), _after(actual, actual_start, _ALIGNED)
    expected_lines, actual_lines = _split(expected, start, end), _split(actual, actual_start, actual_end)
    shown = list(_first_blocks(blocks(expected_lines, actual_lines)))
    before = _lines_before((expected, start), (actual, actual_start), divergence.line, dialogue)
    lines = (
        *before,
        *_diff_lines(
            expected_lines, actual_lines, shown, start=actual_start, number=divergence.line, dialogue=dialogue
        ),
    )
    rest = sum(len(block.expected) + len(block.actual) for block in shown) < len(expected_lines) + len(actual_lines)
    return TranscriptDiff(lines, rest or end < len(expected) or actual_end < len(actual))


def whole_diff(expected: str, actual: str, typed: Sequence[TypedLine] = ()) -> TranscriptDiff:
    """Return all differing lines with some equal lines around them, up to a few thousand lines."""
    lines = _all_lines(expected, actual, typed)
    shown = tuple(islice(lines, _MAX_LINES))
    return TranscriptDiff(shown, next(lines, None) is not None)


def _all_lines(expected: str, actual: str, typed: Sequence[TypedLine]) -> Iterator[DiffLine]:
    start = start_of_differing_line(expected, actual)
    number = expected.count("\n", 0, start) + 1
    dialogue = _Dialogue(actual, typed)
    equal_end = _equal_end(expected, actual, start)
    end, actual_end = (_after(text, len(text) - equal_end, _CONTEXT) for text in (expected, actual))
    expected_lines, actual_lines = _split(expected, start, end), _split(actual, start, actual_end)
    yield from _lines_before((expected, start), (actual, start), number, dialogue)
    yield from _diff_lines(
        expected_lines,
        actual_lines,
        blocks(expected_lines, actual_lines),
        start=start,
        number=number,
        dialogue=dialogue,
    )
    if end < len(expected):
        body = expected.removesuffix("\n")
        last = body.rfind("\n") + 1
        yield _shared(_Line(expected.count("\n", 0, last) + 1, body[last:], body != expected))


def _equal_end(expected: str, actual: str, start: int) -> int:
    """Count the characters in the equal lines at the end that start after `start`."""
    suffix = common_suffix(expected, actual, min(len(expected), len(actual)) - start)
    line = expected.find("\n", len(expected) - suffix)
    return len(expected) - line - 1 if line >= 0 else 0


def _after(text: str, start: int, lines: int) -> int:
    """Return the offset of the line `lines` lines after `start`."""
    for _ in range(lines):
        end = text.find("\n", start)
        if end < 0:
            return len(text)
        start = end + 1
    return start


def _split(text: str, start: int, end: int) -> list[_Raw]:
    """Split a part of a string into lines."""
    lines: list[_Raw] = [*text[start:end].split("\n")]
    last = lines.pop()
    if last:
        lines.append((str(last),))
    return lines


def _lines_before(
    expected: tuple[str, int], actual: tuple[str, int], number: int, dialogue: _Dialogue
) -> Iterator[DiffLine]:
    """Yield the lines just before line `number`, back to the last input if it is close, then earlier lines with input.

    The offset paired with each text is the start of that line.
    """
    text, end = actual
    start, starts = end, list[int]()
    since_input = dialogue.lines_since(start)
    is_long = _CONTEXT < since_input <= _WINDOW
    while start > 0 and len(starts) < (since_input if is_long else _CONTEXT):
        start = text.rfind("\n", 0, start - 1) + 1
        starts.insert(0, start)
    earlier = dialogue.before(start, _DIALOGUE // 2 if is_long else _DIALOGUE)
    for low in (*(text.rfind("\n", 0, offset) + 1 for offset in earlier), *starts):
        back = text.count("\n", low, end)
        line = _line(text[low : text.find("\n", low)], low, number - back, dialogue)
        counterpart = _line_before(*expected, back)
        yield from [_shared(line)] if counterpart == line.text else _pair(_line(counterpart, low, line.number), line)


def _line_before(text: str, end: int, back: int) -> str:
    """Return the line that begins `back` lines before `end`."""
    return text[:end].rsplit("\n", back + 1)[-back - 1 :][0]


def _line(line: _Raw, start: int, number: int, dialogue: _Dialogue | None = None) -> _Line:
    """Return the line that begins at `start`."""
    text = line if isinstance(line, str) else line[0]
    typed = dialogue.in_line(start, start + len(text)) if dialogue else None
    return _Line(number, text, isinstance(line, str), typed)


def _first_blocks(aligned: Iterable[LineBlock]) -> Iterator[LineBlock]:
    """Yield the blocks up to the end of the window on either side.

    The last block is cut, and cut shorter if it is equal.
    """
    for block, following in pairwise(chain(aligned, (None,))):
        if block is None:
            return
        room, actual_room = _WINDOW - block.expected.start, _WINDOW - block.actual.start
        if min(room, actual_room) <= 0:
            return
        if block.is_equal:
            room = actual_room = min(room, actual_room)
            is_last = following is None or len(block.expected) >= room
            if is_last and len(block.expected) > _CONTEXT + _FEW:
                room = actual_room = min(room, _CONTEXT)
        yield replace(block, expected=block.expected[:room], actual=block.actual[:actual_room])


def _diff_lines(
    expected: Sequence[_Raw],
    actual: Sequence[_Raw],
    aligned: Iterable[LineBlock],
    *,
    start: int,
    number: int,
    dialogue: _Dialogue,
) -> Iterator[DiffLine]:
    """Yield the diff of lines that begin at `start`, which is line `number`, on both sides."""
    starts = array("q", accumulate((len(line) + 1 for line in actual), initial=start))
    for block in aligned:
        if block.is_equal:
            for index, actual_index in _shown(block):
                line = _line(actual[actual_index], starts[actual_index], number + index, dialogue)
                yield _shared(line)
            continue
        expected_block = (_line(expected[index], start, number + index) for index in block.expected)
        actual_block = (_line(actual[index], starts[index], number + index, dialogue) for index in block.actual)
        for wanted_line, found_line in zip_longest(expected_block, actual_block):
            yield from _differing(wanted_line, found_line)


def _shown(block: LineBlock) -> Iterator[tuple[int, int]]:
    """Yield the lines of an equal block to show: only a few at either end if the block is long."""
    lines = range(len(block.expected))
    shown = lines if len(lines) <= _WINDOW else chain(lines[:_CONTEXT], lines[-_CONTEXT:])
    yield from ((block.expected[index], block.actual[index]) for index in shown)


def _differing(expected: _Line | None, actual: _Line | None) -> Iterator[DiffLine]:
    if expected and actual:
        yield from _pair(expected, actual)
    elif expected:
        yield _diff_line(DiffSide.EXPECTED, expected)
    elif actual:
        yield _diff_line(DiffSide.ACTUAL, actual)


def _shared(line: _Line) -> DiffLine:
    return _diff_line(DiffSide.BOTH, line)


def _pair(expected: _Line, actual: _Line) -> Iterator[DiffLine]:
    start, expected_end, actual_end = differing_spans(expected.text, actual.text)
    # Both lines are cut at the same column, so that they line up.
    low = max(start - _WIDEST // 2, 0) if max(len(expected.text), len(actual.text)) > _WIDEST else 0
    yield _diff_line(DiffSide.EXPECTED, expected, start, expected_end, low)
    yield _diff_line(DiffSide.ACTUAL, actual, start, actual_end, low)


def _diff_line(side: DiffSide, line: _Line, start: int = 0, end: int = 0, low: int = 0) -> DiffLine:
    high = min(low + _WIDEST, len(line.text))
    before, after = "…" * (low > 0), "…" * (high < len(line.text))
    shift = len(before) - low
    text = before + line.text[low:high] + after
    typed = line.typed + shift if line.typed is not None and low <= line.typed <= high else None
    return DiffLine(
        side=side,
        number=line.number,
        text=text,
        start=start + shift,
        end=min(end, high) + shift,
        ended=line.ended,
        typed=typed,
    )
