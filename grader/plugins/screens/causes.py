"""The causes that only tests of screens have, and their finders."""

import re

from grader.judge.evidence import FailureEvidence, finds
from grader.model.cause import Cause, CauseSubject
from grader.model.judgement import Diagnosis
from grader.plugins.screens.beside import moment
from grader.plugins.screens.differences import (
    FramePair,
    Shift,
    find_shift,
    first_wrong_pair,
    is_unchanged,
    moved_mark,
    stale_cells,
    wrong_cells,
)
from grader.plugins.screens.settings import OnScreen
from grader.plugins.screens.written_frames import frames_in
from grader.text.escape import quote
from grader.text.sentence import Sentence, say, say_plural

_PRINTED_ESCAPE = re.compile(r"\^\[|␛|\\x1b|\\033|(?<!\S)\[\d{1,2}(?:;\d+)*m")
_MOVES_CURSOR = re.compile(r"\x1b\[(?:\d+;\d+[Hf]|\?(?:1049|47)h|\d*[ABG])")

SCREEN_ESCAPE = Cause("screen-escape", CauseSubject.CHARACTERS)
"""A code that should change colours or move the cursor appears on the screen as text.

> On the first screen, row 1 shows a control code as text: `^[[31mred`.

In curses, set colours with `attron` and `color_pair`, and draw text with `addstr`. Do not print such codes yourself.
"""
SCREEN_NOT_REDRAWN = Cause("screen-not-redrawn", CauseSubject.CONTENT)
"""The key that was pressed should have changed the screen, but nothing happened.

> After `<down>`, the screen is as before; expected in row 3: ` Quit`.

Check that your program handles this key, and that it draws the screen again before it waits for the next one.
"""
SCREEN_NOT_CLEARED = Cause("screen-not-cleared", CauseSubject.CONTENT)
"""Parts of an earlier screen are still visible.

> After `<enter>`, row 5 still shows `Game over` of the screen before.

Before you draw, clear the screen with `erase`, or write spaces over the old text.
"""
SCREEN_SHIFTED = Cause("screen-shifted", CauseSubject.CONTENT)
"""Everything is drawn correctly, but in the wrong place.

> On the first screen, everything is 1 column too far to the left.

In curses, rows and columns start at 0, and the row comes first: `addstr(row, column, text)`.
"""
SCREEN_MARK = Cause("screen-mark", CauseSubject.CONTENT)
"""Only a mark, such as the one at the chosen item of a menu, is in the wrong place.

> After `<down>`, the `>` is at row 4, column 2; expected at 5, 2.

Check how each key moves the mark, especially at the first and last item.
"""
SCREEN_TEXT = Cause("screen-text", CauseSubject.CONTENT)
"""Part of the screen shows the wrong text.

> After `<right>`, row 3 is `Score: 10`; expected `Score: 20`.

Compare this row with the expected one, and find the line of your program that draws it.
"""
SCREEN_STYLE = Cause("screen-style", CauseSubject.CHARACTERS)
"""The text on the screen is correct, but its colours, its style (such as bold) or the cursor is wrong.

> After `<down>`, the text is right, but this differs: `3: 1-10 bold`; expected `3: 1-10 reverse`.

In curses, check attributes such as `A_REVERSE`, the colour pairs, and where you move or hide the cursor (`curs_set`).
"""
DRAWS = Cause("draws", CauseSubject.PROGRAM)
"""Your program moves the cursor around the screen, as curses does, but the test expects plain lines.

> The program draws on the screen (it moves the cursor); expected plain lines, as `print` writes them.

Print each line with `print`, without curses and without codes that move the cursor.
"""
CAUSES = (
    SCREEN_ESCAPE,
    SCREEN_NOT_REDRAWN,
    SCREEN_NOT_CLEARED,
    SCREEN_SHIFTED,
    SCREEN_MARK,
    SCREEN_TEXT,
    SCREEN_STYLE,
)


@finds(*CAUSES)
def wrong_screen(evidence: FailureEvidence) -> Diagnosis | None:
    """Diagnose the first wrong screen of a program that draws."""
    if not isinstance(evidence.test.interaction, OnScreen) or evidence.divergence is None:
        return None
    pair = first_wrong_pair(frames_in(evidence.expected_lines), frames_in(evidence.actual_lines))
    return None if pair is None else _diagnose(pair, moment(pair.expected.key))


