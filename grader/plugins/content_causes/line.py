"""Causes visible in the first differing line: a number, a symbol, or any other text."""

import re
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from itertools import islice

from grader.judge.causes.text import TEXT
from grader.judge.causes.text import text as plain_text
from grader.judge.evidence import FailureEvidence, LinePair, finds_in_line
from grader.model.cause import Cause, CauseSubject
from grader.model.judgement import Diagnosis
from grader.plugins.content_causes.characters import SUBTLE_DIFFERENCES, differences_between
from grader.text.difference import FirstDifference, differing_spans, find_first_difference, without_numbers
from grader.text.escape import name, quote, quote_both
from grader.text.sentence import Sentence, say, say_plural

NUMBER = Cause("number", CauseSubject.CONTENT, answers_input=True)
"""A line is right except for a number.

> After the input `167`: in line 3 the number of lines is 774, one more than the expected 773.

Work out the case by hand. If the number is off by one, check where the counting starts and ends.
"""
SYMBOL = Cause("symbol", CauseSubject.CONTENT, answers_input=True)
"""A line is right except for a single symbol, such as an emoji or an unreadable character.

> In line 2 there is U+1F61E (disappointed face) where U+2639 (white frowning face) is expected.

Compare its code with the one in the handout.
"""
LINE_CUT_SHORT = Cause("line-cut-short", CauseSubject.CONTENT, answers_input=True)
"""The line is right, but its end is missing.

> Line 2 is cut short: ` ☹️` is missing at its end.

> Line 2 has 18 `=` in a row; expected 20.

Print the missing text.
"""
LINE_TOO_LONG = Cause("line-too-long", CauseSubject.CONTENT, answers_input=True, surplus=True)
"""The line is right, but more text follows.

> Line 2 is right, but then goes on with ` Bye`.

Remove the rest, or start a new line earlier if the rest is expected on the next line.
"""
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_WORD_BEFORE = re.compile(r"(?<![^\W\d_])[^\W\d_]+ ?(?P<mark>[:#=]?)\s*\Z")
_LABEL = re.compile(r"\b[A-Z][^\W\d_]+ \Z")
"""A name that includes a number, such as `Player 2`: that number is not an amount."""
_LINES = re.compile(r"(?<!\d)(?P<number>\d+) lines\b")
_TALLEST = 200
_FIELD = re.compile(r"\{[^\W\d][\w.]{0,40}(?:[-+*/:\[(][^{}\n]{0,40})?\}")
_LONGEST_NUMBER = 18
_LONGEST_LABEL = 2
_LONGEST_LINE = 100_000
_SEVERAL_WORDS = 8
_SEVERAL_CELLS = 3


@finds_in_line(*SUBTLE_DIFFERENCES)
def only_one_kind_of_difference(_: FailureEvidence, pair: LinePair) -> Diagnosis | None:
    """Diagnose a first differing line with one kind of difference; later lines may have others."""
    for kind in differences_between(pair.expected, pair.actual):
        sentence = kind.say(pair.expected, pair.actual)
        return Diagnosis(kind.cause, say("In line {line} {said}.", line=pair.number, said=sentence))
    return None


@finds_in_line(NUMBER)
def number(evidence: FailureEvidence, pair: LinePair) -> Diagnosis | None:
    """Diagnose lines that differ in a number."""
    if max(len(pair.expected), len(pair.actual)) > _LONGEST_LINE:
        return None
    if without_numbers(pair.expected) != without_numbers(pair.actual):
        return None
    numbers = list(zip(_NUMBER.findall(pair.expected), _NUMBER.finditer(pair.actual), strict=True))
    # Lines that differ only in spaces have been explained before, so a number differs.
    expected, match = next(both for both in numbers if both[0] != both[1][0])
    actual = match[0]
    more = lines_too_many(evidence)
    if more:
        return Diagnosis(NUMBER, _counted_lines(pair, expected, actual, more))
    before = pair.actual[: match.start()]
    label = _LABEL.search(before)
    if label and max(len(expected), len(actual)) <= _LONGEST_LABEL and not _column_head(evidence, before):
        values = {"found": quote(f"{label[0]}{actual}"), "wanted": quote(f"{label[0]}{expected}"), "line": pair.number}
        return Diagnosis(NUMBER, say("In line {line} there is {found} where {wanted} is expected.", **values))
    which = _which_number(evidence, before, alone=len(numbers) == 1)
    sentence = _other_number(expected, actual, {"line": pair.number, "which": which})
    return Diagnosis(NUMBER, sentence, _whole_row(pair))


