"""Shows two frames as HTML: beside each other where the page has room, and above each other elsewhere.

It is assembled here rather than in a template, because a site may have many frames.
"""

from collections.abc import Callable, Sequence
from itertools import groupby

from markupsafe import Markup, escape

from grader.model.results import TestResult
from grader.plugins.screens.beside import Cell, FramesBeside, RowBeside, caption, first_wrong, frames_beside
from grader.plugins.screens.written_frames import WrittenFrame
from grader.reports.html.text import shown
from grader.text.language import in_language, told
from grader.text.sentence import Sentence, say

_MOST_ROWS = 100
_MOST_WORDS = 20
_FIRST, _LAST = 8, 4
_AROUND = 10


def difference_html(result: TestResult) -> str:
    """Return the first frame that differs beside the expected one; see `PluginDialogue`."""
    pair = first_wrong(result)
    return _frames(pair) if pair else ""


def steps_html(result: TestResult) -> Sequence[tuple[str, bool]]:
    """Return the frames before each key and at the end; see `PluginDialogue`.

    Of a long session, only the beginning, the end and the frames around the first difference are shown.
    """
    pairs = [pair for pair in frames_beside(result) if pair.actual is not None]
    first = next((number for number, pair in enumerate(pairs) if pair.differs), 0)
    shown_numbers = [
        number
        for number in range(len(pairs))
        if number < _FIRST or abs(number - first) <= _AROUND or number >= len(pairs) - _LAST
    ]
    steps: list[tuple[str, bool]] = []
    for place, number in enumerate(shown_numbers):
        omitted = number - (shown_numbers[place - 1] + 1 if place else 0)
        key = pairs[number + 1].actual if number + 1 < len(pairs) else None
        step = f"{_omitted(omitted)}{_frames(pairs[number])}{_key(key)}"
        steps.append((step, pairs[number].differs and number == first))
    return steps


def _omitted(count: int) -> str:
    words = told("… {steps} steps left out …", steps=count)
    return f'<i class="cut">{words}</i>' if count else ""


def _key(following: WrittenFrame | None) -> str:
    """Return the keys pressed before the following frame, or the end of the session."""
    if following is None or following.key is None:
        words = told("end of the session")
        return f'<i class="cut">{words}</i>'
    return f"<kbd>{shown(following.key)}</kbd>"


def _frames(pair: FramesBeside) -> str:
    sides: list[tuple[str, WrittenFrame | None, Sentence, Callable[[RowBeside], Sequence[Cell]]]] = [
        ("a", pair.actual, say("printed"), lambda row: row.actual)
    ]
    if pair.is_judged:
        sides.insert(0, ("e", pair.expected, say("expected"), lambda row: row.expected))
    figures = "".join(
        f'<figure class="{kind}"><figcaption>{escape(in_language(caption(frame, name)))}</figcaption>'
        f"<pre>{_rows(pair.rows, cells)}</pre></figure>"
        for kind, frame, name, cells in sides
    )
    words = "".join(f"<li>{escape(in_language(sentence))}</li>" for sentence in pair.words[:_MOST_WORDS])
    return f'<div class="frames">{figures}</div>' + (f'<ul class="differences">{words}</ul>' if words else "")


def _rows(rows: Sequence[RowBeside], cells: Callable[[RowBeside], Sequence[Cell]]) -> str:
    return "\n".join(f'<span class="n">{row.number}</span>{_row(row, cells(row))}' for row in rows[:_MOST_ROWS])


def _row(row: RowBeside, cells: Sequence[Cell]) -> str:
    pieces = groupby(zip(row.marks, cells, strict=True), key=lambda item: item[0])
    return "".join(_piece(mark, "".join(cell.character for _, cell in group)) for mark, group in pieces)


def _piece(mark: str, text: str) -> Markup:
    if mark == " ":
        return shown(text)
    return Markup('<mark class="{}">{}</mark>').format("text" if mark == "^" else "style", shown(text))
