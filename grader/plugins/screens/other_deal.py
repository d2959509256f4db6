"""Recognises screens whose cards are those of another deal."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grader.model.judgement import Diagnosis
from grader.model.program import ProvidedSettings
from grader.model.test import Test
from grader.plugins.screens.causes import SCREEN_DEAL
from grader.plugins.screens.differences import FramePair
from grader.plugins.screens.written_frames import WrittenFrame
from grader.text.card_pattern import CARD_PATTERN
from grader.text.escape import quote
from grader.text.sentence import Sentence, say

_CARD = re.compile(CARD_PATTERN)
_INTEGER = re.compile(r"-?\d+")


@dataclass(frozen=True, kw_only=True)
class _CardPair:
    """A card that is expected in a row, as the one with a `number` there, and the card that is shown."""

    row: int
    number: int
    expected: str
    actual: str


def other_deal(
    pair: FramePair,
    moment: Sentence,
    *,
    frames: tuple[Sequence[WrittenFrame], Sequence[WrittenFrame]],
    test: Test,
) -> Diagnosis | None:
    """Diagnose a screen that differs in cards alone, if most cards of the session differ."""
    if any(_without_cards(pair.expected, row) != _without_cards(pair.actual, row) for row in pair.wrong_rows):
        return None
    differing = next((cards for cards in _card_pairs(pair.expected, pair.actual) if _differ(cards)), None)
    if differing is None:
        return None
    both = {cards for wanted, shown in zip(*frames, strict=False) for cards in _card_pairs(wanted, shown)}
    if 2 * sum(map(_differ, both)) <= len(both):
        return None
    fault, advice = _words(test)
    sentence = say(
        "{moment}, {fault}: in row {row}, {shown} is shown where {wanted} is expected. {advice}",
        moment=moment,
        fault=fault,
        row=differing.row,
        shown=quote(differing.actual),
        wanted=quote(differing.expected),
        advice=advice,
    )
    return Diagnosis(SCREEN_DEAL, sentence)


def _words(test: Test) -> tuple[Sentence, Sentence]:
    """Return what is wrong, and what to look at."""
    numbers = [argument for argument in test.start.arguments if _INTEGER.fullmatch(argument)]
    others = say("these are other cards than expected")
    if test.provision != ProvidedSettings():
        return others, say("Are the cards shuffled and laid out in the same way as the handout says?")
    if len(numbers) != 1:
        return others, say("Are the cards shuffled with the right seed, and laid out in the right order?")
    return say("the cards are not those for the argument {number}", number=numbers[0]), say(
        "Does seed() get this number, as an int, before shuffle()? Is the deck built and laid out in the right order?"
    )


def _card_pairs(expected: WrittenFrame, actual: WrittenFrame) -> Iterator[_CardPair]:
    """Yield the cards in the rows that only differ in cards."""
    for row, text in sorted(expected.rows.items()):
        cards, others = _CARD.findall(text), _CARD.findall(actual.rows.get(row, ""))
        if len(cards) == len(others) and _without_cards(expected, row) == _without_cards(actual, row):
            for number, (card, other) in enumerate(zip(cards, others, strict=True)):
                yield _CardPair(row=row, number=number, expected=card, actual=other)


def _without_cards(frame: WrittenFrame, row: int) -> str:
    """Return a row with a mark for each card, without the spaces that fill up short ones."""
    return _CARD.sub("*", frame.rows.get(row, "")).replace(" ", "")


def _differ(cards: _CardPair) -> bool:
    return cards.expected != cards.actual
