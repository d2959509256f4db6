"""Writes frames to a transcript.

Each row that is not blank is a line such as ` 3|  Quit`, with its number. Consecutive equal rows are one line, such as
`3-12|│        │`. A line `3: 1-10 reverse` gives the colours and attributes of a row, and a last line the cursor.
Between two frames, the line `key: <down>` gives the key that was pressed.
"""

from collections.abc import Iterator
from itertools import groupby

from grader.plugins.screens.frame import Frame, StyledSpan
from grader.plugins.screens.settings import ScreenPart, ScreenSettings

KEY = "key: "
"""The beginning of the line with the pressed keys."""
END = "end"
"""The line before the screen that a program leaves behind."""


def text_of(frame: Frame, settings: ScreenSettings) -> str:
    """Return the lines of a frame, with the rows, columns and parts that `settings` compares."""
    return "".join(f"{line}\n" for line in _lines(frame, settings))


def _lines(frame: Frame, settings: ScreenSettings) -> Iterator[str]:
    shown = [
        (number, _shown_text(text, settings), _shown_styles(frame, number, settings))
        for number, text in enumerate(frame.rows, start=1)
        if number in settings.shown_rows
    ]
    for (text, styles), group in groupby(shown, key=lambda row: (row[1], row[2])):
        numbers = [number for number, _, _ in group]
        name = str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}-{numbers[-1]}"
        if text:
            yield f"{name:>5}|{text}"
        if styles:
            yield f"{name:>5}: {', '.join(_words_of(span) for span in styles)}"
    if ScreenPart.CURSOR in settings.parts:
        yield "cursor: hidden" if frame.cursor is None else f"cursor: row {frame.cursor[0]}, column {frame.cursor[1]}"


def _shown_text(text: str, settings: ScreenSettings) -> str:
    if ScreenPart.TEXT not in settings.parts:
        return ""
    span = settings.shown_columns
    return text[span.first - 1 : span.last].rstrip(" ")


def _shown_styles(frame: Frame, number: int, settings: ScreenSettings) -> tuple[StyledSpan, ...]:
    if ScreenPart.COLOURS not in settings.parts:
        return ()
    span = settings.shown_columns
    return tuple(
        StyledSpan(max(styled.first, span.first), min(styled.last, span.last), styled.style)
        for styled in frame.styles[number - 1]
        if styled.first <= span.last and styled.last >= span.first
    )


def _words_of(span: StyledSpan) -> str:
    columns = str(span.first) if span.first == span.last else f"{span.first}-{span.last}"
    return f"{columns} {span.style}"
