"""Puts the frames of a session beside the expected ones, and finds the cells that differ."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, zip_longest

from grader.model.expectation import OutputChecks
from grader.model.results import TestResult
from grader.plugins.screens.written_frames import WrittenFrame, frames_in
from grader.text.difference import lines_of
from grader.text.escape import quote
from grader.text.sentence import Sentence, say

_STYLES = re.compile(r" *(\d+)(?:-(\d+))?: (.*)")
_SPAN = re.compile(r"(\d+)(?:-(\d+))? (.*)")
_BLANK = " "
_PLAIN = ""


@dataclass(frozen=True)
class Cell:
    """A character and its colours and attributes, such as "bold red"; empty for the usual ones."""

    character: str = _BLANK
    style: str = _PLAIN


@dataclass(frozen=True)
class RowBeside:
    """A row of a frame beside the expected one. Both have the same number of cells, at least up to the last mark."""

    number: int
    expected: Sequence[Cell]
    actual: Sequence[Cell]

    @cached_property
    def marks(self) -> list[str]:
        """For each cell `^` if its character differs, `~` if only its style does, and a space otherwise."""
        return [_mark(*cells) for cells in zip(self.expected, self.actual, strict=True)]

    @property
    def is_wrong(self) -> bool:
        """Return whether a cell differs."""
        return self.expected != self.actual


@dataclass(frozen=True)
class FramesBeside:
    """A frame and the expected one; None if there is none. If `is_judged` is false, nothing is expected."""

    expected: WrittenFrame | None
    actual: WrittenFrame | None
    is_judged: bool = True

    @property
    def differs(self) -> bool:
        """Return whether the frames differ, or come after different keys."""
        return self.is_judged and _content(self.expected) != _content(self.actual)

    @cached_property
    def rows(self) -> list[RowBeside]:
        """The rows from the first to the last that is not blank in both frames."""
        cells = [_cells(frame) for frame in (self.expected if self.is_judged else self.actual, self.actual)]
        numbers = {number for rows in cells for number in rows}
        return [
            _row(number, *(rows.get(number, ()) for rows in cells))
            for number in range(min(numbers, default=1), max(numbers, default=0) + 1)
        ]

    @property
    def words(self) -> list[Sentence]:
        """Sentences about the colours and attributes that differ, and the cursor."""
        return [*self._styles(), *self._cursor()]

    def _styles(self) -> Iterator[Sentence]:
        if self.expected is None or self.actual is None:
            return
        for row in self.rows:
            pairs = [(wanted.style, shown.style) for wanted, shown in zip(row.expected, row.actual, strict=True)]
            for (wanted, shown), group in groupby(enumerate(pairs, start=1), key=lambda item: item[1]):
                columns = [column for column, _ in group]
                if wanted != shown:
                    where = _columns(row.number, columns[0], columns[-1])
                    yield say(
                        "{where}: {shown}; expected {wanted}", where=where, shown=_name(shown), wanted=_name(wanted)
                    )

    def _cursor(self) -> Iterator[Sentence]:
        sides = [_cursor_line(frame) for frame in (self.expected, self.actual)]
        if self.is_judged and None not in sides and sides[0] != sides[1]:
            wanted, shown = (quote(str(line)) for line in sides)
            yield say("{shown}; expected {wanted}", shown=shown, wanted=wanted)


def frames_beside(result: TestResult) -> list[FramesBeside]:
    """Return the frames of a session, each beside the expected one in its place, without ignored differences."""
    outcome, mended = result.outcome, result.judgement.mended
    if outcome is None:
        return []
    actual = frames_in(lines_of(mended.actual if mended else outcome.transcript))
    if isinstance(result.test.expectation, OutputChecks):
        return [FramesBeside(expected=None, actual=frame, is_judged=False) for frame in actual]
    expected = frames_in(lines_of(mended.expected if mended else result.expected))
    return [FramesBeside(*frames) for frames in zip_longest(expected, actual)]


def first_wrong(result: TestResult) -> FramesBeside | None:
    """Return the first frame that differs, or None. The empty screen that a crash leaves behind does not count."""
    pair = next((frames for frames in frames_beside(result) if frames.differs), None)
    is_of_crash = result.outcome and result.outcome.errors and pair and pair.actual and not pair.actual.rows
    return None if is_of_crash else pair


def caption(frame: WrittenFrame | None, name: Sentence) -> Sentence:
    """Return the caption of a frame, given the name of its side."""
    if frame is None:
        return say("{name}: no further screen", name=name)
    return say("{name}, {moment:lower}", name=name, moment=moment(frame.key))


def moment(key: str | None, number: int | None = None) -> Sentence:
    """Return when a frame was taken, given the key before it, and its number if it is pressed more than once."""
    if key is None:
        return say("After the program has ended")
    if number is not None:
        return say("After {key} (step {number})", key=quote(key), number=number)
    return say("After {key}", key=quote(key)) if key else say("On the first screen")


def _content(frame: WrittenFrame | None) -> object:
    return frame and (frame.key, frame.rows, frame.others)


def _mark(expected: Cell, actual: Cell) -> str:
    if expected.character != actual.character:
        return "^"
    return "~" if expected.style != actual.style else _BLANK


def _row(number: int, expected: Sequence[Cell], actual: Sequence[Cell]) -> RowBeside:
    length = max(len(expected), len(actual))
    return RowBeside(number, *([*cells, *[Cell()] * (length - len(cells))] for cells in (expected, actual)))


def _cells(frame: WrittenFrame | None) -> dict[int, list[Cell]]:
    """Return the cells of a frame's rows by number."""
    if frame is None:
        return {}
    styles = _styles_in(frame)
    return {
        number: _cells_of_row(frame.rows.get(number, ""), styles.get(number, {})) for number in {*frame.rows, *styles}
    }


def _cells_of_row(text: str, styles: Mapping[int, str]) -> list[Cell]:
    columns = range(1, max(len(text), *styles, 0) + 1)
    return [Cell(text[column - 1 : column] or _BLANK, styles.get(column, _PLAIN)) for column in columns]


def _styles_in(frame: WrittenFrame) -> dict[int, dict[int, str]]:
    """Return the colours and attributes in a frame by row and column."""
    styles: dict[int, dict[int, str]] = {}
    for line in filter(None, map(_STYLES.fullmatch, frame.others)):
        by_column = {
            column: span[3]
            for span in filter(None, map(_SPAN.fullmatch, line[3].split(", ")))
            for column in range(int(span[1]), int(span[2] or span[1]) + 1)
        }
        styles.update(dict.fromkeys(range(int(line[1]), int(line[2] or line[1]) + 1), by_column))
    return styles


def _cursor_line(frame: WrittenFrame | None) -> str | None:
    return next((line for line in frame.others if line.startswith("cursor: ")), None) if frame else None


def _columns(row: int, first: int, last: int) -> Sentence:
    if first == last:
        return say("Row {row}, column {column}", row=row, column=first)
    return say("Row {row}, columns {first}–{last}", row=row, first=first, last=last)


def _name(style: str) -> str:
    return quote(style) if style else say("plain")
