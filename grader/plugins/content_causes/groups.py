"""Groups of cards side by side, such as the successive squares of a game, each over several lines."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from grader.judge.evidence import FailureEvidence, LinePair, finds
from grader.model.cause import Cause, CauseSubject
from grader.model.judgement import Diagnosis
from grader.plugins.content_causes.cards import other_card, shown_cards
from grader.text.card_pattern import CARD_PATTERN
from grader.text.difference import FirstDifference
from grader.text.escape import quote
from grader.text.sentence import Sentence, say

CARD_GROUP = Cause("card-group", CauseSubject.CONTENT, answers_input=True)
"""The output shows groups of cards side by side, such as a series of squares. The message shows the first group that
is wrong.

> The first wrong group of cards in lines 4 to 5 is the one in place 2: it is `AS 3C / 8H 7H`; expected `AS 3C / 7H
> 8H`.

Play the step that leads to this group yourself. The later groups depend on it.
"""
_GROUP = re.compile(rf"(?:{CARD_PATTERN})(?: (?:{CARD_PATTERN}))+")
_GROUPS = re.compile(rf"\s*{_GROUP.pattern}(?:\s\s+{_GROUP.pattern})*\s*")
_LONGEST_LINE = 2000
_MAX_LINES = 20


@dataclass(frozen=True, kw_only=True)
class _WrongGroup:
    """The first wrong group of some lines, counted from 1: the expected and the actual one, line by line."""

    number: int
    lines: range
    wanted: tuple[str, ...]
    found: tuple[str, ...]
    difference: FirstDifference


def _wrong_group(expected: Sequence[str], actual: Sequence[str], line: int) -> _WrongGroup | None:
    rows = _rows_around(expected, line - 1)
    has_several = any(len(_GROUP.findall(expected[row])) > 1 for row in rows)
    if (
        len(rows) < 2
        or not has_several
        or rows.stop > len(actual)
        or not all(map(_has_groups, actual[rows.start : rows.stop]))
    ):
        return None
    of_rows = [
        list(zip_longest(_GROUP.finditer(expected[row]), _GROUP.finditer(actual[row]), fillvalue=None)) for row in rows
    ]
    for index in range(max(map(len, of_rows))):
        both = [groups[index] for groups in of_rows if index < len(groups)]
        if any(expected_group is None or actual_group is None for expected_group, actual_group in both):
            return None
        texts = [
            (expected_group[0], actual_group[0])
            for expected_group, actual_group in both
            if expected_group and actual_group
        ]
        for row, (expected_group, _), (text, actual_text) in zip(rows, both, texts, strict=False):
            if text != actual_text and expected_group:
                difference = FirstDifference(row + 1, expected_group.start() + 1, expected[row], actual[row])
                lines = range(rows.start + 1, rows.stop + 1)
                wanted_texts, found_texts = zip(*texts, strict=True)
                return _WrongGroup(
                    number=index + 1, lines=lines, wanted=wanted_texts, found=found_texts, difference=difference
                )
    return None


def _rows_around(lines: Sequence[str], index: int) -> range:
    """Return the lines around a line that also contain groups of cards."""
    first = last = index
    while first > max(index - _MAX_LINES, 0) and _has_groups(lines[first - 1]):
        first -= 1
    while last < min(index + _MAX_LINES, len(lines)) and _has_groups(lines[last]):
        last += 1
    return range(first, last)


def _has_groups(line: str) -> bool:
    return len(line) <= _LONGEST_LINE and _GROUPS.fullmatch(line) is not None


def _is_one_card(pair: LinePair) -> bool:
    cards = zip(pair.expected.split(), pair.actual.split(), strict=False)
    return sum(1 for expected, actual in cards if expected != actual) == 1


@finds(CARD_GROUP)
def group(evidence: FailureEvidence) -> Diagnosis | None:
    """Diagnose the first wrong group of cards, counted from the left."""
    pair = evidence.pair
    wrong = _wrong_group(evidence.expected_lines, evidence.actual_lines, pair.number) if pair else None
    if pair is None or wrong is None or (wrong.difference.line == pair.number and _is_one_card(pair)):
        return None
    values = {"first": wrong.lines[0], "last": wrong.lines[-1], "number": wrong.number, "what": _difference(wrong)}
    sentence = say(
        "The first wrong group of cards in lines {first} to {last} is the one in place {number}: {what}.", **values
    )
    return Diagnosis(CARD_GROUP, sentence, wrong.difference)


def _difference(wrong: _WrongGroup) -> Sentence:
    expected, actual = " / ".join(wrong.wanted), " / ".join(wrong.found)
    differing = [both for both in zip(expected.split(), actual.split(), strict=False) if both[0] != both[1]]
    if len(differing) == 1:
        sentence = other_card(*map(shown_cards, differing[0]))
        if sentence:
            return say("in line {line} {said}", line=wrong.difference.line, said=sentence)
    return say("it is {found}; expected {wanted}", found=quote(actual), wanted=quote(expected))
