"""Differences that are hard to see: characters that are invisible or look alike, and blank lines."""

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from grader.judge.evidence import FailureEvidence, finds
from grader.model.cause import Cause, CauseSubject
from grader.model.judgement import Diagnosis
from grader.text.difference import common_prefix
from grader.text.escape import LOOK_ALIKES, escape_controls, name, quote

TRAILING_WHITESPACE = Cause("trailing-whitespace", CauseSubject.CHARACTERS, formerly=("trailing-blanks",))
SPACING = Cause("spacing", CauseSubject.CHARACTERS, formerly=("blanks",))
TABS = Cause("tabs", CauseSubject.CHARACTERS)
CASE = Cause("case", CauseSubject.CHARACTERS)
VARIATION_SELECTOR = Cause("variation-selector", CauseSubject.CHARACTERS)
INVISIBLE_CHARACTER = Cause("invisible-character", CauseSubject.CHARACTERS)
CARRIAGE_RETURN = Cause("carriage-return", CauseSubject.CHARACTERS)
ANSI_ESCAPE = Cause("ansi-escape", CauseSubject.CHARACTERS, formerly=("colour",))
CONFUSABLE_CHARACTER = Cause("confusable-character", CauseSubject.CHARACTERS, formerly=("look-alike",))
UNICODE_NORMALIZATION = Cause("unicode-normalization", CauseSubject.CHARACTERS, formerly=("composition",))
BLANK_LINE = Cause("blank-line", CauseSubject.LINES, formerly=("empty-line",))
FINAL_NEWLINE = Cause("final-newline", CauseSubject.LINES, formerly=("last-line-end",))


_SELECTORS = re.compile("[\ufe00-\ufe0f]")


