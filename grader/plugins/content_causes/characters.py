"""Differences that are hard to see: characters that are invisible or look alike, and blank lines."""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from grader.judge.as_printed import without_ignored_end
from grader.judge.evidence import FailureEvidence, LinePair, finds, finds_in_line
from grader.model.cause import Cause, CauseSubject
from grader.model.judgement import Diagnosis
from grader.model.test import SideOutput
from grader.text.difference import common_prefix
from grader.text.escape import ANSI_ESCAPE_CODE, LOOK_ALIKES, escape_controls, name, quote
from grader.text.sentence import Sentence, say, say_plural

TRAILING_WHITESPACE = Cause("trailing-whitespace", CauseSubject.CHARACTERS)
"""There are invisible spaces or tabs at the end of a line, or some are missing.

> In line 2 there is one extra space at the end; all else is right.

Join the parts with `' '.join(…)`, or use `rstrip()`.
"""
SPACING = Cause("spacing", CauseSubject.CHARACTERS)
"""There are too few or too many spaces.

> In line 4 there are 3 spaces before `🂧`, expected 4 (and 2 more places in the line); 1 more line differs in this
> way, all else is right.

Count the spaces in the handout, and print columns with a width, as in `f'{n:>20}'`.
"""
TABS = Cause("tabs", CauseSubject.CHARACTERS)
r"""There are too few or too many tabs, spaces instead of tabs, or tabs instead of spaces.

> In line 15 there are spaces where a tab is expected; 239 more lines differ in this way, all else is right.

Use `\t` exactly where the handout asks for it.
"""
CASE = Cause("case", CauseSubject.CHARACTERS)
"""Uppercase and lowercase letters differ.

> In the prompt in line 1 uppercase and lowercase letters differ: `enter`, expected `Enter`; all else is right.

Copy the text from the handout.
"""
VARIATION_SELECTOR = Cause("variation-selector", CauseSubject.CHARACTERS)
r"""An invisible character that follows many emoji is missing, or there is one too many. With or without it, the emoji
look the same.

> In line 2 the invisible character U+FE0F (variation selector-16) is missing after ☹; all else is right.

Copy the emoji from the handout, or write the character as `\ufe0f`.
"""
INVISIBLE_CHARACTER = Cause("invisible-character", CauseSubject.CHARACTERS)
"""The text contains another invisible character, often copied from a web page or PDF file.

> In line 2 there is an extra invisible character, U+200B (zero width space), after !; all else is right.

Delete the text around it and type it again.
"""
CARRIAGE_RETURN = Cause("carriage-return", CauseSubject.CHARACTERS)
r"""The program prints a `\r` that is not expected, or one is missing.

> In line 2 there is an extra carriage return (U+000D); all else is right.

Strip the lines that you read from files, and do not print `\r`.
"""
ANSI_ESCAPE = Cause("ansi-escape", CauseSubject.CHARACTERS)
"""The program prints terminal commands, for example to change colours or clear the screen.

> In line 2 there are terminal commands, such as for colours or to clear the screen; all else is right.

Only print plain text.
"""
CONFUSABLE_CHARACTER = Cause("confusable-character", CauseSubject.CHARACTERS)
"""A character looks like another one, such as a long dash, curly quotes or a special space.

> In line 4 there is U+2500 (box drawings light horizontal) where U+002D (hyphen-minus) is expected, which looks
> alike; all else is right.

Type the plain character on your keyboard.
"""
UNICODE_NORMALIZATION = Cause("unicode-normalization", CauseSubject.CHARACTERS)
"""An accented letter is encoded differently, although it looks the same.

> In line 2 an accented letter is written as several characters instead of one, though it looks the same; all else
> is right.

Type the letter again, or copy it from the handout.
"""
BLANK_LINE = Cause("blank-line", CauseSubject.LINES)
r"""A blank line is missing, or there is one too many.

> A blank line is missing at line 3; all else is right.

Count the `print()` calls and the `\n` around the line.
"""
FINAL_NEWLINE = Cause("final-newline", CauseSubject.LINES)
r"""Only the newline at the very end is missing, or there is one too many.

> The newline after the last line is missing; all else is right.

Look for `end=` or `\n` where you print the last line.
"""
_SELECTORS = re.compile("[\ufe00-\ufe0f]")
_INVISIBLE = re.compile("[\x00\x07\x08\x7f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_WORD = re.compile(r"\S{1,30}")
_NUMBERS = {0: say("none"), 1: say("one")}
_LONGEST = 100_000
# Normalizing the order of combining marks takes quadratic time.
_LONGEST_COMPOSED = 500
ENCODING = Cause("encoding", CauseSubject.CHARACTERS)
"""Characters beyond ASCII, such as emoji, are not printed in UTF-8.

> In line 2 the characters that are not ASCII are printed byte by byte, as if UTF-8 were Latin-1; all else is right.

Save the file as UTF-8, and leave the encoding of the output to Python. Do not use `encode`, `decode`, `reconfigure`
or `open` for printing.
"""
_BYTE_ORDER_MARK = "\udcff\udcfe\udcef\udcbb\udcbf\ufeff"
_LONGEST_NAME = 100_000
SUBTLE_DIFFERENCES: Mapping[Cause, tuple[Callable[[str], str], Callable[[str, str], Sentence]]] = {
    TRAILING_WHITESPACE: (lambda text: text.rstrip(" \t"), lambda *texts: _trailing_whitespace(*texts)),
    VARIATION_SELECTOR: (lambda text: _SELECTORS.sub("", text), lambda *texts: _invisible(_SELECTORS, *texts)),
    INVISIBLE_CHARACTER: (lambda text: _INVISIBLE.sub("", text), lambda *texts: _invisible(_INVISIBLE, *texts)),
    CARRIAGE_RETURN: (lambda text: text.replace("\r", ""), lambda *texts: _carriage_return(*texts)),
    ANSI_ESCAPE: (lambda text: ANSI_ESCAPE_CODE.sub("", text), lambda *texts: _ansi_escape(*texts)),
    SPACING: (lambda text: text.replace(" ", ""), lambda *texts: _spacing(*texts)),
    TABS: (lambda text: text.replace(" ", "").replace("\t", ""), lambda *texts: _tabs(*texts)),
    CASE: (str.casefold, lambda *texts: _case(*texts)),
    CONFUSABLE_CHARACTER: (lambda text: text.translate(LOOK_ALIKES), lambda *texts: _confusable_character(*texts)),
    UNICODE_NORMALIZATION: (lambda text: _composed(text), lambda *texts: _unicode_normalization(*texts)),
}
"""The functions that remove and describe each kind of difference, in the order of trial."""
_DAMAGES: tuple[tuple[Sentence, Callable[[str], str]], ...] = (
    (say("are printed byte by byte, as if UTF-8 were Latin-1"), lambda text: _read_as(text, "latin-1")),
    (say("are printed byte by byte, as if UTF-8 were Windows-1252"), lambda text: _read_as(text, "cp1252")),
    (say("are printed in Latin-1, not in UTF-8"), lambda text: _as_bytes(text, "latin-1")),
    (say("are printed in Windows-1252, not in UTF-8"), lambda text: _as_bytes(text, "cp1252")),
    (say("are replaced by question marks"), lambda text: _replaced(text, "?")),
    (say("are replaced by U+FFFD (replacement character)"), lambda text: _replaced(text, "\ufffd")),
    (say("are printed as escapes"), lambda text: text.encode("ascii", "backslashreplace").decode()),
)


@dataclass(frozen=True)
class SubtleDifference:
    """A kind of difference. `say` describes it for an expected and an actual text that differ only in this way."""

    cause: Cause
    rewrite: Callable[[str], str]
    say: Callable[[str, str], Sentence]


def _trailing_whitespace(expected: str, actual: str) -> Sentence:
    more = len(actual) - len(expected)
    ends = (actual if more > 0 else expected)[min(len(expected), len(actual)) :]
    if not expected:
        return say_plural(
            more,
            "there is {what}, but it should be empty",
            "there are {what}, but it should be empty",
            what=_spaces_and_tabs(more, ends),
        )
    if more == 0:
        return say("spaces and tabs at the end are mixed up")
    if more > 0:
        return _extra_at_the_end(more, ends)
    missing = _spaces_and_tabs(-more, ends)
    return say_plural(-more, "{what} is missing at the end", "{what} are missing at the end", what=missing)


def _spaces_and_tabs(count: int, ends: str) -> Sentence:
    if "\t" not in ends:
        return say_plural(count, "one space", "{count} spaces")
    if " " not in ends:
        return say_plural(count, "one tab", "{count} tabs")
    return say_plural(count, "one space or tab", "{count} spaces or tabs")


def _extra_at_the_end(count: int, ends: str) -> Sentence:
    if "\t" not in ends:
        return say_plural(count, "there is one extra space at the end", "there are {count} extra spaces at the end")
    if " " not in ends:
        return say_plural(count, "there is one extra tab at the end", "there are {count} extra tabs at the end")
    return say_plural(
        count,
        "there is one extra space or tab at the end",
        "there are {count} extra spaces or tabs at the end",
    )


def _number(count: int) -> Sentence:
    return _NUMBERS.get(count) or say("{number}", number=count)


def _tabs(expected: str, actual: str) -> Sentence:
    expected_count, actual_count = expected.count("\t"), actual.count("\t")
    if not actual_count and actual.count(" ") > expected.count(" "):
        return say("there are spaces where a tab is expected")
    if not expected_count and actual.count(" ") < expected.count(" "):
        return say_plural(
            actual_count, "there is a tab where spaces are expected", "there are {count} tabs where spaces are expected"
        )
    if expected_count == actual_count:
        return say("the tabs are in the wrong place")
    start = len(expected[: common_prefix(expected, actual)].rstrip("\t"))
    wanted_here, found_here = (_leading_tabs(line, start) for line in (expected, actual))
    word = _WORD.match(expected, start + wanted_here)
    if word and wanted_here != found_here and actual.startswith(word[0], start + found_here):
        values = {
            "found": _tabs_found(found_here),
            "wanted": _number(wanted_here),
            "word": quote(word[0]),
            "others": "",
        }
        return say("{found} before {word}, expected {wanted}{others}", **values)
    return say("{found}, expected {wanted}", found=_tabs_found(actual_count), wanted=_number(expected_count))


def _tabs_found(count: int) -> Sentence:
    return say_plural(count, "there is one tab", "there are {count} tabs") if count else say("there is no tab")


def _leading_tabs(line: str, start: int) -> int:
    return len(line) - start - len(line[start:].lstrip("\t"))


def _spacing(expected: str, actual: str) -> Sentence:
    """Describe the first run of spaces whose length differs."""
    column = common_prefix(expected, actual)
    start = len(expected[:column].rstrip(" "))
    expected_length, actual_length = _run(expected, start), _run(actual, start)
    following = _WORD.match(expected, start + expected_length)
    at_end = start + expected_length == len(expected)
    more = (
        sum(expected_gap != actual_gap for expected_gap, actual_gap in zip(_gaps(expected), _gaps(actual), strict=True))
        - 1
    )
    others = say_plural(more, " (and one more place in the line)", " (and {count} more places in the line)")
    spaces = say_plural(actual_length, "there is one space", "there are {count} spaces")
    values = {
        "found": spaces if actual_length else say("there is no space"),
        "wanted": _number(expected_length),
        "others": others if more > 0 else "",
    }
    if following:
        return say("{found} before {word}, expected {wanted}{others}", word=quote(following[0]), **values)
    if at_end:
        return say("{found} at the end, expected {wanted}{others}", **values)
    return say("{found} before a tab, expected {wanted}{others}", **values)


def _gaps(text: str) -> list[int]:
    """Count the spaces before each non-space character, and at the end."""
    gaps = [0]
    for character in text:
        if character == " ":
            gaps[-1] += 1
        else:
            gaps.append(0)
    return gaps


def _run(text: str, start: int) -> int:
    end = start
    while end < len(text) and text[end] == " ":
        end += 1
    return end - start


def _invisible(pattern: re.Pattern[str], expected: str, actual: str) -> Sentence:
    column = common_prefix(expected, actual)
    extra = pattern.match(actual, column)
    match = extra or pattern.match(expected, column)
    character = name(match[0]) if match else say("of this kind")
    before = next((earlier for earlier in reversed(expected[:column]) if not pattern.match(earlier)), "")
    after = say("after {character}", character=escape_controls(before))
    where = after if before.strip() else say("at character {column}", column=column + 1)
    if extra:
        return say("there is an extra invisible character, {character}, {where}", character=character, where=where)
    return say("the invisible character {character} is missing {where}", character=character, where=where)


def _carriage_return(expected: str, actual: str) -> Sentence:
    more = actual.count("\r") > expected.count("\r")
    extra, missing = say("there is an extra carriage return (U+000D)"), say("a carriage return (U+000D) is missing")
    return extra if more else missing


def _ansi_escape(expected: str, actual: str) -> Sentence:
    if actual.count("\x1b") > expected.count("\x1b"):
        return say("there are terminal commands, such as for colours or to clear the screen")
    return say("terminal commands are missing or differ")


def _case(expected: str, actual: str) -> Sentence:
    column = common_prefix(expected, actual)
    start = max(expected.rfind(" ", 0, column), expected.rfind("\t", 0, column)) + 1
    expected_word, actual_word = _WORD.match(expected, start), _WORD.match(actual, start)
    if expected_word and actual_word and expected_word[0] != actual_word[0]:
        words = {"found": quote(actual_word[0]), "wanted": quote(expected_word[0])}
        return say("uppercase and lowercase letters differ: {found}, expected {wanted}", **words)
    return say("uppercase and lowercase letters differ")


def _confusable_character(expected: str, actual: str) -> Sentence:
    column = common_prefix(expected, actual)
    both = {"found": name(actual[column]), "wanted": name(expected[column])}
    return say("there is {found} where {wanted} is expected, which looks alike", **both)


def _unicode_normalization(expected: str, actual: str) -> Sentence:
    if len(actual) > len(expected):
        return say("an accented letter is written as several characters instead of one, though it looks the same")
    return say("an accented letter is written as one character instead of several, though it looks the same")


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text) if len(text) <= _LONGEST_COMPOSED else text


