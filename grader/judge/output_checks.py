"""Judge output by checks on its parts, in place of a whole transcript."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import zip_longest
from typing import assert_never

from grader.judge.judge import judge_ending
from grader.judge.plugin_check import fault_by_plugin
from grader.model.expectation import (
    Contains,
    HasJson,
    HasLines,
    HasNumbers,
    HasUnordered,
    Lacks,
    Matches,
    OutputCheck,
    OutputStream,
    PluginCheck,
)
from grader.model.general_causes import INTERNAL_ERROR, OUTPUT_CHECK
from grader.model.interaction import shows_typing
from grader.model.judgement import Diagnosis, Judgement, Verdict
from grader.model.outcome import Outcome
from grader.model.test import Test
from grader.text.escape import ANSI_ESCAPE_CODE, quote
from grader.text.pattern_words import form_words
from grader.text.patterns import is_found
from grader.text.sentence import Sentence, say

# A unit may follow, as in 2.5kg, and a full stop come before, as in No.5 and 1..10; 1st and 1.2.3 are no numbers.
_NUMBER = re.compile(
    r"(?:(?<!\w)(?<!\d\.)[-+]?\d+(?:\.\d+)?|(?<![\w.])[-+]?\.\d+)(?:[eE][-+]?\d{1,3})?(?![\d_]|\.\d|(?:st|nd|rd|th)\b)",
    re.ASCII,
)

_MOST_SHOWN = 40


class _ExpectedJsonError(Exception):
    """The expected output is not JSON."""


def printed_alone(test: Test, outcome: Outcome) -> str:
    """Return the output without typed text; typed lines keep their newlines, so lines do not run together."""
    if not shows_typing(test.interaction):
        return outcome.transcript
    text, place = "", 0
    for typed in outcome.typed:
        text += outcome.transcript[place : typed.offset]
        shown = outcome.transcript.startswith(typed.text, typed.offset)
        place = typed.offset + (len(typed.text) if shown else 0)
    return text + outcome.transcript[place:]


def judge_by_checks(test: Test, checks: Sequence[OutputCheck], expected: str, outcome: Outcome) -> Judgement:
    """Return the verdict on `outcome`: how it ended first, as in every test; then the checks, of which all must hold.

    `expected` is what the reference printed, for checks that have no value of their own. What was typed is no output,
    though a terminal shows it.
    """
    judgement = judge_ending(test, expected, outcome)
    if judgement.verdict not in (Verdict.PASSED, Verdict.EXIT_STATUS):
        return judgement
    printed = printed_alone(test, outcome)
    try:
        faults = [fault for check in checks if (fault := _fault(check, expected, printed, outcome.errors)) is not None]
    except _ExpectedJsonError:
        missing = "`json: reference` in `expect` asks for the JSON of the reference, which prints none."
        return Judgement.without_verdict(INTERNAL_ERROR, missing)
    if not faults:
        return judgement
    others = say(" (and {others} more of the {checks} checks)", others=len(faults) - 1, checks=len(checks))
    sentence = say("{fault}{more}.", fault=faults[0], more=others if len(faults) > 1 else "")
    diagnosis = Diagnosis(OUTPUT_CHECK, sentence)
    return Judgement(verdict=Verdict.WRONG_OUTPUT, diagnosis=diagnosis)


def _fault(check: OutputCheck, expected: str, printed: str, errors: str) -> Sentence | None:
    """Describe the fault in a sentence without its full stop; return None if the check holds."""
    match check.stream:
        case OutputStream.OUTPUT:
            where, text = say("The output"), printed
        case OutputStream.STDERR:
            where, text = say("Standard error"), errors
        case _:
            assert_never(check.stream)
    fault = next(_faults(check, expected, text), None)
    return None if fault is None else say("{where} {fault}", where=where, fault=fault)


def _faults(check: OutputCheck, expected: str, text: str) -> Iterator[Sentence]:
    kind = check.kind
    same = _folded if check.ignore_case else str
    match kind:
        case Contains(texts=texts):
            yield from (
                say("does not contain {text}", text=quote(item)) for item in texts if same(item) not in same(text)
            )
        case Lacks(texts=texts):
            unwanted_texts = (item for item in texts if same(item) in same(text))
            yield from (say("contains {text}, which should not be there", text=quote(item)) for item in unwanted_texts)
        case Matches(patterns=patterns):
            missing = (item for item in patterns if not is_found(item, text, ignore_case=check.ignore_case))
            yield from map(_without_form, missing)
        case HasLines(lines=lines):
            yield from _missing_lines([*map(same, _lines(expected) if lines is None else lines)], same(text))
        case HasUnordered(lines=lines):
            yield from _other_lines([*map(same, _lines(expected) if lines is None else lines)], same(text))
        case HasNumbers(numbers=numbers):
            yield from _other_numbers(kind, _numbers(expected) if numbers is None else numbers, _numbers(text))
        case HasJson(text=wanted):
            yield from _other_json(expected if wanted is None else wanted, text)
        case PluginCheck():
            if (fault := fault_by_plugin(kind, text, expected)) is not None:
                yield say("{fault}", fault=fault)
        case _:
            assert_never(kind)


def _without_form(pattern: str) -> Sentence:
    form = form_words(pattern)
    if form is None:
        return say("has nothing of the form that is asked for")
    return say("has nothing of the form {form} (… stands for what may vary)", form=form)


def _folded(text: str) -> str:
    return text.casefold()


def _lines(text: str) -> list[str]:
    """Return the lines that are not blank, without trailing whitespace."""
    return [line.rstrip() for line in text.split("\n") if line.strip()]


def _missing_lines(expected: Sequence[str], text: str) -> Iterator[Sentence]:
    remaining = iter(_lines(text))
    before = None
    for line in (line_of_check.rstrip() for line_of_check in expected):
        if line not in remaining:
            if before is None:
                yield say("has no line {line}", line=quote(line))
            else:
                yield say("has no line {line} after {before}", line=quote(line), before=quote(before))
            return
        before = line


def _other_lines(expected_lines: Sequence[str], text: str) -> Iterator[Sentence]:
    expected, actual = Counter(line.rstrip() for line in expected_lines if line.strip()), Counter(_lines(text))
    for line in expected - actual:
        if actual[line]:
            yield say("does not have the line {line} {often} times", line=quote(line), often=expected[line])
        else:
            yield say("does not have the line {line}", line=quote(line))
    for line in actual - expected:
        if expected[line]:
            yield say("has the line {line} too often", line=quote(line))
        else:
            yield say("has the line {line}, which should not be there", line=quote(line))


def _numbers(text: str) -> tuple[Decimal, ...]:
    return tuple(map(Decimal, _NUMBER.findall(ANSI_ESCAPE_CODE.sub("", text))))


def _shown(number: Decimal) -> str:
    text = str(number)
    if len(text) <= _MOST_SHOWN:
        return text
    return say("{number}… ({digits} digits)", number=text[:_MOST_SHOWN], digits=len(number.as_tuple().digits))


def _other_numbers(
    kind: HasNumbers, expected_numbers: Sequence[Decimal], actual_numbers: Sequence[Decimal]
) -> Iterator[Sentence]:
    for place, (expected, actual) in enumerate(zip_longest(expected_numbers, actual_numbers), start=1):
        if actual is None:
            words = {"found": len(actual_numbers), "wanted": len(expected_numbers), "number": _shown(expected)}
            yield say("has {found} of {wanted} numbers; {number} is missing", **words)
        elif expected is None:
            yield say(
                "has the number {found} after all {wanted} expected ones",
                found=_shown(actual),
                wanted=len(expected_numbers),
            )
        elif not kind.tolerance.allows(expected, actual):
            words = {"found": _shown(actual), "place": place, "wanted": _shown(expected)}
            yield say("has {found} as number {place}; expected {wanted}", **words)


def _other_json(expected: str, text: str) -> Iterator[Sentence]:
    try:
        expected_value = json.loads(expected)
    except (ValueError, RecursionError):
        raise _ExpectedJsonError from None
    try:
        actual_value = json.loads(text)
        if _is_same_json(expected_value, actual_value):
            return
        found = _short(actual_value)
    except (ValueError, RecursionError):
        yield say("is not JSON")
        return
    yield say("is not the expected value: found {found}; expected {wanted}", found=found, wanted=_short(expected_value))


def _is_same_json(first: object, second: object) -> bool:
    """Compare two values as JSON does: 1 equals 1.0, and does not equal true."""
    match first, second:
        case (dict(), dict()):
            return first.keys() == second.keys() and all(
                _is_same_json(value, second[key]) for key, value in first.items()
            )
        case (list(), list()):
            return len(first) == len(second) and all(map(_is_same_json, first, second))
        case _:
            return first == second and isinstance(first, bool) == isinstance(second, bool)


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True)
    return quote(text)
