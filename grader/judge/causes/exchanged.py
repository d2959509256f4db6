"""Causes that show in right values at wrong places: cards, numbers or words, within a line or in two lines."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from grader.judge.causes.cards import CARD_PATTERN, same_cards_line_by_line
from grader.judge.evidence import FailureEvidence, finds
from grader.model.cause import Cause, CauseSubject
from grader.model.judgement import Diagnosis
from grader.text.escape import quote_both
from grader.text.sentence import say

WORD_ORDER = Cause("word-order", CauseSubject.CONTENT)
_CARD = re.compile(CARD_PATTERN)
_VALUES = (
    (say("cards"), _CARD),
    (say("numbers"), re.compile(r"-?\d+(?:\.\d+)?")),
    (say("words"), re.compile(r"[^\s,]+")),
)
_LONGEST_LINE = 100_000
_FARTHEST = 40


@finds(WORD_ORDER)
def word_order(evidence: FailureEvidence) -> Diagnosis | None:
    """The line has the right cards, numbers or words, but in another order."""
    pair = evidence.pair
    if pair is None:
        return None
    for what, pattern in _VALUES:
        differing = _differing(pattern, pair.expected, pair.actual)
        if not differing or Counter(wanted for wanted, _ in differing) != Counter(value for _, value in differing):
            continue
        if pattern is _CARD and not same_cards_line_by_line(evidence):
            return None
        wanted, found = quote_both(pair.expected, pair.actual)
        told = {"line": pair.number, "what": what, "found": found, "wanted": wanted}
        if len(differing) > 2:
            said = say("Line {line} has the right {what} in another order: {found}; expected {wanted}.", **told)
            return Diagnosis(WORD_ORDER, said)
        told["first"], told["second"] = quote_both(*differing[0])
        said = say("In line {line} {second} and {first} are exchanged: it is {found}; expected {wanted}.", **told)
        return Diagnosis(WORD_ORDER, said)
    return None


@finds(WORD_ORDER)
def exchanged_between_lines(evidence: FailureEvidence) -> Diagnosis | None:
    """Two lines are right but for one value of each, and these stand in each other's place."""
    pair = evidence.pair
    following = next(_lines_that_differ(evidence, pair.number), None) if pair else None
    if pair is None or following is None:
        return None
    other, expected, actual = following
    for _, pattern in _VALUES:
        here, there = _differing(pattern, pair.expected, pair.actual), _differing(pattern, expected, actual)
        if len(here) == len(there) == 1 and here[0] == there[0][::-1]:
            wanted, found = quote_both(*here[0])
            told = {"line": pair.number, "other": other, "wanted": wanted, "found": found}
            said = say(
                "{found} in line {line} and {wanted} in line {other} are exchanged: line {line} should have {wanted}.",
                **told,
            )
            return Diagnosis(WORD_ORDER, said)
    return None


def _differing(pattern: re.Pattern[str], expected: str, actual: str) -> Sequence[tuple[str, str]]:
    """Return the values in which two lines differ, the expected one first; none where more than values differs."""
    if max(len(expected), len(actual)) > _LONGEST_LINE or pattern.sub("0", expected) != pattern.sub("0", actual):
        return ()
    both = zip(pattern.findall(expected), pattern.findall(actual), strict=True)
    return [(wanted, found) for wanted, found in both if wanted != found]


def _lines_that_differ(evidence: FailureEvidence, line: int) -> Iterator[tuple[int, str, str]]:
    """Yield the lines near after a line that differ, with their numbers."""
    lines = zip(evidence.expected_lines[line:], evidence.actual_lines[line:], strict=False)
    for number, (expected, actual) in enumerate(islice(lines, _FARTHEST), line + 1):
        if expected != actual:
            yield number, expected, actual