def differences_between(expected: str, actual: str) -> Iterator[SubtleDifference]:
    """Yield the kinds that alone explain how two lines differ, or none for extremely long lines."""
    if max(len(expected), len(actual)) > _LONGEST:
        return
    for cause, (rewrite, words) in SUBTLE_DIFFERENCES.items():
        if rewrite(expected) == rewrite(actual):
            yield SubtleDifference(cause, rewrite, words)


def difference_in_words(expected: str, actual: str) -> Sentence | None:
    """Describe how two lines differ, if one kind of difference alone explains it."""
    kind = next(differences_between(expected, actual), None)
    return None if kind is None else kind.say(expected, actual)


@finds_in_line(*SUBTLE_DIFFERENCES)
def only_one_kind_of_difference(evidence: FailureEvidence, pair: LinePair) -> Diagnosis | None:
    """Diagnose output that is right except for one kind of difference."""
    if len(evidence.expected_lines) != len(evidence.actual_lines):
        return None
    policy = evidence.test.comparison
    lines = zip(evidence.expected_lines, evidence.actual_lines, strict=True)
    both = ((without_ignored_end(expected, policy), without_ignored_end(actual, policy)) for expected, actual in lines)
    differing = [(expected, actual) for expected, actual in both if expected != actual]
    for kind in differences_between(pair.expected, pair.actual):
        if all(kind.rewrite(expected) == kind.rewrite(actual) for expected, actual in differing):
            sentence = kind.say(pair.expected, pair.actual)
            more = _more(max(len(differing) - 1, 0), evidence)
            return Diagnosis(
                kind.cause, say("In line {line} {said}{more}.", line=pair.number, said=sentence, more=more)
            )
    return None


