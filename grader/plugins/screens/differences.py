"""Finds how the first wrong frame differs from the expected one."""

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import zip_longest

from grader.plugins.screens.written_frames import WrittenFrame

_FARTHEST_ROWS, _FARTHEST_COLUMNS = 5, 10
_SHORTEST_TEXT = 3
_DIRECTIONS = {" VERTICAL": "|", " HORIZONTAL": "-"}
_BLANK = " "


@dataclass(frozen=True, kw_only=True)
class FramePair:
    """The first frame that differs, with the expected one, and the frames before them, which are equal.

    `number` counts frames from 1; `before` is None for the first frame. `step` counts the items of `keys` from 1, and
    is None if the item before the frame is typed only once. A program that `has_ended` does so instead of waiting for a
    key, and one that `should_have_ended` waits for a key instead of ending. One that shows the next frame too soon, and
    still shows it after `next_key`, has skipped a frame; otherwise, `next_key` is None.
    """

    number: int
    expected: WrittenFrame
    actual: WrittenFrame
    before: WrittenFrame | None
    step: int | None
    has_ended: bool
    should_have_ended: bool
    next_key: str | None = None

    @property
    def wrong_rows(self) -> list[int]:
        """The numbers of the rows whose text differs."""
        numbers = sorted({*self.expected.rows, *self.actual.rows})
        return [row for row in numbers if self.expected.rows.get(row, "") != self.actual.rows.get(row, "")]


@dataclass(frozen=True)
class WrongCell:
    """A cell that differs: its row and column, counted from 1, and the characters."""

    row: int
    column: int
    expected: str
    actual: str


@dataclass(frozen=True)
class Shift:
    """How far the drawing is from its place: rows down and columns to the right, negative for up and left."""

    rows: int
    columns: int


def first_wrong_pair(expected: list[WrittenFrame], actual: list[WrittenFrame]) -> FramePair | None:
    """Return the first pair of frames that differ; None if one program only shows more frames than the other."""
    before = None
    for index, (wanted, shown) in enumerate(zip(expected, actual, strict=False)):
        if wanted.key != shown.key:
            return None
        ends, has_ended = _is_of_end(expected, index), _is_of_end(actual, index)
        if (wanted.rows, wanted.others) != (shown.rows, shown.others):
            is_repeated = sum(frame.key == wanted.key for frame in expected) > 1
            return FramePair(
                number=index + 1,
                expected=wanted,
                actual=shown,
                before=before,
                step=index if is_repeated else None,
                has_ended=has_ended and not ends,
                should_have_ended=ends and not has_ended,
                next_key=_key_after_skipped(expected, actual, index),
            )
        before = before if ends else wanted
    return None


def _key_after_skipped(expected: list[WrittenFrame], actual: list[WrittenFrame], index: int) -> str | None:
    """Return the next key if a frame is the one after it, and remains so."""
    if len(expected) <= index + 1 or len(actual) <= index + 1:
        return None
    wanted, shown = expected[index + 1], actual[index + 1]
    is_skipped = wanted.rows and wanted == replace(shown, line=wanted.line) and wanted.rows == actual[index].rows
    return wanted.key if is_skipped else None


def _is_of_end(frames: list[WrittenFrame], index: int) -> bool:
    """Return whether a frame is empty because the program ended instead of waiting for a key."""
    return index + 1 < len(frames) and frames[index + 1].key is None


def wrong_cells(pair: FramePair) -> list[WrongCell]:
    """Return the cells whose characters differ, row by row."""
    return [cell for row in pair.wrong_rows for cell in _wrong_in_row(pair, row)]


def _wrong_in_row(pair: FramePair, row: int) -> Iterator[WrongCell]:
    texts = zip_longest(pair.expected.rows.get(row, ""), pair.actual.rows.get(row, ""), fillvalue=_BLANK)
    for column, (wanted, shown) in enumerate(texts, start=1):
        if wanted != shown:
            yield WrongCell(row, column, wanted, shown)


def stale_cells(pair: FramePair) -> list[WrongCell]:
    """Return all wrong cells if each should be blank and still holds what the frame before had there.

    Anywhere else, the program may have drawn the same again.
    """
    cells = wrong_cells(pair)
    before = pair.before
    if before is None or any(cell.expected != _BLANK or cell.actual != _cell(before.rows, cell) for cell in cells):
        return []
    return cells


def is_unchanged(pair: FramePair) -> bool:
    """Return whether the program still shows the frame before, though another is expected."""
    return pair.before is not None and pair.actual.rows == pair.before.rows != pair.expected.rows


