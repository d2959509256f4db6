"""Causes visible in cards: a different deal, a different notation, and single cards."""

import operator
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from itertools import islice, pairwise, takewhile
from typing import NamedTuple, TypeAlias

from grader.judge.evidence import FailureEvidence, LinePair, finds, finds_in_line
from grader.model.cause import Cause, CauseSubject
from grader.model.judgement import Diagnosis
from grader.model.program import ProvidedSettings
from grader.text.card_pattern import CARD_PATTERN
from grader.text.escape import quote, quote_both
from grader.text.sentence import Sentence, joined, say

WRONG_DEAL = Cause("wrong-deal", CauseSubject.PROGRAM)
"""The first card is already wrong, and so is everything after it.

> The first card is wrong (🂺 in line 4, expected 🂧): is the deck sorted, does seed() get an int, not text, before
> shuffle(), and do cards come from the right end?

Compare your deck before and after shuffling with the handout.
"""
CARD_NOTATION = Cause("card-notation", CauseSubject.CHARACTERS)
"""The cards in a line are right, but not written as the handout asks.

> In line 2 the cards are right, but written in another way: `10H`, expected `TH`.

> The cards are right, but shown with the wrong suit: clubs for spades, spades for clubs.

Compare how the handout writes ranks and suits.
"""
CARD = Cause("card", CauseSubject.CONTENT, answers_input=True)
"""A line is right except for a card, which is wrong, missing, unexpected or in the wrong column.

> In line 5 the 2 of diamonds (🃂) is shown where the ace of diamonds (🃁) is expected.

Play the hand yourself up to this line, and find out what your program does with this card.
"""
CARD_LINE = Cause("card-line", CauseSubject.LINES, answers_input=True)
"""In a table of cards, a card is in the right column but in the wrong line.

> The 5 of hearts (5H) stands in line 3; expected in line 6.

The card is right. Check from which line, and in which direction, your program draws a column.
"""
_CARD = re.compile(CARD_PATTERN)
_ANY_CARD = re.compile(
    r"[\U0001f0a0-\U0001f0ff]"
    r"|(?<!\w)(?P<rank>1[0-3]|[1-9TAJQK]) ?(?P<suit>[♠♥♦♣♤♡♢♧SHDC])(?!\w)"
    r"|(?<!\w)(?P<suit_first>[♠♥♦♣♤♡♢♧SHDC]) ?(?P<rank_last>1[0-3]|[1-9TAJQK])(?!\w)",
    re.IGNORECASE,
)

_RANKS = {"1": "A", "T": "10", "11": "J", "12": "Q", "13": "K"}
_SUITS = str.maketrans("♤♡♢♧SHDC", "♠♥♦♣♠♥♦♣")
# Unicode starts with the Ace of Spades. Hearts, diamonds and clubs each follow sixteen code points later.
_FIRST_PICTURE = 0x1F0A0
_PICTURED_SUITS = "♠", "♥", "♦", "♣"
_PICTURED_RANKS = "", "A", *map(str, range(2, 11)), "J", "knight", "Q", "K", ""
_RANK_WORDS = {"A": say("ace"), "J": say("jack"), "knight": say("knight"), "Q": say("queen"), "K": say("king")}
_SUIT_WORDS = {"♠": say("spades"), "♥": say("hearts"), "♦": say("diamonds"), "♣": say("clubs")}
_INTEGER = re.compile(r"\s*-?\d+\s*")
_LONGEST_LINE = 100_000
_SEVERAL = 3
_SEVERAL_DEALT = 4
_TALLEST = 50
_ORDER = "A", *map(str, range(2, 11)), "J", "Q", "K"


