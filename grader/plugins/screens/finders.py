"""The finders of causes that only tests of screens have."""

import re
from functools import partial

from grader.judge.evidence import FailureEvidence, finds
from grader.model.judgement import Diagnosis
from grader.plugins.screens.beside import FramesBeside, moment
from grader.plugins.screens.causes import (
    CAUSES,
    DRAWS,
    SCREEN_EMPTY,
    SCREEN_ENDED,
    SCREEN_ESCAPE,
    SCREEN_MARK,
    SCREEN_NOT_CLEARED,
    SCREEN_NOT_REDRAWN,
    SCREEN_SHIFTED,
    SCREEN_SKIPPED,
    SCREEN_STYLE,
    SCREEN_TEXT,
)
from grader.plugins.screens.differences import (
    FramePair,
    Shift,
    find_shift,
    first_wrong_pair,
    is_unchanged,
    moved_mark,
    moved_row,
    moved_text,
    other_lines,
    shifted_row,
    stale_cells,
    wrong_cells,
)
from grader.plugins.screens.other_deal import other_deal
from grader.plugins.screens.settings import OnScreen
from grader.plugins.screens.written_frames import frames_in
from grader.text.escape import name, quote
from grader.text.sentence import Sentence, say, say_plural

_PRINTED_ESCAPE = re.compile(r"\^\[|␛|\\x1b|\\033|(?<!\S)\[\d{1,2}(?:;\d+)*m")
_WORD = re.compile(r"[^\W\d_]{3}")
_MOVES_CURSOR = re.compile(r"\x1b\[(?:\d+;\d+[Hf]|\?(?:1049|47)h|\d*[ABG])")


@finds(*CAUSES)
def wrong_screen(evidence: FailureEvidence) -> Diagnosis | None:
    """Diagnose the first wrong screen of a program that draws."""
    if not isinstance(evidence.test.interaction, OnScreen) or evidence.divergence is None:
        return None
    frames = frames_in(evidence.expected_lines), frames_in(evidence.actual_lines)
    pair = first_wrong_pair(*frames)
    if pair is None:
        return None
    when = moment(pair.expected.key, pair.step)
    deal = partial(other_deal, frames=frames, test=evidence.test)
    looks = (_end, _style, _escape, _earlier_screen, _skipped, deal, _place, _lines, _text)
    return next(filter(None, (look(pair, when) for look in looks)))


def _end(pair: FramePair, moment: Sentence) -> Diagnosis | None:
    """Diagnose a program that ended too early, or has not ended."""
    if pair.should_have_ended:
        sentence = say("{moment}, the program still waits for a key; it should have ended.", moment=moment)
        return Diagnosis(SCREEN_ENDED, sentence)
    if not pair.has_ended:
        return None
    moment = say("Before the first key") if pair.number == 1 else moment
    row, wanted = _telling_row(pair)
    if not wanted:
        sentence = say("{moment}, the program has ended; it should wait for a key.", moment=moment)
    else:
        sentence = say(
            "{moment}, the program has ended; expected a screen with {wanted} in row {row}.",
            moment=moment,
            wanted=quote(wanted),
            row=row,
        )
    return Diagnosis(SCREEN_ENDED, sentence)


def _style(pair: FramePair, moment: Sentence) -> Diagnosis | None:
    """Diagnose a screen on which only colours, attributes or the cursor differ."""
    if wrong_cells(pair):
        return None
    words = FramesBeside(pair.expected, pair.actual).words
    if not words:
        return Diagnosis(SCREEN_STYLE, say("{moment}, the text is right, but its style is not.", moment=moment))
    sentence = say("{moment}, the text is right, but this is not: {words:lower}.", moment=moment, words=words[0])
    return Diagnosis(SCREEN_STYLE, sentence)


def _escape(pair: FramePair, moment: Sentence) -> Diagnosis | None:
    """Diagnose a code that is printed as text."""
    row = next((row for row in pair.wrong_rows if _PRINTED_ESCAPE.search(pair.actual.rows.get(row, ""))), None)
    if row is None:
        return None
    text = quote(pair.actual.rows[row].strip())
    sentence = say("{moment}, row {row} shows a control code as text: {text}.", moment=moment, row=row, text=text)
    return Diagnosis(SCREEN_ESCAPE, sentence)


