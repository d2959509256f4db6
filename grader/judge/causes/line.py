"""Causes that show in the first line that differs: a number, a symbol, cards, or any other text."""

import re
from collections import Counter
from decimal import Decimal
from typing import NamedTuple

from grader.judge.causes.characters import SUBTLE_CAUSES, differences_between
from grader.judge.evidence import FailureEvidence, LinePair, finds
from grader.model.cause import Cause, CauseSubject
from grader.model.judgement import Diagnosis
from grader.text.difference import differing_spans
from grader.text.escape import name, quote, quote_both
from grader.text.sentence import Sentence, say, say_plural

WRONG_DEAL = Cause("wrong-deal", CauseSubject.PROGRAM)
CARD_NOTATION = Cause("card-notation", CauseSubject.CHARACTERS)
WORD_ORDER = Cause("word-order", CauseSubject.CONTENT)
CARD = Cause("card", CauseSubject.CONTENT)
NUMBER = Cause("number", CauseSubject.CONTENT)
SYMBOL = Cause("symbol", CauseSubject.CONTENT)
LINE_CUT_SHORT = Cause("line-cut-short", CauseSubject.CONTENT)
LINE_TOO_LONG = Cause("line-too-long", CauseSubject.CONTENT)
TEXT = Cause("text", CauseSubject.CONTENT)


_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


_CARD = re.compile(r"[\U0001f0a0-\U0001f0ff]|\b(?:10|[2-9AJQK])[♠♥♦♣]|\b(?:10|[2-9TAJQK])[SHDC]\b")


_ANY_CARD = re.compile(
    r"[\U0001f0a0-\U0001f0ff]"
    r"|(?<!\w)(?P<rank>1[0-3]|[1-9TAJQK]) ?(?P<suit>[♠♥♦♣♤♡♢♧SHDC])(?!\w)"
    r"|(?<!\w)(?P<suit_first>[♠♥♦♣♤♡♢♧SHDC]) ?(?P<rank_last>1[0-3]|[1-9TAJQK])(?!\w)",
    re.IGNORECASE,
)


_RANKS = {"1": "A", "T": "10", "11": "J", "12": "Q", "13": "K"}


_SUITS = str.maketrans("♤♡♢♧SHDC", "♠♥♦♣♠♥♦♣")


_FIELD = re.compile(r"\{[^\W\d][\w.]{0,40}(?:[-+*/:\[(][^{}\n]{0,40})?\}")


_LONGEST_NUMBER = 18


_LONGEST_LINE = 100_000


@finds(*SUBTLE_CAUSES)
def only_one_kind_of_difference(evidence: FailureEvidence) -> Diagnosis | None:
    """The first differing line is right but for one kind of difference; later lines may have others."""
    pair = evidence.pair
    if pair is None:
        return None
    for kind in differences_between(pair.expected, pair.actual):
        said = kind.say(pair.expected, pair.actual)
        return Diagnosis(kind.cause, say("In line {line} {said}.", line=pair.number, said=said))
    return None


@finds(NUMBER)
def number(evidence: FailureEvidence) -> Diagnosis | None:
    """The lines are alike but for a number."""
    pair = evidence.pair
    if pair is None or max(len(pair.expected), len(pair.actual)) > _LONGEST_LINE:
        return None
    if _without_numbers(pair.expected) != _without_numbers(pair.actual):
        return None
    numbers = list(zip(_NUMBER.findall(pair.expected), _NUMBER.finditer(pair.actual), strict=True))
    # Lines that differ in spaces alone have been explained before, so a number differs.
    wanted, match = next(both for both in numbers if both[0] != both[1][0])
    found = match[0]
    word = pair.actual[: match.start()].split()[-1:] if len(numbers) > 1 else []
    is_named = word and word[0].isalpha()
    which = say("the number after {word}", word=quote(word[0])) if is_named else say("the number")
    told = {"line": pair.number, "which": which}
    by_one = _by_one(wanted, found)
    if _is_rounded(wanted, found):
        digits = _digits(len(wanted.partition(".")[2]))
        said = say(
            "In line {line} {which} is {found}; expected {wanted}: it is not rounded to {digits}.",
            found=found,
            wanted=wanted,
            digits=digits,
            **told,
        )
    elif by_one:
        said = say(
            "In line {line} {which} is {found}, {by_one} than the expected {wanted}.",
            found=found,
            wanted=wanted,
            by_one=by_one,
            **told,
        )
    else:
        shown = {"found": _short(found), "wanted": _short(wanted)}
        said = say("In line {line} {which} is {found}; expected {wanted}.", **shown, **told)
    return Diagnosis(NUMBER, said)


def _digits(decimals: int) -> Sentence:
    places = say_plural(decimals, "one decimal place", "{count} decimal places")
    return places if decimals else say("an integer")


def _without_numbers(line: str) -> str:
    """`line` with all numbers alike and without spaces, which make room for numbers of another length."""
    return _NUMBER.sub("0", line).replace(" ", "")


