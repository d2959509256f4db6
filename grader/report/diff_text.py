"""A diff for the terminal: line numbers, the differing part marked, invisible characters visible and named."""

from collections.abc import Iterator

from rich.text import Text

from grader.judge.characters import harmless, legend, marked, visible
from grader.judge.diff import Diff, DiffLine, Side

_STYLES = {Side.BOTH: "dim", Side.EXPECTED: "green", Side.ACTUAL: "red"}
_SIGNS = {Side.BOTH: " ", Side.EXPECTED: "-", Side.ACTUAL: "+"}
_MOST_NAMES = 8


def diff_text(diff: Diff) -> Iterator[Text]:
    """The lines of `diff`: `-` was expected, `+` is what the program printed."""
    for line in diff.lines:
        yield _line(line)
        if _has_marker(line):
            yield _marker(line)
    if diff.goes_on:
        yield Text("         ⋮", "dim")
    names = legend("".join(_marked(line) for line in diff.lines))
    if names:
        more = ", …" if len(names) > _MOST_NAMES else ""
        yield Text(f"         {', '.join(names[:_MOST_NAMES])}{more}", "dim")


def _line(line: DiffLine) -> Text:
    style = _STYLES[line.side]
    text = Text(_margin(line), style)
    if line.side is Side.BOTH:
        return text.append(harmless(line.text))
    before, differing, after = visible(line.text, line.start, line.end)
    text.append(before).append(differing, f"bold {style} reverse").append(after)
    return text if line.ended else text.append(" (no line end)", "dim")


def _margin(line: DiffLine) -> str:
    return f"{_SIGNS[line.side]} {line.number:>5} │ "


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
