"""Causes visible as right values in wrong places: cards, numbers or words, in one or two lines."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from grader.judge.evidence import FailureEvidence, LinePair, finds, finds_in_line
from grader.model.cause import Cause, CauseSubject
from grader.model.judgement import Diagnosis
from grader.plugins.content_causes.cards import same_cards_line_by_line
from grader.text.card_pattern import CARD_PATTERN
from grader.text.escape import quote_both
from grader.text.sentence import say

WORD_ORDER = Cause("word-order", CauseSubject.CONTENT, answers_input=True)
"""The cards, numbers or words in a line are right, but in the wrong order, or two of them are swapped, either within a
line or between two lines.

> Line 2 has the right cards in another order: `Hand: 9C 2S TH`; expected `Hand: TH 9C 2S`.

Check what you sort, by which key and in which direction.
"""
_CARD = re.compile(CARD_PATTERN)
_VALUES = (
    (say("cards"), _CARD),
    (say("numbers"), re.compile(r"-?\d+(?:\.\d+)?")),
    (say("words"), re.compile(r"[^\s,]+")),
)
_LONGEST_LINE = 100_000
_FARTHEST = 40


@finds_in_line(WORD_ORDER)
def word_order(evidence: FailureEvidence, pair: LinePair) -> Diagnosis | None:
    """Diagnose a line with the right cards, numbers or words in another order."""
    for what, pattern in _VALUES:
        differing = _differing(pattern, pair.expected, pair.actual)
        if not differing or Counter(expected for expected, _ in differing) != Counter(value for _, value in differing):
            continue
        if pattern is _CARD and not same_cards_line_by_line(evidence):
            return None
        expected, actual = quote_both(pair.expected, pair.actual)
        values = {"line": pair.number, "what": what, "found": actual, "wanted": expected}
        if len(differing) > 2:
            sentence = say("Line {line} has the right {what} in another order: {found}; expected {wanted}.", **values)
            return Diagnosis(WORD_ORDER, sentence)
        values["first"], values["second"] = quote_both(*differing[0])
        sentence = say("In line {line} {second} and {first} are exchanged: it is {found}; expected {wanted}.", **values)
        return Diagnosis(WORD_ORDER, sentence)
    return None


@finds(WORD_ORDER)
def exchanged_between_lines(evidence: FailureEvidence) -> Diagnosis | None:
    """Diagnose two lines that are right except for two swapped values."""
    pair = evidence.pair
    following = next(_lines_that_differ(evidence, pair.number), None) if pair else None
    if pair is None or following is None:
        return None
    other_line, expected, actual = following
    for _, pattern in _VALUES:
        here, differing_there = _differing(pattern, pair.expected, pair.actual), _differing(pattern, expected, actual)
        if len(here) == len(differing_there) == 1 and here[0] == differing_there[0][::-1]:
            return _exchanged(pair.number, other_line, *here[0])
    return None


@finds(WORD_ORDER)
def exchanged_hands(evidence: FailureEvidence) -> Diagnosis | None:
    """Diagnose two lines whose cards are swapped; the words beside the cards may differ."""
    pair = evidence.pair
    here = _hands(pair.expected, pair.actual) if pair else None
    if pair is None or here is None:
        return None
    cards: Counter[str] = Counter()
    for number, expected, actual in ((pair.number, pair.expected, pair.actual), *_later(evidence, pair.number)):
        cards.update(_CARD.findall(expected))
        cards.subtract(_CARD.findall(actual))
        # A different deal would hardly have the same cards up to here.
        if not any(cards.values()) and _hands(actual, expected) == here:
            return _exchanged(pair.number, number, " ".join(here[0]), " ".join(here[1]))
    return None


def _exchanged(line: int, other_line: int, expected: str, actual: str) -> Diagnosis:
    expected_value, actual_value = quote_both(expected, actual)
    values = {"line": line, "other": other_line, "wanted": expected_value, "found": actual_value}
    sentence = say(
        "{found} in line {line} and {wanted} in line {other} are exchanged: line {line} should have {wanted}.",
        **values,
    )
    return Diagnosis(WORD_ORDER, sentence)


def _hands(expected: str, actual: str) -> tuple[list[str], list[str]] | None:
    """Return the cards of two lines that begin alike but have no card in common."""
    if max(len(expected), len(actual)) > _LONGEST_LINE:
        return None
    cards, others = _CARD.findall(expected), _CARD.findall(actual)
    heads = {_CARD.split(line, maxsplit=1)[0] for line in (expected, actual)}
    return (cards, others) if cards and others and len(heads) == 1 and not {*cards} & {*others} else None


def _differing(pattern: re.Pattern[str], expected: str, actual: str) -> Sequence[tuple[str, str]]:
    """Return the values in which two lines differ, the expected one first, or none if the rest differs too."""
    if max(len(expected), len(actual)) > _LONGEST_LINE or pattern.sub("0", expected) != pattern.sub("0", actual):
        return ()
    both = zip(pattern.findall(expected), pattern.findall(actual), strict=True)
    return [pair for pair in both if pair[0] != pair[1]]


def _lines_that_differ(evidence: FailureEvidence, line: int) -> Iterator[tuple[int, str, str]]:
    """Yield the differing lines shortly after a line, with their numbers."""
    return (numbered for numbered in _later(evidence, line) if numbered[1] != numbered[2])


def _later(evidence: FailureEvidence, line: int) -> Iterator[tuple[int, str, str]]:
    """Yield the lines shortly after a line, with their numbers."""
    lines = zip(evidence.expected_lines[line:], evidence.actual_lines[line:], strict=False)
    return ((number, *both) for number, both in enumerate(islice(lines, _FARTHEST), line + 1))
