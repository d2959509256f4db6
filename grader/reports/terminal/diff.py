"""A diff for the terminal, with line numbers, the differing part marked, and invisible characters visible and named."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Protocol

from rich.cells import cell_len, chop_cells
from rich.text import Text

from grader.judge.diff import DiffLine, DiffSide, diff_around, whole_diff
from grader.model.results import ComparedTranscript
from grader.reports.theme import TerminalStyle
from grader.text.escape import escape_controls, legend, marked, show_invisible
from grader.text.language import in_language, told, told_plural

DIFF_STYLES: Mapping[DiffSide, TerminalStyle] = {
    DiffSide.BOTH: TerminalStyle.MUTED,
    DiffSide.EXPECTED: TerminalStyle.PASSED,
    DiffSide.ACTUAL: TerminalStyle.FAILED,
}
_SIGNS = {DiffSide.BOTH: " ", DiffSide.EXPECTED: "-", DiffSide.ACTUAL: "+"}
_TYPED = ">"
_MAX_NAMES = 8
_SCREENFUL = 18
_WIDTH = 80
_MARGIN = " " * 9
_MIN_COLUMNS = 10


class DiffText(Protocol):
    """A function that selects how much of a difference to show."""

    def __call__(self, compared: ComparedTranscript, width: int | None = None) -> Iterator[Text]:
        """Return the lines of a diff: `-` for expected output, `+` for the program's output, and `>` for typed input.

        If `width` is given, a line that is wider than that many columns is folded, and each piece has its own marker
        below it.
        """


def first_screenful(compared: ComparedTranscript, width: int | None = None) -> Iterator[Text]:
    """Yield the first difference with the preceding dialogue, up to a screenful; see `DiffText`."""
    diff = diff_around(compared.expected, compared.actual, compared.shown, compared.typed)
    lines = _with_room_for_the_difference(diff.lines, width)
    shown: list[DiffLine] = []
    height = 0
    for line, rows in _rows(lines, width, range(compared.divergence.line, compared.shown.line)):
        height += _height(rows)
        if height > _SCREENFUL:
            break
        yield from rows
        shown.append(line)
    if diff.goes_on or len(shown) < len(lines):
        yield Text(f"{_MARGIN}⋮", TerminalStyle.MUTED)
    yield from _legend("".join(map(_marked, shown)))


def all_differences(compared: ComparedTranscript, width: int | None = None) -> Iterator[Text]:
    """Yield all lines that differ, up to a few thousand, without long equal parts; see `DiffText`."""
    diff = whole_diff(compared.expected, compared.actual, compared.typed)
    for _, rows in _rows(diff.lines, width):
        yield from rows
    if diff.goes_on:
        yield Text(f"{_MARGIN}⋮", TerminalStyle.MUTED)
    yield from _legend("".join(dict.fromkeys("".join(map(_marked, diff.lines)))))


def _with_room_for_the_difference(lines: Sequence[DiffLine], width: int | None) -> Sequence[DiffLine]:
    """Drop the first lines if very long ones would leave no room for the first difference."""
    shared = next(index for index, line in enumerate(lines) if line.side is not DiffSide.BOTH)
    for start in range(shared):
        if sum(_height(rows) for _, rows in _rows(lines[start : shared + 2], width)) <= _SCREENFUL:
            return lines[start:]
    return lines[shared:]


def _rows(
    lines: Iterable[DiffLine], width: int | None, may_differ: range = range(0)
) -> Iterator[tuple[DiffLine, list[Text]]]:
    """Yield each line as shown, with a fold before it and its marker below it.

    Omitted lines in `may_differ` are not reported as equal.
    """
    columns = None if width is None else max(width - len(_MARGIN) - 1, _MIN_COLUMNS)
    last = 0
    for line in lines:
        rows = list(_pieces(line, columns))
        if line.side is not DiffSide.ACTUAL:
            if line.number > last + 1:
                left_out = range(last + 1, line.number)
                has_other = max(left_out.start, may_differ.start) < min(left_out.stop, may_differ.stop)
                rows.insert(0, Text(f"{_MARGIN}⋮ {_folded(len(left_out), has_other=has_other)}", TerminalStyle.MUTED))
            last = line.number
        yield line, rows


def _folded(lines: int, *, has_other: bool) -> str:
    if has_other:
        return told_plural(lines, "{count} line", "{count} lines")
    return told_plural(lines, "{count} equal line", "{count} equal lines")


def _height(rows: Iterable[Text]) -> int:
    """Return the number of lines that `rows` take up in an ordinary terminal."""
    return sum(max(-(-row.cell_len // _WIDTH), 1) for row in rows)


def _legend(odd: str) -> Iterator[Text]:
    names = legend(odd)
    if names:
        more = ", …" if len(names) > _MAX_NAMES else ""
        yield Text(f"{_MARGIN}{', '.join(map(in_language, names[:_MAX_NAMES]))}{more}", TerminalStyle.MUTED)


def _pieces(line: DiffLine, columns: int | None) -> Iterator[Text]:
    """Yield a line with its marker, folded to `columns` if given."""
    style = DIFF_STYLES[line.side]
    body = _body(line)
    marker = _marker(line) if _has_marker(line) else ""
    cuts = _cuts(body.plain, columns) if columns else []
    for number, piece in enumerate(body.divide(cuts)):
        yield Text(_margin(line, str(line.number) if number == 0 else ""), style).append_text(piece)
        below = marker if number == len(cuts) else marker[: piece.cell_len]
        marker = marker[piece.cell_len :]
        if below.strip():
            yield Text(f"{_MARGIN} {below}", style)


def _cuts(text: str, columns: int) -> list[int]:
    """Return the positions where `text` must be cut so that no piece is wider than `columns`."""
    return list(accumulate(map(len, chop_cells(text, columns))))[:-1]


def _body(line: DiffLine) -> Text:
    style = DIFF_STYLES[line.side]
    text = Text(style=style)
    if line.side is DiffSide.BOTH:
        typed = len(line.text) if line.typed is None else line.typed
        return text.append(escape_controls(line.text[:typed])).append(
            escape_controls(line.text[typed:]), TerminalStyle.TYPED
        )
    before, differing, after = show_invisible(line.text, line.start, line.end)
    text.append(before).append(differing, f"{style} {TerminalStyle.DIFFERING}").append(after)
    return text if line.ended else text.append(told(" (no newline)"), TerminalStyle.MUTED)


def _margin(line: DiffLine, number: str) -> str:
    sign = _TYPED if line.side is DiffSide.BOTH and line.typed is not None else _SIGNS[line.side]
    return f"{sign} {number:>5} │ "


def _has_marker(line: DiffLine) -> bool:
    """Return whether a line needs a marker, which it does not if the whole line differs or it has no counterpart."""
    whole = line.start == 0 and line.end in (0, len(line.text))
    return line.side is not DiffSide.BOTH and not whole


def _marker(line: DiffLine) -> str:
    before, differing, _ = show_invisible(line.text, line.start, line.end)
    return " " * cell_len(before) + "^" * max(cell_len(differing), 1)


def _marked(line: DiffLine) -> str:
    characters = marked(line.text, line.start, line.end)
    return characters.replace(" ", "") if line.side is DiffSide.BOTH else characters