def find_shift(pair: FramePair) -> Shift | None:
    """Return how far the whole drawing is from its place; None if that does not explain the difference."""
    if not pair.expected.rows or not pair.actual.rows:
        return None
    for rows in sorted(range(-_FARTHEST_ROWS, _FARTHEST_ROWS + 1), key=abs):
        for columns in sorted(range(-_FARTHEST_COLUMNS, _FARTHEST_COLUMNS + 1), key=abs):
            if (rows or columns) and _shifted(pair.expected.rows, rows, columns) == pair.actual.rows:
                return Shift(rows, columns)
    return None


def _shifted(texts: Mapping[int, str], rows: int, columns: int) -> Mapping[int, str] | None:
    """Return the rows at another place, or None if something would leave the screen on the left."""
    if columns >= 0:
        return {row + rows: " " * columns + text for row, text in texts.items()}
    if any(text[:-columns].strip() for text in texts.values()):
        return None
    return {row + rows: text[-columns:] for row, text in texts.items()}


def moved_mark(pair: FramePair) -> tuple[WrongCell, WrongCell] | None:
    """Return the cell where a mark is missing and the cell where it is instead, if nothing else is wrong."""
    cells = wrong_cells(pair)
    if len(cells) != 2:
        return None
    missing = next((cell for cell in cells if cell.expected != _BLANK and cell.actual == _BLANK), None)
    surplus = next((cell for cell in cells if cell.actual != _BLANK and cell.expected == _BLANK), None)
    if missing is None or surplus is None or missing.expected != surplus.actual:
        return None
    return missing, surplus


def moved_text(pair: FramePair) -> tuple[WrongCell, WrongCell] | None:
    """Return where the text of the first row that differs is expected, and the only place where it is instead."""
    row = next((row for row in pair.wrong_rows if pair.expected.rows.get(row)), None)
    if row is None:
        return None
    text = pair.expected.rows[row].strip()
    places = [number for number, shown in pair.actual.rows.items() if shown.strip() == text]
    wanted = [number for number, shown in pair.expected.rows.items() if shown.strip() == text]
    if len(text) < _SHORTEST_TEXT or len(places) != 1 or wanted != [row]:
        return None
    column, other_column = pair.expected.rows[row].index(text) + 1, pair.actual.rows[places[0]].index(text) + 1
    return WrongCell(row, column, text, _BLANK), WrongCell(places[0], other_column, _BLANK, text)


def moved_row(pair: FramePair) -> tuple[WrongCell, WrongCell] | None:
    """Return where a text is expected, and where it is, if all texts are right but not the gaps between them."""
    sides = [
        [(row, len(text) - len(text.lstrip()) + 1, text.strip()) for row, text in sorted(frame.rows.items()) if text]
        for frame in (pair.expected, pair.actual)
    ]
    wanted_texts, shown_texts = ([text for _, _, text in side] for side in sides)
    if wanted_texts != shown_texts:
        return None
    both = zip(*sides, strict=True)
    moved = next(((wanted, shown) for wanted, shown in both if wanted[0] != shown[0]), None)
    if moved is None:
        return None
    (row, column, text), (other_row, other_column, _) = moved
    return WrongCell(row, column, text, _BLANK), WrongCell(other_row, other_column, _BLANK, text)


def shifted_row(pair: FramePair) -> tuple[int, Shift] | None:
    """Return the first row that differs, and how far its text is from its column, if that is all."""
    row = pair.wrong_rows[0]
    wanted, shown = pair.expected.rows.get(row, ""), pair.actual.rows.get(row, "")
    if not wanted or wanted.strip() != shown.strip():
        return None
    return row, Shift(0, len(shown) - len(wanted))


def other_lines(pair: FramePair) -> WrongCell | None:
    """Return the first cell that differs if its row has other characters for the same lines, such as `|` for `│`."""
    cells = list(_wrong_in_row(pair, pair.wrong_rows[0]))
    is_same = all(_direction(cell.expected) == _direction(cell.actual) is not None for cell in cells)
    return cells[0] if is_same else None


def _direction(character: str) -> str | None:
    """Return the ASCII character for a line of a box in one direction, or `+` where lines meet; None for others."""
    if character in "-|+":
        return character
    name = unicodedata.name(character, "")
    if not name.startswith("BOX DRAWINGS"):
        return None
    return next((sign for end, sign in _DIRECTIONS.items() if name.endswith(end)), "+")


def _cell(texts: Mapping[int, str], cell: WrongCell) -> str:
    return texts.get(cell.row, "")[cell.column - 1 : cell.column] or _BLANK
