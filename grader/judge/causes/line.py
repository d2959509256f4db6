"""Causes that show in the first line that differs.

Causes that show when a text is not printed as UTF-8.
"""

import re
from collections.abc import Callable

from grader.judge.causes.cause import Cause
from grader.judge.causes.characters import differences_between
from grader.judge.evidence import FailureEvidence
from grader.model.judgement import Diagnosis
from grader.text.difference import differing_spans
from grader.text.escape import name
from grader.text.quote import quote, quote_both

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


_CARD = re.compile(r"[\U0001f0a0-\U0001f0ff]|\b(?:10|[2-9AJQK])[♠♥♦♣]|\b(?:10|[2-9TAJQK])[SHDC]\b")


_FIELD = re.compile(r"\{[^\W\d][\w.]{0,40}(?:[-+*/:\[(][^{}\n]{0,40})?\}")


_LONGEST_NUMBER = 18


_LONGEST_LINE = 100_000


def only_one_kind_of_difference(evidence: FailureEvidence) -> Diagnosis | None:
    """The first differing line is right but for one kind of difference; later lines may have others."""
    pair = evidence.pair
    if pair is None:
        return None
    for kind in differences_between(pair.expected, pair.actual):
        return Diagnosis(kind.cause, f"In line {pair.number} {kind.say(pair.expected, pair.actual)}.")
    return None


def number(evidence: FailureEvidence) -> Diagnosis | None:
    """The lines are alike but for a number."""
    pair = evidence.pair
    if pair is None or max(len(pair.expected), len(pair.actual)) > _LONGEST_LINE:
        return None
    if _without_numbers(pair.expected) != _without_numbers(pair.actual):
        return None
    numbers = list(zip(_NUMBER.findall(pair.expected), _NUMBER.finditer(pair.actual), strict=True))
    # Lines that differ in blanks alone have been explained before, so a number differs.
    wanted, match = next(both for both in numbers if both[0] != both[1][0])
    found = match[0]
    word = pair.actual[: match.start()].split()[-1:] if len(numbers) > 1 else []
    which = f"the number after {quote(word[0])}" if word and word[0].isalpha() else "the number"
    by_one = _by_one(wanted, found)
    if by_one:
        said = f"In line {pair.number} {which} is {found}, {by_one} than the expected {wanted}."
    else:
        said = f"In line {pair.number} {which} is {_short(found)}; expected {_short(wanted)}."
    return Diagnosis(Cause.NUMBER, said)


def _without_numbers(line: str) -> str:
    """`line` with all numbers alike and without blanks, which make room for numbers of another length."""
    return _NUMBER.sub("0", line).replace(" ", "")


def _by_one(wanted: str, found: str) -> str | None:
    if "." in wanted + found or max(len(wanted), len(found)) > _LONGEST_NUMBER:
        return None
    return {1: "one more", -1: "one less"}.get(int(found) - int(wanted))


def _short(digits: str) -> str:
    return digits if len(digits) <= _LONGEST_NUMBER else quote(digits)


def wrong_deal(evidence: FailureEvidence) -> Diagnosis | None:
    """The very first card is another one, and hardly anything was right before it, or its line is but for the cards."""
    if evidence.divergence is None or _CARD.search(evidence.expected, 0, evidence.start):
        return None
    if not (_is_early(evidence) or _only_cards_differ(evidence)):
        return None
    expected = _CARD.search(evidence.expected, evidence.start)
    actual = _CARD.search(evidence.actual, evidence.start)
    if expected is None or actual is None or expected[0] == actual[0]:
        return None
    line = evidence.actual.count("\n", 0, actual.start()) + 1
    return Diagnosis(
        Cause.WRONG_DEAL,
        f"The very first card is another one ({actual[0]} in line {line}, expected {expected[0]}): is the deck in "
        "order before shuffle(), is seed() called just before it, and are cards taken from the right end?",
    )


def _only_cards_differ(evidence: FailureEvidence) -> bool:
    pair = evidence.pair
    if pair is None or max(len(pair.expected), len(pair.actual)) > _LONGEST_LINE:
        return False
    expected, actual = (_CARD.sub("", line).split() for line in (pair.expected, pair.actual))
    return expected == actual


def _is_early(evidence: FailureEvidence) -> bool:
    """Whether at most one line is right but those in which something was typed and empty ones."""
    start = evidence.start
    asked = sum(1 for typed in evidence.outcome.typed if typed.offset < start)
    nonempty = [line for line in evidence.expected[:start].split("\n", asked + 20) if line]
    return len(nonempty) - asked <= 1