_INVISIBLE = re.compile("[\x00\x07\x08\x7f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


_ANSI_ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


_WORD = re.compile(r"\S{1,30}")


_NUMBERS = {0: "none", 1: "one"}


_LONGEST = 100_000


# Putting marks in their normal order takes time in proportion to the square of their number.
_LONGEST_COMPOSED = 500


@dataclass(frozen=True)
class SubtleDifference:
    """A kind of difference. `say` words it for an expected and an actual text that differ only so."""

    cause: Cause
    rewrite: Callable[[str], str]
    say: Callable[[str, str], str]


def _trailing_whitespace(expected: str, actual: str) -> str:
    more = len(actual) - len(expected)
    ends = (actual if more > 0 else expected)[min(len(expected), len(actual)) :]
    what = "space" if "\t" not in ends else "tab" if " " not in ends else "space or tab"
    if not expected:
        return f"there {_are(more, what)}, but it should be empty"
    if more == 0:
        return "spaces and tabs at the end are mixed up"
    if more > 0:
        return f"there {_are(more, f'extra {what}')} at the end"
    return f"{_count(-more, what)} {'is' if more == -1 else 'are'} missing at the end"


def _are(count: int, what: str = "space") -> str:
    return f"{'is' if count == 1 else 'are'} {_count(count, what)}"


def _count(count: int, what: str) -> str:
    return f"one {what}" if count == 1 else f"{count} {what.replace(' or ', 's or ')}s"


def _tabs(expected: str, actual: str) -> str:
    wanted, found = expected.count("\t"), actual.count("\t")
    if not found and actual.count(" ") > expected.count(" "):
        return "there are spaces where a tab is expected"
    if not wanted and actual.count(" ") < expected.count(" "):
        return f"there {_are(found, 'tab').replace('one', 'a')} where spaces are expected"
    if wanted == found:
        return "the tabs are in the wrong place"
    return f"there {_are(found, 'tab') if found else 'is no tab'}, expected {_NUMBERS.get(wanted, wanted)}"


def _spacing(expected: str, actual: str) -> str:
    """Where the first run of spaces of another length is, and how long it is."""
    column = common_prefix(expected, actual)
    start = len(expected[:column].rstrip(" "))
    wanted, found = _run(expected, start), _run(actual, start)
    following = _WORD.match(expected, start + wanted)
    at_end = start + wanted == len(expected)
    where = f" before {quote(following[0])}" if following else " at the end" if at_end else " before a tab"
    more = sum(one != other for one, other in zip(_gaps(expected), _gaps(actual), strict=True)) - 1
    others = f" (and {'one more place' if more == 1 else f'{more} more places'} in the line)" if more > 0 else ""
    found_here = _are(found) if found else "is no space"
    return f"there {found_here}{where}, expected {_NUMBERS.get(wanted, wanted)}{others}"


def _gaps(text: str) -> list[int]:
    """How many spaces stand before each other character, and at the end."""
    gaps = [0]
    for one in text:
        if one == " ":
            gaps[-1] += 1
        else:
            gaps.append(0)
    return gaps


def _run(text: str, start: int) -> int:
    end = start
    while end < len(text) and text[end] == " ":
        end += 1
    return end - start


def _invisible(pattern: re.Pattern[str]) -> Callable[[str, str], str]:
    def say(expected: str, actual: str) -> str:
        column = common_prefix(expected, actual)
        extra = pattern.match(actual, column)
        found = extra or pattern.match(expected, column)
        character = name(found[0]) if found else "of this kind"
        before = next((one for one in reversed(expected[:column]) if not pattern.match(one)), "")
        where = f"after {escape_controls(before)}" if before.strip() else f"at character {column + 1}"
        if extra:
            return f"there is an extra invisible character, {character}, {where}"
        return f"the invisible character {character} is missing {where}"

    return say


def _carriage_return(expected: str, actual: str) -> str:
    more = actual.count("\r") > expected.count("\r")
    return "there is an extra carriage return (U+000D)" if more else "a carriage return (U+000D) is missing"


def _ansi_escape(expected: str, actual: str) -> str:
    more = actual.count("\x1b") > expected.count("\x1b")
    return (
        "there are terminal commands, such as for colours or to clear the screen"
        if more
        else "terminal commands are missing or differ"
    )


def _case(expected: str, actual: str) -> str:
    column = common_prefix(expected, actual)
    start = max(expected.rfind(" ", 0, column), expected.rfind("\t", 0, column)) + 1
    wanted, found = _WORD.match(expected, start), _WORD.match(actual, start)
    words = f": {quote(found[0])}, expected {quote(wanted[0])}" if wanted and found and wanted[0] != found[0] else ""
    return f"capital and small letters differ{words}"


def _confusable_character(expected: str, actual: str) -> str:
    column = common_prefix(expected, actual)
    return f"there is {name(actual[column])} where {name(expected[column])} is expected, which looks alike"


def _unicode_normalization(expected: str, actual: str) -> str:
    longer = len(actual) > len(expected)
    is_now, should = ("several characters", "one") if longer else ("one character", "several")
    return f"an accented letter is written as {is_now} instead of {should}, though it looks the same"


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text) if len(text) <= _LONGEST_COMPOSED else text


SUBTLE_DIFFERENCES: tuple[SubtleDifference, ...] = (
    SubtleDifference(TRAILING_WHITESPACE, lambda text: text.rstrip(" \t"), _trailing_whitespace),
    SubtleDifference(VARIATION_SELECTOR, lambda text: _SELECTORS.sub("", text), _invisible(_SELECTORS)),
    SubtleDifference(INVISIBLE_CHARACTER, lambda text: _INVISIBLE.sub("", text), _invisible(_INVISIBLE)),
    SubtleDifference(CARRIAGE_RETURN, lambda text: text.replace("\r", ""), _carriage_return),
    SubtleDifference(ANSI_ESCAPE, lambda text: _ANSI_ESCAPE.sub("", text), _ansi_escape),
    SubtleDifference(SPACING, lambda text: text.replace(" ", ""), _spacing),
    SubtleDifference(TABS, lambda text: text.replace(" ", "").replace("\t", ""), _tabs),
    SubtleDifference(CASE, str.casefold, _case),
    SubtleDifference(CONFUSABLE_CHARACTER, lambda text: text.translate(LOOK_ALIKES), _confusable_character),
    SubtleDifference(UNICODE_NORMALIZATION, _composed, _unicode_normalization),
)
"""In the order in which they are tried."""

SUBTLE_CAUSES = tuple(kind.cause for kind in SUBTLE_DIFFERENCES)