def lines_too_many(evidence: FailureEvidence) -> int | None:
    """Return how many extra lines a line such as `There are 857 lines` counts; negative if it counts too few."""
    pair = evidence.pair
    counts = [_LINES.search(text[:_LONGEST_LINE]) for text in (pair.expected, pair.actual)] if pair else []
    numbers = [count["number"] for count in counts if count]
    if pair is None or len(numbers) < 2 or max(map(len, numbers)) > _LONGEST_NUMBER:
        return None
    is_all = len(_NUMBER.findall(pair.expected)) == 1 and without_numbers(pair.expected) == without_numbers(pair.actual)
    return int(numbers[1]) - int(numbers[0]) if is_all else None


def _counted_lines(pair: LinePair, expected: str, actual: str, more: int) -> Sentence:
    """Describe how many lines are extra or missing."""
    many = say("{number} more", number=more) if more > 0 else say("{number} fewer", number=-more)
    values = {"line": pair.number, "found": actual, "wanted": expected, "difference": _by_one(expected, actual) or many}
    return say("In line {line} the number of lines is {found}, {difference} than the expected {wanted}.", **values)


def _whole_row(pair: LinePair) -> FirstDifference | None:
    """Return the difference from the start of a table's row if several cells differ, so that no column explains it."""
    expected, actual = (line[:_LONGEST_LINE].split("|") for line in (pair.expected, pair.actual))
    differing = sum(
        expected_cell.split() != cell.split() for expected_cell, cell in zip(expected, actual, strict=False)
    )
    if len(expected) != len(actual) or differing < 2:
        return None
    return FirstDifference(pair.number, 1, pair.expected, pair.actual)


def _which_number(evidence: FailureEvidence, before: str, *, alone: bool) -> Sentence:
    """Name a number by the heading of its column, or by the word before it."""
    head = _column_head(evidence, before)
    if head:
        return say("the number under {word}", word=quote(head))
    word = _WORD_BEFORE.search(before)
    is_named = word is not None and (word["mark"] or not alone)
    return say("the number after {word}", word=quote(word[0].strip())) if word and is_named else say("the number")


def _column_head(evidence: FailureEvidence, before: str) -> str | None:
    """Return the heading of the column in which `before` ends, in a table with bars between its columns."""
    line = evidence.divergence.line - 1 if evidence.divergence else 0
    bars = evidence.expected_lines[line].count("|")
    heads = (text for text in evidence.expected_lines[max(line - _TALLEST, 0) : line] if text.count("|") == bars > 0)
    head = next((text for text in heads if not _NUMBER.search(text)), None)
    return head.split("|")[before.count("|")].strip() or None if head else None


def _other_number(expected: str, actual: str, place: Mapping[str, object]) -> Sentence:
    """Describe how a number is wrong; `place` describes its location."""
    digits = _digits(len(expected.partition(".")[2]))
    shown = {"found": _short(actual), "wanted": _short(expected), **place}
    by_one = _by_one(expected, actual)
    if _is_equal(expected, actual):
        return say("In line {line} {which} is {found}; expected {wanted}, with {digits}.", digits=digits, **shown)
    if _is_rounded(expected, actual):
        return say(
            "In line {line} {which} is {found}; expected {wanted}: it is not rounded to {digits}.",
            digits=digits,
            **shown,
        )
    if by_one:
        return say("In line {line} {which} is {found}, {by_one} than the expected {wanted}.", by_one=by_one, **shown)
    return say("In line {line} {which} is {found}; expected {wanted}.", **shown)


def accept_printed_numbers(evidence: FailureEvidence) -> FailureEvidence | None:
    """Return the evidence with the printed numbers accepted, up to the first line with another difference.

    Return None if that line follows immediately, because then the number is part of the same fault.
    """
    first = evidence.divergence.line if evidence.divergence else 0
    expected, actual = evidence.expected_lines, evidence.actual_lines
    has_right_lines, index = False, first
    for expected_line, actual_line in zip(islice(expected, first, None), islice(actual, first, None), strict=False):
        if expected_line != actual_line and without_numbers(expected_line) != without_numbers(actual_line):
            break
        has_right_lines = has_right_lines or (expected_line == actual_line and bool(expected_line.strip()))
        index += 1
    mended = "".join(f"{text}\n" for text in (*actual[:index], *expected[index:]))
    mended = mended if evidence.expected.endswith("\n") else mended.removesuffix("\n")
    difference = find_first_difference(mended, evidence.actual)
    return replace(evidence, expected=mended, divergence=difference) if has_right_lines and difference else None


def _digits(decimals: int) -> Sentence:
    places = say_plural(decimals, "one decimal place", "{count} decimal places")
    return places if decimals else say("an integer")


def _by_one(expected: str, actual: str) -> Sentence | None:
    if "." in expected + actual or max(len(expected), len(actual)) > _LONGEST_NUMBER:
        return None
    return {1: say("one more"), -1: say("one less")}.get(int(actual) - int(expected))


def _is_equal(expected: str, actual: str) -> bool:
    """Return whether both are the same number with a different number of decimal places."""
    return (
        "." in expected and max(len(expected), len(actual)) <= _LONGEST_NUMBER and Decimal(expected) == Decimal(actual)
    )