@finds(WRONG_DEAL)
def wrong_deal(evidence: FailureEvidence) -> Diagnosis | None:
    """Diagnose a different deal: the very first card is wrong, and hardly anything was right before it."""
    if evidence.divergence is None or _CARD.search(evidence.expected, 0, evidence.start):
        return None
    if evidence.pair is not None and _keeps_the_deal(evidence.pair, evidence):
        return None
    expected = _CARD.search(evidence.expected, evidence.start)
    actual = _CARD.search(evidence.actual, evidence.start)
    if expected is None or actual is None or _cards(expected[0]) == _cards(actual[0]) or _are_most_right(evidence):
        return None
    if not (_is_early(evidence) or _is_in_place(evidence, expected.start(), actual.start())):
        return None
    if not _answers_same_input(evidence, expected.start(), actual.start()):
        return None
    line = evidence.actual.count("\n", 0, actual.start()) + 1
    values = {"found": actual[0], "line": line, "wanted": expected[0]}
    if _is_new_deck(_cards(evidence.actual[actual.start() :])):
        sentence = say(
            "The cards from line {line} on are those of a new deck, {found} and so on, where {wanted} is expected: "
            "is the deck shuffled?",
            **values,
        )
        return Diagnosis(WRONG_DEAL, sentence)
    typed = [line.text for line in evidence.outcome.typed if line.offset < actual.start()]
    seed = say("an int, not text,") if any(map(_INTEGER.fullmatch, typed)) else say("the right number")
    values["said"] = (
        say(
            "is the deck sorted, does seed() get {seed} before shuffle(), and do cards come from the right end?",
            seed=seed,
        )
        if evidence.test.provision == ProvidedSettings()
        else say("do cards come from the right end of the deck, and in the right order?")
        if evidence.test.provision.deck or evidence.test.provision.random_seed is not None
        else say("is the deck shuffled with the seed of the handout, and do cards come from the right end?")
    )
    sentence = say("The first card is wrong ({found} in line {line}, expected {wanted}): {said}", **values)
    return Diagnosis(WRONG_DEAL, sentence)


def _answers_same_input(evidence: FailureEvidence, expected_place: int, actual_place: int) -> bool:
    """Return whether the last input before a place is the same in both transcripts, each input on its own line."""
    actual, typed = evidence.actual, evidence.outcome.typed
    asked = [actual[actual.rfind("\n", 0, line.offset) + 1 : line.offset + len(line.text)] for line in typed]
    before = iter(evidence.expected[:expected_place].split("\n"))
    answered = sum(1 for _ in takewhile(lambda text: text in before, asked))
    return answered == sum(1 for line in typed if line.offset < actual_place)


def _are_most_right(evidence: FailureEvidence) -> bool:
    expected_cards, actual_cards = (_cards(text[evidence.start :]) for text in (evidence.expected, evidence.actual))
    return 2 * list(map(operator.eq, expected_cards, actual_cards)).count(True) > len(expected_cards)


def _keeps_the_deal(pair: LinePair, evidence: FailureEvidence) -> bool:
    """Return whether no expected card of a line is replaced by another card."""
    expected, actual = _cards(pair.expected), _cards(pair.actual)
    if not expected:
        return False
    if Counter(expected) == Counter(actual):
        return same_cards_line_by_line(evidence)
    return not actual or not (Counter(actual) - Counter(expected) and Counter(expected) - Counter(actual))


def same_cards_line_by_line(evidence: FailureEvidence) -> bool:
    """Return whether hands are merely shown in another order; a different deal may begin with the same cards."""
    lines = zip(evidence.expected_lines, evidence.actual_lines, strict=False)
    return all(Counter(_CARD.findall(expected)) == Counter(_CARD.findall(actual)) for expected, actual in lines)


def _is_in_place(evidence: FailureEvidence, expected_place: int, actual_place: int) -> bool:
    """Return whether the first wrong line is right up to its first card; spaces beside words do not count."""
    before = evidence.expected[evidence.start : expected_place], evidence.actual[evidence.start : actual_place]
    return before[0].split() == before[1].split()


def _is_early(evidence: FailureEvidence) -> bool:
    """Return whether at most one line is right, not counting blank lines and lines with input."""
    start = evidence.start
    asked = sum(1 for typed in evidence.outcome.typed if typed.offset < start)
    nonempty = [line for line in evidence.expected[:start].split("\n", asked + 20) if line]
    return len(nonempty) - asked <= 1


class _Card(NamedTuple):
    """A card, in any notation."""

    rank: str
    suit: str


_ShownCard: TypeAlias = tuple[_Card, str]


def _cards(line: str) -> list[_Card]:
    return [_card(match[0]) for match in _ANY_CARD.finditer(line[:_LONGEST_LINE])]


@cache
def _card(shown: str) -> _Card:
    """Return the card that a string shows, cached because few different strings show cards."""
    match = _ANY_CARD.fullmatch(shown)
    rank = match and (match["rank"] or match["rank_last"])
    if match is None or rank is None:
        row, column = divmod(ord(shown) - _FIRST_PICTURE, 16)
        is_of_suit = row < len(_PICTURED_SUITS) and _PICTURED_RANKS[column]
        return _Card(_PICTURED_RANKS[column], _PICTURED_SUITS[row]) if is_of_suit else _Card(shown, "")
    suit = match["suit"] or match["suit_first"]
    return _Card(_RANKS.get(rank.upper(), rank.upper()), suit.upper().translate(_SUITS))


