"""A diff for the terminal: line numbers, the differing part marked, invisible characters visible and named."""

from collections.abc import Iterator

from rich.text import Text

from grader.judge.characters import harmless, legend, visible
from grader.judge.diff import Diff, DiffLine, Side

_STYLES = {Side.BOTH: "dim", Side.EXPECTED: "green", Side.ACTUAL: "red"}
_SIGNS = {Side.BOTH: " ", Side.EXPECTED: "-", Side.ACTUAL: "+"}


def diff_text(diff: Diff) -> Iterator[Text]:
    """The lines of `diff`: `-` was expected, `+` is what the program printed."""
    differing = [line for line in diff.lines if line.side is not Side.BOTH]
    for line in diff.lines:
        yield _line(line)
        if line.side is not Side.BOTH and (line.start or line.end < len(line.text)):
            yield _marker(line)
    if diff.goes_on:
        yield Text("         ⋮", "dim")
    names = legend("".join(line.text for line in differing))
    if names:
        yield Text(f"         {', '.join(names)}", "dim")


def _line(line: DiffLine) -> Text:
    style = _STYLES[line.side]
    text = Text(f"{_SIGNS[line.side]} {line.number:>5} │ ", style)
    if line.side is Side.BOTH:
        return text.append(harmless(line.text))
    before, differing, after = visible(line.text, line.start, line.end)
    return text.append(before).append(differing, f"bold {style} reverse").append(after)


def _marker(line: DiffLine) -> Text:
    before, differing, _ = visible(line.text, line.start, line.end)
    indent = 10 + Text(before).cell_len
    return Text(" " * indent + "^" * max(Text(differing).cell_len, 1), _STYLES[line.side])
