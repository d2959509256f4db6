"""Shows two frames as lines of text: beside each other where they fit, and above each other elsewhere."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.text import Text

from grader.judge.diff import DiffSide
from grader.model.results import TestResult
from grader.plugins.screens.beside import Cell, FramesBeside, RowBeside, caption, first_wrong
from grader.reports.terminal.diff import DIFF_STYLES
from grader.reports.theme import TerminalStyle
from grader.text.escape import escape_controls
from grader.text.language import in_language, told
from grader.text.sentence import say

_MARGIN = 8
_BETWEEN = " │ "
_USUAL_WIDTH = 100
_MAX_ROWS = 26
_BEFORE = 3
_MAX_WORDS = 6
_OTHER_STYLE = say("other colours or attributes")


def difference_text(result: TestResult, width: int | None) -> Iterator[Text]:
    """Yield the first frame that differs and the expected one; see `PluginDialogue`."""
    pair = first_wrong(result)
    if pair is None:
        return
    yield from _picture(pair, (width or _USUAL_WIDTH) - 1)
    if any("~" in row.marks for row in pair.rows):
        yield Text(f"{'':{_MARGIN}}~ {in_language(_OTHER_STYLE)}", TerminalStyle.MUTED)
    for sentence in pair.words[:_MAX_WORDS]:
        yield Text(f"    {escape_controls(in_language(sentence))}", TerminalStyle.FAILED)
    if len(pair.words) > _MAX_WORDS:
        yield Text(told("    and {more} more", more=len(pair.words) - _MAX_WORDS))


@dataclass(frozen=True)
class _Side:
    """One of two frames: its name, and the columns of each row to show."""

    side: DiffSide
    name: str
    columns: slice

    def cells(self, row: RowBeside) -> Sequence[Cell]:
        return (row.expected if self.side is DiffSide.EXPECTED else row.actual)[self.columns]

    def text(self, row: RowBeside) -> Text:
        """Return a row, with its marked cells highlighted."""
        style = DIFF_STYLES[self.side if row.is_wrong else DiffSide.BOTH]
        text = Text(style=style)
        for cell, mark in zip(self.cells(row), row.marks[self.columns], strict=True):
            shown = escape_controls(cell.character)
            text.append(shown, "" if mark == " " else f"{style} {TerminalStyle.DIFFERING}")
        return text

    def markers(self, row: RowBeside) -> Text:
        """Return a line with the marks below the cells of a row."""
        cells = zip(self.cells(row), row.marks[self.columns], strict=True)
        return Text(
            "".join(mark * cell_len(escape_controls(cell.character)) for cell, mark in cells), DIFF_STYLES[self.side]
        )


def _picture(pair: FramesBeside, width: int) -> Iterator[Text]:
    room = width - _MARGIN
    rows = pair.rows
    columns = _columns(rows, room)
    sides = [
        _Side(side, in_language(caption(frame, name)), columns)
        for side, frame, name in (
            (DiffSide.EXPECTED, pair.expected, say("expected")),
            (DiffSide.ACTUAL, pair.actual, say("your program")),
        )
    ]
    widest = max(max(cell_len(side.name), *(side.text(row).cell_len for row in rows), 0) for side in sides)
    groups = [sides] if 2 * widest + len(_BETWEEN) <= room else [[side] for side in sides]
    shown = _shown_rows(rows)
    for group in groups:
        yield _line("", [Text(side.name, DIFF_STYLES[side.side]) for side in group], widest)
        if shown and shown[0] is not rows[0]:
            yield Text(f"{'⋮':>{_MARGIN}}", TerminalStyle.MUTED)
        for row in shown:
            yield _line(str(row.number), [side.text(row) for side in group], widest)
            if row.is_wrong:
                yield _line("", [side.markers(row) for side in group], widest)
        if shown and shown[-1] is not rows[-1]:
            yield Text(f"{'⋮':>{_MARGIN}}", TerminalStyle.MUTED)


def _line(number: str, texts: Sequence[Text], width: int) -> Text:
    line = Text(f"{number:>5}{_BETWEEN}", TerminalStyle.MUTED)
    for index, text in enumerate(texts):
        padding = " " * (width - text.cell_len) if index < len(texts) - 1 else ""
        line.append_text(text).append(
            f"{padding}{_BETWEEN}" if padding or index < len(texts) - 1 else "", TerminalStyle.MUTED
        )
    line.rstrip()
    return line


def _columns(rows: Sequence[RowBeside], room: int) -> slice:
    """Return the columns to show: all that fit, or as many around the first mark."""
    widest = max((len(row.marks) for row in rows), default=0)
    if widest <= room:
        return slice(0, widest)
    first = min((index for row in rows for index, mark in enumerate(row.marks) if mark != " "), default=0)
    start = max(min(first - _BEFORE, widest - room), 0)
    return slice(start, start + room)


def _shown_rows(rows: Sequence[RowBeside]) -> Sequence[RowBeside]:
    """Return all rows, or as many around the first mark as a window has."""
    first = next((index for index, row in enumerate(rows) if row.is_wrong), 0)
    start = max(min(first - _BEFORE, len(rows) - _MAX_ROWS), 0)
    return rows[start : start + _MAX_ROWS]
