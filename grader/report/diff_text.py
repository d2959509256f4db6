"""A diff for the terminal: line numbers, the differing part marked, invisible characters visible and named."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from rich.text import Text

from grader.judge.characters import harmless, legend, marked, visible
from grader.judge.diff import DiffLine, Side, diff_around, whole_diff
from grader.pipeline.results import Compared

_STYLES = {Side.BOTH: "dim", Side.EXPECTED: "green", Side.ACTUAL: "red"}
_SIGNS = {Side.BOTH: " ", Side.EXPECTED: "-", Side.ACTUAL: "+"}
_TYPED = ">"
_MOST_NAMES = 8
_SCREENFUL = 20
_WIDTH = 80
_MARGIN = " " * 9

DiffText = Callable[[Compared], Iterator[Text]]


def first_screenful(compared: Compared) -> Iterator[Text]:
    """The first difference with the dialogue before it, at most a screenful.

    `-` was expected, `+` is what the program printed, in a line with `>` something was typed.
    """
    diff = diff_around(compared.expected, compared.actual, compared.divergence, compared.typed)
    lines = _with_room_for_the_difference(diff.lines)
    shown: list[DiffLine] = []
    height = 0
    for line, rows in _rows(lines):
        height += _height(rows)
        if height > _SCREENFUL:
            break
        yield from rows
        shown.append(line)
    if diff.goes_on or len(shown) < len(lines):
        yield Text(f"{_MARGIN}⋮", "dim")
    yield from _legend("".join(map(_marked, shown)))


def all_differences(compared: Compared) -> Iterator[Text]:
    """Every line that differs, up to some thousands; long equal stretches are folded."""
    diff = whole_diff(compared.expected, compared.actual, compared.typed)
    for _, rows in _rows(diff.lines):
        yield from rows
    if diff.goes_on:
        yield Text(f"{_MARGIN}⋮", "dim")
    yield from _legend("".join(dict.fromkeys("".join(map(_marked, diff.lines)))))


def _with_room_for_the_difference(lines: Sequence[DiffLine]) -> Sequence[DiffLine]:
    """Leave out the first lines when very long ones would take the room that the first difference needs."""
    shared = next(index for index, line in enumerate(lines) if line.side is not Side.BOTH)
    for start in range(shared):
        if sum(_height(rows) for _, rows in _rows(lines[start : shared + 2])) <= _SCREENFUL:
            return lines[start:]
    return lines[shared:]


def _rows(lines: Iterable[DiffLine]) -> Iterator[tuple[DiffLine, list[Text]]]:
    """Each line as it is shown, with what goes with it: before it a fold, below it the marker."""
    last = 0
    for line in lines:
        rows = [_line(line)]
        if line.side is not Side.ACTUAL:
            if line.number > last + 1:
                rows.insert(0, Text(f"{_MARGIN}⋮ {_folded(line.number - last - 1)}", "dim"))
            last = line.number
        if _has_marker(line):
            rows.append(_marker(line))
        yield line, rows


def _folded(lines: int) -> str:
    return "1 equal line" if lines == 1 else f"{lines} equal lines"


def _height(rows: Iterable[Text]) -> int:
    """The lines that `rows` take in an ordinary terminal."""
    return sum(max(-(-row.cell_len // _WIDTH), 1) for row in rows)


def _legend(odd: str) -> Iterator[Text]:
    names = legend(odd)
    if names:
        more = ", …" if len(names) > _MOST_NAMES else ""
        yield Text(f"{_MARGIN}{', '.join(names[:_MOST_NAMES])}{more}", "dim")


def _line(line: DiffLine) -> Text:
    style = _STYLES[line.side]
    text = Text(_margin(line), style)
    if line.side is Side.BOTH:
        typed = len(line.text) if line.typed is None else line.typed
        return text.append(harmless(line.text[:typed])).append(harmless(line.text[typed:]), "not dim bold")
    before, differing, after = visible(line.text, line.start, line.end)
    text.append(before).append(differing, f"bold {style} reverse").append(after)
    return text if line.ended else text.append(" (no line end)", "dim")


def _margin(line: DiffLine) -> str:
    sign = _TYPED if line.side is Side.BOTH and line.typed is not None else _SIGNS[line.side]
    return f"{sign} {line.number:>5} │ "


def _has_marker(line: DiffLine) -> bool:
    """A line that differs as a whole, or that has no counterpart, needs no marker."""
    whole = line.start == 0 and line.end in (0, len(line.text))
    return line.side is not Side.BOTH and not whole


def _marker(line: DiffLine) -> Text:
    before, differing, _ = visible(line.text, line.start, line.end)
    indent = Text(_margin(line) + before).cell_len
    return Text(" " * indent + "^" * max(Text(differing).cell_len, 1), _STYLES[line.side])


def _marked(line: DiffLine) -> str:
    characters = marked(line.text, line.start, line.end)
    return characters.replace(" ", "") if line.side is Side.BOTH else characters