def all_else_is_right(evidence: FailureEvidence) -> Sentence | str:
    """Return the end of a sentence about the only difference in the output.

    It is empty if the program ends the wrong way, or if standard error or files are compared later.
    """
    is_all = evidence.test.side_output == SideOutput() and evidence.test.ending.fits(evidence.outcome)
    return say("; all else is right") if is_all else ""


def _more(others: int, evidence: FailureEvidence) -> Sentence | str:
    rest = all_else_is_right(evidence)
    if not others:
        return rest
    if not rest:
        return say_plural(others, "; {count} more line differs in this way", "; {count} more lines differ in this way")
    return say_plural(
        others,
        "; {count} more line differs in this way, all else is right",
        "; {count} more lines differ in this way, all else is right",
    )


@finds(BLANK_LINE)
def only_blank_lines(evidence: FailureEvidence) -> Diagnosis | None:
    """Diagnose output that is right except for blank lines."""
    divergence = evidence.divergence
    if divergence is None or list(filter(None, evidence.expected_lines)) != list(filter(None, evidence.actual_lines)):
        return None
    missing = len(evidence.expected_lines) - len(evidence.actual_lines)
    if divergence.expected == "" and divergence.actual != "":
        sentence, others = say("A blank line is missing at line {line}", line=divergence.line), missing - 1
    elif divergence.actual == "" and divergence.expected != "":
        sentence, others = say("There is an extra blank line at line {line}", line=divergence.line), -missing - 1
    else:
        return None
    values = {"elsewhere": _elsewhere(others), "rest": all_else_is_right(evidence)}
    return Diagnosis(BLANK_LINE, say("{said}{elsewhere}{rest}.", said=sentence, **values))