def _is_new_deck(dealt: Sequence[_Card]) -> bool:
    """Return whether the first cards are neighbours in a deck that is not shuffled."""
    first = dealt[:_SEVERAL_DEALT]
    places = [_ORDER.index(card.rank) for card in first if card.rank in _ORDER]
    steps = {(after - before) % len(_ORDER) for before, after in pairwise(places)}
    is_row = len({card.suit for card in first}) == 1 and steps in ({1}, {len(_ORDER) - 1})
    return len(places) == _SEVERAL_DEALT and is_row


def _card_words(card: _Card, shown: str) -> Sentence:
    """Name a card, with the text that shows it."""
    rank = _RANK_WORDS.get(card.rank, card.rank)
    suit = _SUIT_WORDS.get(card.suit)
    if suit is None:
        return say("the card {shown}", shown=shown)
    return say("the {rank} of {suit} ({shown})", rank=rank, suit=suit, shown=shown)


def _without_cards(line: str) -> str:
    """Return a line without its cards and their separators."""
    return re.sub(r"[ ,]+", "", _ANY_CARD.sub("", line))


@finds_in_line(CARD_NOTATION)
def card_notation(_: FailureEvidence, pair: LinePair) -> Diagnosis | None:
    """Diagnose right cards in the wrong notation."""
    if not _CARD.search(pair.expected) or _cards(pair.expected) != _cards(pair.actual):
        return None
    if _without_cards(pair.expected) != _without_cards(pair.actual):
        return None
    both = zip(_ANY_CARD.finditer(pair.expected), _ANY_CARD.finditer(pair.actual), strict=True)
    differing = [(expected[0], actual[0]) for expected, actual in both if expected[0] != actual[0]]
    if not differing:
        return None
    expected, actual = quote_both(*differing[0])
    values = {"line": pair.number, "found": actual, "wanted": expected}
    sentence = say(
        "In line {line} the cards are right, but written in another way: {found}, expected {wanted}.", **values
    )
    return Diagnosis(CARD_NOTATION, sentence)


@finds(CARD_NOTATION)
def mixed_up(evidence: FailureEvidence) -> Diagnosis | None:
    """Diagnose right cards in which one suit or rank is always shown as another."""
    texts = evidence.expected[:_LONGEST_LINE], evidence.actual[:_LONGEST_LINE]
    # Usually other text differs too, and checking that is faster than reading the cards.
    if len(set(map(_without_cards, texts))) > 1:
        return None
    expected_cards, actual_cards = map(_cards, texts)
    if Counter(expected_cards) == Counter(actual_cards) or len(expected_cards) != len(actual_cards):
        return None
    pairs = list(zip(expected_cards, actual_cards, strict=True))
    differing = [both for both in pairs if both[0] != both[1]]
    has_knights = any(actual_card.rank == "knight" for _, actual_card in differing)
    if len(differing) < (1 if has_knights else _SEVERAL):
        return None
    kinds = {tuple(map(operator.eq, expected_card, actual_card)) for expected_card, actual_card in differing}
    if kinds == {(True, False)}:
        return _describe_exchange(
            say("suit"), _SUIT_WORDS, {(expected.suit, actual.suit) for expected, actual in pairs}
        )
    if kinds == {(False, True)}:
        return _describe_exchange(
            say("rank"), _RANK_WORDS, {(expected.rank, actual.rank) for expected, actual in pairs}
        )
    return None


def _describe_exchange(
    what: Sentence, names: Mapping[str, Sentence], shown: Collection[tuple[str, str]]
) -> Diagnosis | None:
    """Describe which suits or ranks are shown as others; return None if one of them is shown in several ways."""
    if len(dict(shown)) < len(shown):
        return None
    others = sorted(both for both in shown if both[0] != both[1])
    parts = [
        say("{found} for {wanted}", found=names.get(actual, actual), wanted=names.get(expected, expected))
        for expected, actual in others
    ]
    sentence = say(
        "The cards are right, but shown with the wrong {what}: {parts}.", what=what, parts=joined(", ", parts)
    )
    return Diagnosis(CARD_NOTATION, sentence)