def _diagnose(pair: FramePair, moment: Sentence) -> Diagnosis:
    cells = wrong_cells(pair)
    if not cells:
        return Diagnosis(SCREEN_STYLE, _style_sentence(pair, moment))
    escape = next((row for row in pair.wrong_rows if _PRINTED_ESCAPE.search(pair.actual.rows.get(row, ""))), None)
    if escape is not None:
        text = quote(pair.actual.rows[escape].strip())
        sentence = say(
            "{moment}, row {row} shows a control code as text: {text}.", moment=moment, row=escape, text=text
        )
        return Diagnosis(SCREEN_ESCAPE, sentence)
    if is_unchanged(pair):
        row = pair.wrong_rows[0]
        wanted = quote(pair.expected.rows.get(row, ""))
        sentence = say(
            "{moment}, the screen is as before; expected in row {row}: {wanted}.", moment=moment, row=row, wanted=wanted
        )
        return Diagnosis(SCREEN_NOT_REDRAWN, sentence)
    if stale := stale_cells(pair):
        row = stale[0].row
        columns = [cell.column for cell in stale if cell.row == row]
        text = quote(pair.actual.rows[row][columns[0] - 1 : columns[-1]])
        sentence = say(
            "{moment}, row {row} still shows {text} of the screen before.", moment=moment, row=row, text=text
        )
        return Diagnosis(SCREEN_NOT_CLEARED, sentence)
    return _diagnose_place(pair, moment)


def _diagnose_place(pair: FramePair, moment: Sentence) -> Diagnosis:
    """Diagnose a drawing or mark in the wrong place, or any other text."""
    shift = find_shift(pair)
    if shift is not None:
        sentence = say("{moment}, everything is {way}.", moment=moment, way=_way_of(shift))
        return Diagnosis(SCREEN_SHIFTED, sentence)
    if mark := moved_mark(pair):
        missing, surplus = mark
        sentence = say(
            "{moment}, the {mark} is at row {row}, column {column}; expected at {other_row}, {other_column}.",
            moment=moment,
            mark=quote(surplus.actual),
            row=surplus.row,
            column=surplus.column,
            other_row=missing.row,
            other_column=missing.column,
        )
        return Diagnosis(SCREEN_MARK, sentence)
    row = pair.wrong_rows[0]
    wanted, shown = pair.expected.rows.get(row, ""), pair.actual.rows.get(row, "")
    if not shown:
        sentence = say("{moment}, row {row} is empty; expected {wanted}.", moment=moment, row=row, wanted=quote(wanted))
    elif not wanted:
        sentence = say(
            "{moment}, row {row} is {shown}; expected nothing there.", moment=moment, row=row, shown=quote(shown)
        )
    else:
        sentence = say(
            "{moment}, row {row} is {shown}; expected {wanted}.",
            moment=moment,
            row=row,
            shown=quote(shown),
            wanted=quote(wanted),
        )
    return Diagnosis(SCREEN_TEXT, sentence)


def _way_of(shift: Shift) -> Sentence:
    if not shift.rows or not shift.columns:
        return _rows_words(shift.rows) if shift.rows else _columns_words(shift.columns)
    return say("{rows} and {columns}", rows=_rows_words(shift.rows), columns=_columns_words(shift.columns))


def _columns_words(columns: int) -> Sentence:
    if columns < 0:
        return say_plural(-columns, "{count} column too far to the left", "{count} columns too far to the left")
    return say_plural(columns, "{count} column too far to the right", "{count} columns too far to the right")


def _rows_words(rows: int) -> Sentence:
    if rows < 0:
        return say_plural(-rows, "{count} row too high", "{count} rows too high")
    return say_plural(rows, "{count} row too low", "{count} rows too low")


def _style_sentence(pair: FramePair, moment: Sentence) -> Sentence:
    wanted = [line.strip() for line in pair.expected.others if line not in pair.actual.others]
    shown = [line.strip() for line in pair.actual.others if line not in pair.expected.others]
    if shown and wanted:
        return say(
            "{moment}, the text is right, but this differs: {shown}; expected {wanted}.",
            moment=moment,
            shown=quote(shown[0]),
            wanted=quote(wanted[0]),
        )
    if wanted:
        return say(
            "{moment}, the text is right, but this is missing: {wanted}.", moment=moment, wanted=quote(wanted[0])
        )
    return say("{moment}, the text is right, but this is not expected: {shown}.", moment=moment, shown=quote(shown[0]))


@finds(DRAWS)
def draws(evidence: FailureEvidence) -> Diagnosis | None:
    """Diagnose a program that moves the cursor where lines are expected."""
    if isinstance(evidence.test.interaction, OnScreen) or evidence.divergence is None:
        return None
    if not _MOVES_CURSOR.search(evidence.actual) or _MOVES_CURSOR.search(evidence.expected):
        return None
    sentence = say(
        "The program draws on the screen (it moves the cursor); expected plain lines, as `print` writes them."
    )
    return Diagnosis(DRAWS, sentence)
