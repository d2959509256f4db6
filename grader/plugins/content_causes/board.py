"""Causes visible on a board of cards that is drawn row by row, possibly with some cards face down."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import takewhile

from grader.judge.causes.text import TEXT
from grader.judge.evidence import FailureEvidence, LinePair, finds_in_line
from grader.model.cause import Cause, CauseSubject
from grader.model.judgement import Diagnosis
from grader.plugins.content_causes.line import other_word
from grader.text.card_pattern import CARD_PATTERN
from grader.text.escape import quote, quote_both
from grader.text.sentence import Sentence, say

BOARD_SHAPE = Cause("board-shape", CauseSubject.CONTENT)
"""In the first board, the rows or columns have the wrong length, or the wrong cards are face down. This does not
depend on the deal.

> The board has another shape: column 1 ends in line 4; expected in line 5.

> The board has another shape in line 2: `2D JS`; expected `XX XX`.

Count the cards in each row and column in the handout, and check which of them are face down.
"""
_CARD = re.compile(CARD_PATTERN)
_TAB = 8
_WIDEST_CARD = 3
_SEVERAL = 3
_TALLEST = 50
_LONGEST_LINE = 2000


@finds_in_line(BOARD_SHAPE)
def board_shape(evidence: FailureEvidence, pair: LinePair) -> Diagnosis | None:
    """Diagnose a first board whose rows or columns have the wrong length, or whose wrong cards are face down."""
    if "\t" not in pair.expected or _CARD.search(evidence.expected, 0, evidence.start):
        return None
    expected, actual = _cells_by_column(pair.expected), _cells_by_column(pair.actual)
    others = {text for text in (*expected.values(), *actual.values()) if not _CARD.fullmatch(text)}
    face_down = "".join(others)
    if len(others) != 1 or len(face_down) > _WIDEST_CARD or face_down not in evidence.expected.split():
        return None
    sentence = _other_column_end(evidence, pair, face_down)
    faces, actual_faces = ([text == face_down for text in row.values()] for row in (expected, actual))
    rows_after = [lines[pair.number : pair.number + 1] for lines in (evidence.expected_lines, evidence.actual_lines)]
    # For a single wrong row, the row itself is more informative.
    if sentence is None and faces != actual_faces and rows_after[0] != rows_after[1]:
        expected_row, actual_row = quote_both(" ".join(expected.values()), " ".join(actual.values()))
        values = {"line": pair.number, "found": actual_row, "wanted": expected_row}
        sentence = say("The board has another shape in line {line}: {found}; expected {wanted}.", **values)
    return Diagnosis(BOARD_SHAPE, sentence) if sentence else None


def _cells_by_column(line: str) -> dict[int, str]:
    """Return the text in each column that is not empty, counted from 0 at the margin."""
    cells = re.finditer(r"\S+", line[:_LONGEST_LINE].expandtabs(_TAB))
    return {cell.end() // _TAB: cell[0] for cell in cells}


def _other_column_end(evidence: FailureEvidence, pair: LinePair, face_down: str) -> Sentence | None:
    """Name the first column that ends in the wrong line."""
    boards = evidence.expected_lines, evidence.actual_lines
    expected, actual = (_column_ends(lines[pair.number - 1 :], pair.number, face_down) for lines in boards)
    for column, end in sorted(expected.items()):
        if actual.get(column, end) != end:
            # A tab at the beginning is the margin.
            number = column if pair.expected.startswith("\t") else column + 1
            values = {"column": number, "found": actual[column], "wanted": end}
            sentence = say("column {column} ends in line {found}; expected in line {wanted}", **values)
            return say("The board has another shape: {said}.", said=sentence)
    return None


def _column_ends(lines: Sequence[str], number: int, face_down: str) -> dict[int, int]:
    """Return the last line of each column of a board that begins in line `number`."""
    ends: dict[int, int] = {}
    for last, row in enumerate(map(_cells_by_column, lines[:_TALLEST]), number):
        if not row or not all(text == face_down or _CARD.fullmatch(text) for text in row.values()):
            break
        ends |= dict.fromkeys(row, last)
    return ends


@finds_in_line(TEXT)
def staying_cards(evidence: FailureEvidence, pair: LinePair) -> Diagnosis | None:
    """Diagnose several extra cards in the rows from the first wrong line on, such as the cards of a run."""
    word = other_word(pair)
    if word is None:
        return None
    lines_after = (lines[pair.number - 1 :] for lines in (evidence.expected_lines, evidence.actual_lines))
    expected, actual = map(_places, lines_after)
    missing = Counter(card for _, _, card in expected - actual)
    extra: list[str] = []
    for _, _, card in sorted(actual - expected):
        if missing[card]:
            missing[card] -= 1
        else:
            extra.append(card)
    if len(extra) < _SEVERAL or missing.total() > 1:
        return None
    sentence = say(
        "In line {line} there is {found} where {wanted} is expected, and {count} cards after it should not be there: "
        "{cards} and so on.",
        line=pair.number,
        found=word[1],
        wanted=word[0],
        count=len(extra),
        cards=quote(" ".join(extra[:_SEVERAL])),
    )
    return Diagnosis(TEXT, sentence)


def _places(lines: Sequence[str]) -> set[tuple[int, int, str]]:
    """Return the row and the end of each card, from the first line up to a line without cards."""
    rows = [list(_CARD.finditer(line[:_LONGEST_LINE].expandtabs(_TAB))) for line in lines[:_TALLEST]]
    several = [*rows[:1], *takewhile(bool, rows[1:])]
    return {(card.end(), row, card[0]) for row, cards in enumerate(several) for card in cards}