def symbol(evidence: FailureEvidence) -> Diagnosis | None:
    """One symbol stands where another one is expected."""
    pair = evidence.pair
    if pair is None:
        return None
    start, wanted_end, found_end = differing_spans(pair.expected, pair.actual)
    wanted, found = pair.expected[start:wanted_end], pair.actual[start:found_end]
    is_one = len(wanted) == len(found) == 1
    are_few = 0 < len(wanted) <= 2 and 0 < len(found) <= 2 and " " not in wanted + found
    if (wanted + found).isascii() or not (is_one or are_few):
        return None
    said = f"there is {name(found[0])} where {name(wanted[0])} is expected"
    return Diagnosis(Cause.SYMBOL, f"In line {pair.number} {said}.")


def prefix(evidence: FailureEvidence) -> Diagnosis | None:
    """A line is right but cut short, or right with more behind it."""
    pair = evidence.pair
    if pair is None or not pair.expected or not pair.actual:
        return None
    if pair.expected.startswith(pair.actual):
        missing = quote(pair.expected[len(pair.actual) :])
        return Diagnosis(Cause.LINE_CUT_SHORT, f"Line {pair.number} is cut short: {missing} is missing at its end.")
    if pair.actual.startswith(pair.expected):
        extra = quote(pair.actual[len(pair.expected) :])
        return Diagnosis(Cause.LINE_TOO_LONG, f"Line {pair.number} is right, but then goes on with {extra}.")
    return None


def text(evidence: FailureEvidence) -> Diagnosis | None:
    """Nothing more telling than what stands there."""
    pair = evidence.pair
    if pair is None:
        return None
    wanted, found = quote_both(pair.expected, pair.actual)
    field = _FIELD.search(pair.actual)
    if field and field[0] not in pair.expected:
        hint = f" (is the f before the quotation mark missing, so that {quote(field[0])} is printed as it stands?)"
        return Diagnosis(Cause.TEXT, f"Line {pair.number} is {found}; expected {wanted}{hint}.")
    return Diagnosis(Cause.TEXT, f"Line {pair.number} is {found}; expected {wanted}.")


_BYTE_ORDER_MARK = "\udcff\udcfe\udcef\udcbb\udcbf\ufeff"


_LONGEST = 100_000


def _as_bytes(encoding: str) -> Callable[[str], str]:
    """What is seen of a text that is printed in `encoding`, by one who reads UTF-8."""
    return lambda text: text.encode(encoding, "surrogateescape").decode("utf-8", "surrogateescape")


def _read_as(encoding: str) -> Callable[[str], str]:
    """What becomes of a text in UTF-8 that a program reads in `encoding`, and prints."""
    return lambda text: text.encode("utf-8", "surrogateescape").decode(encoding)


def _replaced(by: str) -> Callable[[str], str]:
    return lambda text: "".join(one if one.isascii() else by for one in text)


_DAMAGES: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("are printed byte by byte, as if UTF-8 were Latin-1", _read_as("latin-1")),
    ("are printed byte by byte, as if UTF-8 were Windows-1252", _read_as("cp1252")),
    ("are printed in Latin-1, not in UTF-8", _as_bytes("latin-1")),
    ("are printed in Windows-1252, not in UTF-8", _as_bytes("cp1252")),
    ("are replaced by question marks", _replaced("?")),
    ("are replaced by U+FFFD (replacement character)", _replaced("\ufffd")),
    ("are printed as escapes", lambda text: text.encode("ascii", "backslashreplace").decode()),
)


def encoding(evidence: FailureEvidence) -> Diagnosis | None:
    """The first differing line is right but for its encoding."""
    pair = evidence.pair
    if pair is None or max(len(pair.expected), len(pair.actual)) > _LONGEST:
        return None
    if _is_utf_16(pair.expected, pair.actual):
        return Diagnosis(Cause.ENCODING, f"Line {pair.number} is printed in UTF-16, not in UTF-8.")
    if pair.expected.isascii():
        return None
    for how, damage in _DAMAGES:
        if _damaged(damage, pair.expected) == pair.actual:
            said = f"In line {pair.number} the characters that are not ASCII {how}{_rest(damage, evidence)}."
            return Diagnosis(Cause.ENCODING, said)
    return None


def _is_utf_16(expected: str, actual: str) -> bool:
    plain = actual.replace("\0", "").lstrip(_BYTE_ORDER_MARK)
    return plain == expected and 2 * actual.count("\0") >= len(expected) > 1


def _damaged(damage: Callable[[str], str], text: str) -> str | None:
    try:
        return damage(text)
    except UnicodeError:
        return None


def _rest(damage: Callable[[str], str], evidence: FailureEvidence) -> str:
    lines = zip(evidence.expected_lines, evidence.actual_lines, strict=False)
    counts = len(evidence.expected_lines) == len(evidence.actual_lines)
    is_all = counts and all(actual in (expected, _damaged(damage, expected)) for expected, actual in lines)
    return "; all else is right" if is_all else ""
