"""A diff for the terminal: line numbers, the differing part marked, invisible characters visible and named."""

from collections.abc import Iterator
from itertools import accumulate

from rich.cells import cell_len, chop_cells
from rich.text import Text

from grader.judge.characters import harmless, legend, marked, visible
from grader.judge.diff import Diff, DiffLine, Side

_STYLES = {Side.BOTH: "dim", Side.EXPECTED: "green", Side.ACTUAL: "red"}
_SIGNS = {Side.BOTH: " ", Side.EXPECTED: "-", Side.ACTUAL: "+"}
_MOST_NAMES = 8
_MARGIN = 10
_FEWEST_COLUMNS = 10


def diff_text(diff: Diff, width: int | None = None) -> Iterator[Text]:
    """The lines of `diff`: `-` was expected, `+` is what the program printed.

    A line that is wider than `width` columns, if given, is folded, and each piece has its own marker below it.
    """
    for line in diff.lines:
        yield from _folded(line, None if width is None else max(width - _MARGIN, _FEWEST_COLUMNS))
    if diff.goes_on:
        yield Text("         ⋮", "dim")
    names = legend("".join(_marked(line) for line in diff.lines))
    if names:
        more = ", …" if len(names) > _MOST_NAMES else ""
        yield Text(f"         {', '.join(names[:_MOST_NAMES])}{more}", "dim")


def _folded(line: DiffLine, columns: int | None) -> Iterator[Text]:
    style = _STYLES[line.side]
    body = _body(line)
    marker = _marker(line) if _has_marker(line) else ""
    cuts = _cuts(body.plain, columns) if columns else []
    for number, piece in enumerate(body.divide(cuts)):
        yield Text(_margin(line, str(line.number) if number == 0 else ""), style).append_text(piece)
        below = marker if number == len(cuts) else marker[: piece.cell_len]
        marker = marker[piece.cell_len :]
        if below.strip():
            yield Text(" " * _MARGIN + below, style)


def _cuts(text: str, columns: int) -> list[int]:
    """Where to cut `text` so that no piece is wider than `columns`."""
    return list(accumulate(map(len, chop_cells(text, columns))))[:-1]


def _body(line: DiffLine) -> Text:
    style = _STYLES[line.side]
    text = Text(style=style)
    if line.side is Side.BOTH:
        return text.append(harmless(line.text))
    before, differing, after = visible(line.text, line.start, line.end)
    text.append(before).append(differing, f"bold {style} reverse").append(after)
    return text if line.ended else text.append(" (no line end)", "dim")


def _margin(line: DiffLine, number: str) -> str:
    return f"{_SIGNS[line.side]} {number:>5} │ "


def _has_marker(line: DiffLine) -> bool:
    """A line that differs as a whole, or that has no counterpart, needs no marker."""
    whole = line.start == 0 and line.end in (0, len(line.text))
    return line.side is not Side.BOTH and not whole


def _marker(line: DiffLine) -> str:
    before, differing, _ = visible(line.text, line.start, line.end)
    return " " * cell_len(before) + "^" * max(cell_len(differing), 1)


def _marked(line: DiffLine) -> str:
    characters = marked(line.text, line.start, line.end)
    return characters.replace(" ", "") if line.side is Side.BOTH else characters