def _by_one(wanted: str, found: str) -> Sentence | None:
    if "." in wanted + found or max(len(wanted), len(found)) > _LONGEST_NUMBER:
        return None
    return {1: say("one more"), -1: say("one less")}.get(int(found) - int(wanted))


def _is_rounded(wanted: str, found: str) -> bool:
    """Whether rounding what was found gives what was wanted."""
    decimals = len(wanted.partition(".")[2])
    if max(len(wanted), len(found)) > _LONGEST_NUMBER or len(found.partition(".")[2]) <= decimals + 1:
        return False
    return round(Decimal(found), decimals) == Decimal(wanted)


def _short(digits: str) -> str:
    return digits if len(digits) <= _LONGEST_NUMBER else quote(digits)


@finds(WRONG_DEAL)
def wrong_deal(evidence: FailureEvidence) -> Diagnosis | None:
    """The very first card is wrong, and hardly anything was right before it, or all but the cards in its line is."""
    if evidence.divergence is None or _CARD.search(evidence.expected, 0, evidence.start):
        return None
    if evidence.pair is not None and _keeps_the_deal(evidence.pair, evidence):
        return None
    if not (_is_early(evidence) or _only_cards_differ(evidence)):
        return None
    expected = _CARD.search(evidence.expected, evidence.start)
    actual = _CARD.search(evidence.actual, evidence.start)
    if expected is None or actual is None or expected[0] == actual[0]:
        return None
    line = evidence.actual.count("\n", 0, actual.start()) + 1
    return Diagnosis(
        WRONG_DEAL,
        say(
            "The first card is wrong ({found} in line {line}, expected {wanted}): is the deck "
            "sorted before shuffle(), is seed() called just before it, and are cards taken from the right end?",
            found=actual[0],
            line=line,
            wanted=expected[0],
        ),
    )


def _keeps_the_deal(pair: LinePair, evidence: FailureEvidence) -> bool:
    """Whether the line says nothing of another deal: none of its cards was dealt in place of an expected one."""
    wanted, found = _cards(pair.expected), _cards(pair.actual)
    if not wanted:
        return False
    if Counter(wanted) == Counter(found):
        return _same_cards_line_by_line(evidence)
    return not found or not (Counter(found) - Counter(wanted) and Counter(wanted) - Counter(found))


def _same_cards_line_by_line(evidence: FailureEvidence) -> bool:
    """Whether hands are only shown in another order; a deal of other cards may begin with the same ones."""
    lines = zip(evidence.expected_lines, evidence.actual_lines, strict=False)
    return all(Counter(_CARD.findall(one)) == Counter(_CARD.findall(other)) for one, other in lines)


def _only_cards_differ(evidence: FailureEvidence) -> bool:
    pair = evidence.pair
    if pair is None or max(len(pair.expected), len(pair.actual)) > _LONGEST_LINE:
        return False
    expected, actual = (_CARD.sub("", line).split() for line in (pair.expected, pair.actual))
    return expected == actual


def _is_early(evidence: FailureEvidence) -> bool:
    """Whether at most one line is right but those in which something was typed and blank ones."""
    start = evidence.start
    asked = sum(1 for typed in evidence.outcome.typed if typed.offset < start)
    nonempty = [line for line in evidence.expected[:start].split("\n", asked + 20) if line]
    return len(nonempty) - asked <= 1


class _Card(NamedTuple):
    """A card, however it is written."""

    rank: str
    suit: str


def _cards(line: str) -> list[_Card]:
    return [_card(match) for match in _ANY_CARD.finditer(line[:_LONGEST_LINE])]


def _card(match: re.Match[str]) -> _Card:
    rank, suit = match["rank"] or match["rank_last"], match["suit"] or match["suit_first"]
    if rank is None:
        return _Card(match[0], "")
    return _Card(_RANKS.get(rank.upper(), rank.upper()), suit.upper().translate(_SUITS))


def _without_cards(line: str) -> str:
    """What a line says of other things, without what separates cards."""
    return re.sub(r"[ ,]+", "", _ANY_CARD.sub("", line))


@finds(CARD_NOTATION)
def card_notation(evidence: FailureEvidence) -> Diagnosis | None:
    """The cards are right, but all of them that differ are written in another way than asked for."""
    pair = evidence.pair
    if pair is None or not _CARD.search(pair.expected) or _cards(pair.expected) != _cards(pair.actual):
        return None
    if _without_cards(pair.expected) != _without_cards(pair.actual):
        return None
    both = zip(_ANY_CARD.finditer(pair.expected), _ANY_CARD.finditer(pair.actual), strict=True)
    differing = [(wanted[0], found[0]) for wanted, found in both if wanted[0] != found[0]]
    if not differing:
        return None
    wanted, found = quote_both(*differing[0])
    return Diagnosis(
        CARD_NOTATION,
        say(
            "In line {line} the cards are right, but written in another way: {found}, expected {wanted}.",
            line=pair.number,
            found=found,
            wanted=wanted,
        ),
    )