def _is_rounded(expected: str, actual: str) -> bool:
    """Return whether the expected number is the printed one, rounded."""
    decimals = len(expected.partition(".")[2])
    if max(len(expected), len(actual)) > _LONGEST_NUMBER or len(actual.partition(".")[2]) <= decimals + 1:
        return False
    return round(Decimal(actual), decimals) == Decimal(expected)


def _short(digits: str) -> str:
    return digits if len(digits) <= _LONGEST_NUMBER else quote(digits)


@finds_in_line(SYMBOL)
def symbol(_: FailureEvidence, pair: LinePair) -> Diagnosis | None:
    """Diagnose lines that differ in one symbol."""
    start, wanted_end, found_end = differing_spans(pair.expected, pair.actual)
    expected, actual = pair.expected[start:wanted_end], pair.actual[start:found_end]
    is_one = len(expected) == len(actual) == 1
    are_few = 0 < len(expected) <= 2 and 0 < len(actual) <= 2 and " " not in expected + actual
    # Text that begins with a letter or digit is part of a card or word, and the whole line explains it better.
    are_symbols = are_few and not any(character.isascii() for character in expected[0] + actual[0])
    if (expected + actual).isascii() or not (is_one or are_symbols):
        return None
    values = {"line": pair.number, "found": name(actual[0]), "wanted": name(expected[0])}
    return Diagnosis(SYMBOL, say("In line {line} there is {found} where {wanted} is expected.", **values))


@finds_in_line(LINE_CUT_SHORT, LINE_TOO_LONG)
def prefix(_: FailureEvidence, pair: LinePair) -> Diagnosis | None:
    """Diagnose a line that is right but cut short, or right with more after it."""
    if not pair.expected or not pair.actual:
        return None
    if pair.expected.startswith(pair.actual):
        values = {"line": pair.number, "text": quote(pair.expected[len(pair.actual) :])}
        return Diagnosis(LINE_CUT_SHORT, say("Line {line} is cut short: {text} is missing at its end.", **values))
    if pair.actual.startswith(pair.expected):
        values = {"line": pair.number, "text": quote(pair.actual[len(pair.expected) :])}
        return Diagnosis(LINE_TOO_LONG, say("Line {line} is right, but then goes on with {text}.", **values))
    return None


@finds_in_line(TEXT)
def text(evidence: FailureEvidence, pair: LinePair) -> Diagnosis | None:
    """Diagnose a line with a difference that no other cause explains."""
    expected, actual = quote_both(pair.expected, pair.actual)
    values = {"line": pair.number, "found": actual, "wanted": expected}
    field = _FIELD.search(pair.actual)
    if field and field[0] not in pair.expected:
        sentence = say(
            "Line {line} is {found}; expected {wanted} "
            "(is the f before the quotation mark missing, so that {field} is printed as it stands?).",
            field=quote(field[0]),
            **values,
        )
        return Diagnosis(TEXT, sentence)
    word = other_word(pair)
    if word:
        values["wanted"], values["found"] = word
        return Diagnosis(TEXT, say("In line {line} there is {found} where {wanted} is expected.", **values))
    plain = plain_text(evidence)
    return None if plain is None else replace(plain, telling=_whole_row(pair))


def other_word(pair: LinePair) -> tuple[str, str] | None:
    """Return the only cell or word that differs, quoted on both sides."""
    return _other_cell(pair.expected, pair.actual) or _other_word(pair.expected, pair.actual)


def _other_cell(expected: str, actual: str) -> tuple[str, str] | None:
    """Return the only cell that differs in lines of cells between tabs, quoted on both sides."""
    expected_cells, actual_cells = (line[:_LONGEST_LINE].split("\t") for line in (expected, actual))
    differing = [
        (expected_cell.strip(), actual_cell.strip())
        for expected_cell, actual_cell in zip(expected_cells, actual_cells, strict=False)
        if expected_cell != actual_cell
    ]
    is_clear = len(differing) == 1 and len(expected_cells) == len(actual_cells) >= _SEVERAL_CELLS and all(differing[0])
    return quote_both(*differing[0]) if is_clear else None


def _other_word(expected: str, actual: str) -> tuple[str, str] | None:
    """Return the only word that differs in lines of several words, quoted on both sides."""
    expected_words, actual_words = (re.split(r"(\s+)", line[:_LONGEST_LINE]) for line in (expected, actual))
    differing = [both for both in zip(expected_words, actual_words, strict=False) if both[0] != both[1]]
    is_clear = len(differing) == 1 and all(map(str.strip, differing[0])) and len(expected.split()) >= _SEVERAL_WORDS
    return quote_both(*differing[0]) if is_clear and len(expected_words) == len(actual_words) else None