def differences_between(expected: str, actual: str) -> Iterator[SubtleDifference]:
    """The kinds that alone explain how two different lines differ; none for extremely long lines."""
    if max(len(expected), len(actual)) > _LONGEST:
        return
    for kind in SUBTLE_DIFFERENCES:
        if kind.rewrite(expected) == kind.rewrite(actual):
            yield kind


@finds(*SUBTLE_CAUSES)
def only_one_kind_of_difference(evidence: FailureEvidence) -> Diagnosis | None:
    """All lines are right but for one kind of difference."""
    pair = evidence.pair
    if pair is None or len(evidence.expected_lines) != len(evidence.actual_lines):
        return None
    for kind in differences_between(pair.expected, pair.actual):
        differing = [
            (expected, actual)
            for expected, actual in zip(evidence.expected_lines, evidence.actual_lines, strict=True)
            if expected != actual
        ]
        if all(kind.rewrite(expected) == kind.rewrite(actual) for expected, actual in differing):
            said = kind.say(pair.expected, pair.actual)
            return Diagnosis(kind.cause, f"In line {pair.number} {said}{_more(len(differing) - 1)}.")
    return None


def _more(others: int) -> str:
    if not others:
        return "; all else is right"
    return f"; {others} more line{'s differ' if others > 1 else ' differs'} in this way, all else is right"


@finds(BLANK_LINE)
def only_blank_lines(evidence: FailureEvidence) -> Diagnosis | None:
    """All lines are right but for blank ones."""
    divergence = evidence.divergence
    if divergence is None or list(filter(None, evidence.expected_lines)) != list(filter(None, evidence.actual_lines)):
        return None
    missing = len(evidence.expected_lines) - len(evidence.actual_lines)
    if divergence.expected == "" and divergence.actual != "":
        said, others = f"A blank line is missing at line {divergence.line}", missing - 1
    elif divergence.actual == "" and divergence.expected != "":
        said, others = f"There is an extra blank line at line {divergence.line}", -missing - 1
    else:
        return None
    return Diagnosis(BLANK_LINE, f"{said}{_elsewhere(others)}; all else is right.")


def _elsewhere(others: int) -> str:
    if others < 0:
        return ", and other blank lines are in the wrong place"
    return f", and {others} more further on" if others else ""


@finds(FINAL_NEWLINE)
def only_final_newline(evidence: FailureEvidence) -> Diagnosis | None:
    """All is right but for the very last newline."""
    if evidence.expected == evidence.actual + "\n":
        return Diagnosis(FINAL_NEWLINE, "The newline after the last line is missing; all else is right.")
    if evidence.expected + "\n" == evidence.actual:
        return Diagnosis(FINAL_NEWLINE, "There is an extra newline after the last line; all else is right.")
    return None


ENCODING = Cause("encoding", CauseSubject.CHARACTERS)

_BYTE_ORDER_MARK = "\udcff\udcfe\udcef\udcbb\udcbf\ufeff"


_LONGEST_NAME = 100_000


def _as_bytes(encoding: str) -> Callable[[str], str]:
    """What a reader of UTF-8 sees of text that is printed in `encoding`."""
    return lambda text: text.encode(encoding, "surrogateescape").decode("utf-8", "surrogateescape")


def _read_as(encoding: str) -> Callable[[str], str]:
    """What becomes of text in UTF-8 that a program reads in `encoding` and prints."""
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


@finds(ENCODING)
def encoding(evidence: FailureEvidence) -> Diagnosis | None:
    """The first differing line is right but for its encoding."""
    pair = evidence.pair
    if pair is None or max(len(pair.expected), len(pair.actual)) > _LONGEST_NAME:
        return None
    if _is_utf_16(pair.expected, pair.actual):
        return Diagnosis(ENCODING, f"Line {pair.number} is printed in UTF-16, not in UTF-8.")
    if pair.expected.isascii():
        return None
    for how, damage in _DAMAGES:
        if _damaged(damage, pair.expected) == pair.actual:
            said = f"In line {pair.number} the characters that are not ASCII {how}{_rest(damage, evidence)}."
            return Diagnosis(ENCODING, said)
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