@finds_in_line(CARD)
def other_column(_: FailureEvidence, pair: LinePair) -> Diagnosis | None:
    """Diagnose right cards with one in the wrong column, after too many or too few tabs."""
    if pair.expected.split() != pair.actual.split():
        return None
    expected_columns, actual_columns = (
        {text: place for place, text in enumerate(line.split("\t"), 1)} for line in (pair.expected, pair.actual)
    )
    for text, column in expected_columns.items():
        actual_column = actual_columns.get(text, column)
        if actual_column != column and _CARD.fullmatch(text):
            values = {"line": pair.number, "card": quote(text), "found": actual_column, "wanted": column}
            sentence = say("In line {line} {card} stands in column {found}; expected in column {wanted}.", **values)
            return Diagnosis(CARD, sentence)
    return None


@finds(CARD_LINE, CARD)
def other_line(evidence: FailureEvidence) -> Diagnosis | None:
    """Diagnose a card in the wrong line of a table that contains only cards."""
    pair = evidence.pair
    odd = _differing_card(pair.expected, pair.actual) if pair else None
    if pair is None or odd is None:
        return None
    following = zip(evidence.expected_lines[pair.number :], evidence.actual_lines[pair.number :], strict=False)
    for line, (expected, actual) in enumerate(islice(following, _TALLEST), pair.number + 1):
        if expected != actual and _differing_card(actual, expected) == odd:
            (card, shown), is_extra = odd
            actual_line, expected_line = (pair.number, line) if is_extra else (line, pair.number)
            lines = (pair.actual, expected) if is_extra else (pair.expected, actual)
            columns = [_column_alone(text, shown) for text in lines]
            # Such a column only starts on a different line.
            cause = CARD_LINE if columns[0] == columns[1] is not None else CARD
            values = {"card": _card_words(card, shown), "found": actual_line, "wanted": expected_line}
            return Diagnosis(cause, say("{card:upper} stands in line {found}; expected in line {wanted}.", **values))
    return None


def _differing_card(expected: str, actual: str) -> tuple[_ShownCard, bool] | None:
    """Return the only card in which two lines of cards differ, and whether it is extra rather than missing."""
    if _without_cards(expected).strip() or _without_cards(actual).strip():
        return None
    cards, others = Counter(shown_cards(expected)), Counter(shown_cards(actual))
    odd = [*(cards - others).elements(), *(others - cards).elements()]
    return (odd[0], cards.total() < others.total()) if len(odd) == 1 else None


def _column_alone(line: str, shown: str) -> int | None:
    """Return the column, between tabs, that contains a card and nothing else."""
    cells = [cell.strip() for cell in line.split("\t")]
    return cells.index(shown) if shown in cells else None


@finds_in_line(CARD)
def card(_: FailureEvidence, pair: LinePair) -> Diagnosis | None:
    """Diagnose lines that differ in one card: wrong, missing or extra."""
    if not _CARD.search(pair.expected) or _without_cards(pair.expected) != _without_cards(pair.actual):
        return None
    if pair.expected.startswith(pair.actual) or pair.actual.startswith(pair.expected):
        return None
    sentence = other_card(shown_cards(pair.expected), shown_cards(pair.actual))
    return Diagnosis(CARD, say("In line {line} {said}.", line=pair.number, said=sentence)) if sentence else None


def shown_cards(line: str) -> list[_ShownCard]:
    """Return the cards of a line, each with the text that shows it."""
    return [(_card(match[0]), match[0]) for match in _ANY_CARD.finditer(line)]


def other_card(expected_cards: Sequence[_ShownCard], actual_cards: Sequence[_ShownCard]) -> Sentence | None:
    """Describe which card is missing, extra, or shown instead of another; return None if more than one is wrong."""
    cards, others = Counter(card for card, _ in expected_cards), Counter(card for card, _ in actual_cards)
    missing, extra = [*(cards - others).elements()], [*(others - cards).elements()]
    if len(expected_cards) == len(actual_cards):
        both = zip(expected_cards, actual_cards, strict=True)
        differing = dict.fromkeys(pair for pair in both if pair[0][0] != pair[1][0])
        if len(differing) != 1:
            return None
        ((expected, actual),) = differing
        return say(
            "{found} is shown where {wanted} is expected", found=_card_words(*actual), wanted=_card_words(*expected)
        )
    if len(missing) == 1 and not extra:
        return say("{card} is missing", card=_card_words(missing[0], dict(expected_cards)[missing[0]]))
    if len(extra) == 1 and not missing:
        return say("{card} is too many", card=_card_words(extra[0], dict(actual_cards)[extra[0]]))
    return None