def _earlier_screen(pair: FramePair, moment: Sentence) -> Diagnosis | None:
    """Diagnose a screen that still shows the one before, or parts of it, or nothing."""
    row, wanted = _telling_row(pair)
    if is_unchanged(pair):
        sentence = say(
            "{moment}, the text on the screen is as before; expected in row {row}: {wanted}.",
            moment=moment,
            row=row,
            wanted=quote(wanted),
        )
        return Diagnosis(SCREEN_NOT_REDRAWN, sentence)
    if not pair.actual.rows:
        moment = say("Before the first key") if pair.number == 1 else moment
        sentence = say(
            "{moment}, the screen is empty; expected in row {row}: {wanted}.",
            moment=moment,
            row=row,
            wanted=quote(wanted),
        )
        return Diagnosis(SCREEN_EMPTY, sentence)
    stale = stale_cells(pair)
    if not stale:
        return None
    row = stale[0].row
    columns = [cell.column for cell in stale if cell.row == row]
    text = quote(pair.actual.rows[row][columns[0] - 1 : columns[-1]])
    sentence = say("{moment}, row {row} still shows {text} of the screen before.", moment=moment, row=row, text=text)
    return Diagnosis(SCREEN_NOT_CLEARED, sentence)


def _skipped(pair: FramePair, moment: Sentence) -> Diagnosis | None:
    """Diagnose a program that shows the next screen without waiting for its key."""
    if pair.next_key is None:
        return None
    row, wanted = _telling_row(pair)
    sentence = say(
        "{moment}, the screen is the one expected only after the next key, {key}; expected first, in row {row}: "
        "{wanted}.",
        moment=moment,
        key=quote(pair.next_key),
        row=row,
        wanted=quote(wanted),
    )
    return Diagnosis(SCREEN_SKIPPED, sentence)


def _place(pair: FramePair, moment: Sentence) -> Diagnosis | None:
    """Diagnose a drawing, a mark or a row in the wrong place."""
    shift = find_shift(pair)
    if shift is not None:
        sentence = say("{moment}, everything is {way}.", moment=moment, way=_way_of(shift))
        return Diagnosis(SCREEN_SHIFTED, sentence)
    mark = moved_mark(pair)
    moved = mark or moved_text(pair) or moved_row(pair)
    if moved is None:
        return _row_in_place(pair, moment)
    missing, surplus = moved
    sentence = say(
        "{moment}, {mark} is at row {row}, column {column}; expected at {other_row}, {other_column}.",
        moment=moment,
        mark=say("the {mark}", mark=quote(surplus.actual)) if mark else quote(surplus.actual),
        row=surplus.row,
        column=surplus.column,
        other_row=missing.row,
        other_column=missing.column,
    )
    return Diagnosis(SCREEN_MARK if mark else SCREEN_SHIFTED, sentence)


def _row_in_place(pair: FramePair, moment: Sentence) -> Diagnosis | None:
    """Diagnose a row that begins in the wrong column."""
    shifted = shifted_row(pair)
    if shifted is None:
        return None
    row, shift = shifted
    sentence = say(
        "{moment}, row {row} is {way}: {shown}; expected {wanted}.",
        moment=moment,
        row=row,
        way=_way_of(shift),
        shown=quote(pair.actual.rows[row]),
        wanted=quote(pair.expected.rows[row]),
    )
    return Diagnosis(SCREEN_SHIFTED, sentence)


def _lines(pair: FramePair, moment: Sentence) -> Diagnosis | None:
    """Diagnose lines that are drawn with other characters."""
    cell = other_lines(pair)
    if cell is None:
        return None
    sentence = say(
        "{moment}, row {row} has {shown}, {shown_name}, where {wanted}, {wanted_name}, is expected.",
        moment=moment,
        row=cell.row,
        shown=quote(cell.actual),
        shown_name=name(cell.actual),
        wanted=quote(cell.expected),
        wanted_name=name(cell.expected),
    )
    return Diagnosis(SCREEN_TEXT, sentence)


def _text(pair: FramePair, moment: Sentence) -> Diagnosis:
    """Diagnose any other text."""
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


def _telling_row(pair: FramePair) -> tuple[int, str]:
    """Return a row that differs, and its text in the expected frame, if possible one with words."""
    texts = [(row, pair.expected.rows.get(row, "")) for row in pair.wrong_rows]
    named = next(((row, text) for row, text in texts if _WORD.search(text)), None)
    return named or next(((row, text) for row, text in texts if text), texts[0])


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
