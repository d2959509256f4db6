"""Shows two frames as HTML: beside each other where the page has room, and above each other elsewhere.

It is assembled here rather than in a template, because a site may have many frames.
"""

from collections.abc import Callable, Sequence
from itertools import groupby, pairwise

from markupsafe import Markup, escape

from grader.model.results import TestResult
from grader.plugins.screens.beside import Cell, FramesBeside, RowBeside, caption, first_wrong, frames_beside
from grader.plugins.screens.written_frames import WrittenFrame
from grader.reports.html.text import shown
from grader.text.language import in_language, told
from grader.text.sentence import Sentence, say

_MAX_ROWS = 100
_MAX_WORDS = 20
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
    session = [pair for pair in frames_beside(result) if pair.actual is not None]
    keys = [pair.actual.key for pair in session if pair.actual]
    # A program that ends leaves an empty frame before its last screen.
    steps = [step for step in zip(session, [*keys[1:], None], strict=True) if step[0].rows or step[0].differs]
    wrong = next((number for number, (pair, _) in enumerate(steps) if pair.differs), None)
    numbers = [
        number
        for number in range(len(steps))
        if number < _FIRST or abs(number - (wrong or 0)) <= _AROUND or number >= len(steps) - _LAST
    ]
    return [
        (_step(*steps[number], omitted=number - before - 1, is_last=number == len(steps) - 1), number == wrong)
        for before, number in pairwise((-1, *numbers))
    ]


def _step(pair: FramesBeside, key: str | None, *, omitted: int, is_last: bool) -> str:
    return f"{_omitted(omitted)}{_frames(pair)}{_then(key, is_last=is_last)}"


def _omitted(count: int) -> str:
    words = told("… {steps} steps left out …", steps=count)
    return f'<i class="cut">{words}</i>' if count else ""


def _then(key: str | None, *, is_last: bool) -> str:
    """Return the keys that were then pressed, and the end of the session after the last step."""
    words = told("end of the session")
    pressed = "" if key is None else f"<kbd>{shown(key)}</kbd>"
    return pressed + (f'<i class="cut">{words}</i>' if is_last else "")


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
    words = "".join(f"<li>{escape(in_language(sentence))}</li>" for sentence in pair.words[:_MAX_WORDS])
    return f'<div class="frames">{figures}</div>' + (f'<ul class="differences">{words}</ul>' if words else "")


def _rows(rows: Sequence[RowBeside], cells: Callable[[RowBeside], Sequence[Cell]]) -> str:
    return "\n".join(f'<span class="n">{row.number}</span>{_row(row, cells(row))}' for row in rows[:_MAX_ROWS])


def _row(row: RowBeside, cells: Sequence[Cell]) -> str:
    pieces = groupby(zip(row.marks, cells, strict=True), key=lambda item: item[0])
    return "".join(_piece(mark, "".join(cell.character for _, cell in group)) for mark, group in pieces)


def _piece(mark: str, text: str) -> Markup:
    if mark == " ":
        return shown(text)
    return Markup('<mark class="{}">{}</mark>').format("text" if mark == "^" else "style", shown(text))