_ORDERED = ((say("cards"), _CARD), (say("numbers"), _NUMBER), (say("words"), re.compile(r"[^\s,]+")))


@finds(WORD_ORDER)
def word_order(evidence: FailureEvidence) -> Diagnosis | None:
    """The line has the right cards, numbers or words, but in another order."""
    pair = evidence.pair
    if pair is None or max(len(pair.expected), len(pair.actual)) > _LONGEST_LINE:
        return None
    for what, pattern in _ORDERED:
        expected, actual = pattern.findall(pair.expected), pattern.findall(pair.actual)
        same_rest = pattern.sub("0", pair.expected) == pattern.sub("0", pair.actual)
        if same_rest and expected != actual and Counter(expected) == Counter(actual):
            if pattern is _CARD and not _same_cards_line_by_line(evidence):
                return None
            wanted, found = quote_both(pair.expected, pair.actual)
            told = {"line": pair.number, "what": what, "found": found, "wanted": wanted}
            said = say("Line {line} has the right {what} in another order: {found}; expected {wanted}.", **told)
            return Diagnosis(WORD_ORDER, said)
    return None


@finds(CARD)
def card(evidence: FailureEvidence) -> Diagnosis | None:
    """The lines are alike but for a card: another one, one that is missing, or one too many."""
    pair = evidence.pair
    if pair is None or not _CARD.search(pair.expected) or _without_cards(pair.expected) != _without_cards(pair.actual):
        return None
    wanted, found = ([match[0] for match in _CARD.finditer(line)] for line in (pair.expected, pair.actual))
    if pair.expected.startswith(pair.actual) or pair.actual.startswith(pair.expected):
        return None
    missing, extra = Counter(wanted) - Counter(found), Counter(found) - Counter(wanted)
    match [*missing.elements()], [*extra.elements()]:
        case [one], []:
            said = say("the card {card} is missing", card=one)
        case [], [other]:
            said = say("the card {card} is too many", card=other)
        case [one], [other] if sum(is_now != should for is_now, should in zip(found, wanted, strict=True)) == 1:
            said = say("the card {card} stands in place of {wanted}", card=other, wanted=one)
        case _:
            return None
    return Diagnosis(CARD, say("In line {line} {said}.", line=pair.number, said=said))


@finds(SYMBOL)
def symbol(evidence: FailureEvidence) -> Diagnosis | None:
    """The lines are alike but for one symbol."""
    pair = evidence.pair
    if pair is None:
        return None
    start, wanted_end, found_end = differing_spans(pair.expected, pair.actual)
    wanted, found = pair.expected[start:wanted_end], pair.actual[start:found_end]
    is_one = len(wanted) == len(found) == 1
    are_few = 0 < len(wanted) <= 2 and 0 < len(found) <= 2 and " " not in wanted + found
    # What begins with a letter or digit is a part of a card or word, of which the line says more.
    are_symbols = are_few and not any(one.isascii() for one in wanted[0] + found[0])
    if (wanted + found).isascii() or not (is_one or are_symbols):
        return None
    told = {"line": pair.number, "found": name(found[0]), "wanted": name(wanted[0])}
    return Diagnosis(SYMBOL, say("In line {line} there is {found} where {wanted} is expected.", **told))


@finds(LINE_CUT_SHORT, LINE_TOO_LONG)
def prefix(evidence: FailureEvidence) -> Diagnosis | None:
    """A line is right but cut short, or right with more after it."""
    pair = evidence.pair
    if pair is None or not pair.expected or not pair.actual:
        return None
    if pair.expected.startswith(pair.actual):
        missing = quote(pair.expected[len(pair.actual) :])
        said = say("Line {line} is cut short: {text} is missing at its end.", line=pair.number, text=missing)
        return Diagnosis(LINE_CUT_SHORT, said)
    if pair.actual.startswith(pair.expected):
        extra = quote(pair.actual[len(pair.expected) :])
        said = say("Line {line} is right, but then goes on with {text}.", line=pair.number, text=extra)
        return Diagnosis(LINE_TOO_LONG, said)
    return None


@finds(TEXT)
def text(evidence: FailureEvidence) -> Diagnosis | None:
    """The line differs for no reason that is easily named."""
    pair = evidence.pair
    if pair is None:
        return None
    wanted, found = quote_both(pair.expected, pair.actual)
    told = {"line": pair.number, "found": found, "wanted": wanted}
    field = _FIELD.search(pair.actual)
    if field and field[0] not in pair.expected:
        said = say(
            "Line {line} is {found}; expected {wanted} "
            "(is the f before the quotation mark missing, so that {field} is printed as it stands?).",
            field=quote(field[0]),
            **told,
        )
        return Diagnosis(TEXT, said)
    return Diagnosis(TEXT, say("Line {line} is {found}; expected {wanted}.", **told))