def _elsewhere(others: int) -> str:
    if others < 0:
        return say(", and other blank lines are in the wrong place")
    return say(", and {others} more further on", others=others) if others else ""


@finds(FINAL_NEWLINE)
def only_final_newline(evidence: FailureEvidence) -> Diagnosis | None:
    """Diagnose output that is right except for the last newline."""
    rest = all_else_is_right(evidence)
    if evidence.expected == evidence.actual + "\n":
        return Diagnosis(FINAL_NEWLINE, say("The newline after the last line is missing{rest}.", rest=rest))
    if evidence.expected + "\n" == evidence.actual:
        return Diagnosis(FINAL_NEWLINE, say("There is an extra newline after the last line{rest}.", rest=rest))
    return None


def _as_bytes(text: str, encoding: str) -> str:
    """Return text printed in `encoding` as a reader of UTF-8 sees it."""
    return text.encode(encoding, "surrogateescape").decode("utf-8", "surrogateescape")


def _read_as(text: str, encoding: str) -> str:
    """Return UTF-8 text as a program that reads it in `encoding` prints it."""
    return text.encode("utf-8", "surrogateescape").decode(encoding)


def _replaced(text: str, by: str) -> str:
    return "".join(character if character.isascii() else by for character in text)


@finds_in_line(ENCODING)
def encoding(evidence: FailureEvidence, pair: LinePair) -> Diagnosis | None:
    """Diagnose a line that is right except for its encoding."""
    if max(len(pair.expected), len(pair.actual)) > _LONGEST_NAME:
        return None
    if _is_utf_16(pair.expected, pair.actual):
        return Diagnosis(ENCODING, say("Line {line} is printed in UTF-16, not in UTF-8.", line=pair.number))
    if pair.expected.isascii():
        return None
    for how, damage in _DAMAGES:
        if _damaged(damage, pair.expected) == pair.actual:
            values = {"line": pair.number, "how": how, "rest": _rest(damage, evidence)}
            return Diagnosis(ENCODING, say("In line {line} the characters that are not ASCII {how}{rest}.", **values))
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
    return all_else_is_right(evidence) if is_all else ""
