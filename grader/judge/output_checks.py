"""Judges output by checks that name what must be in it, in place of a whole transcript."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import zip_longest
from typing import assert_never

from grader.judge.judge import judge_ending
from grader.model.cause import OUTPUT_CHECK
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
)
from grader.model.interaction import shows_typing
from grader.model.judgement import Diagnosis, Judgement, Verdict
from grader.model.outcome import Outcome
from grader.model.test import Test
from grader.text.escape import quote
from grader.text.patterns import is_found

# A unit may follow, as in 2.5kg, and a full stop come before, as in No.5 and 1..10; 1st and 1.2.3 are no numbers.
_NUMBER = re.compile(
    r"(?:(?<!\w)(?<!\d\.)[-+]?\d+(?:\.\d+)?|(?<![\w.])[-+]?\.\d+)(?:[eE][-+]?\d{1,3})?(?![\d_]|\.\d|(?:st|nd|rd|th)\b)",
    re.ASCII,
)


_MOST_SHOWN = 40


def printed_alone(test: Test, outcome: Outcome) -> str:
    """What the program printed, without what was typed; the ends of typed lines stay, so lines do not run together."""
    if not shows_typing(test.interaction):
        return outcome.transcript
    text, place = "", 0
    for typed in outcome.typed:
        text += outcome.transcript[place : typed.offset]
        shown = outcome.transcript.startswith(typed.text, typed.offset)
        place = typed.offset + (len(typed.text) if shown else 0)
    return text + outcome.transcript[place:]


def judge_by_checks(test: Test, checks: Sequence[OutputCheck], expected: str, outcome: Outcome) -> Judgement:
    """The verdict on `outcome`: how it ended first, as in every test; then the checks, of which all must hold.

    `expected` is what the reference printed, for checks that have no value of their own. What was typed is no output,
    though a terminal shows it.
    """
    judgement = judge_ending(test, expected, outcome)
    if judgement.verdict not in (Verdict.PASSED, Verdict.EXIT_STATUS):
        return judgement
    printed = printed_alone(test, outcome)
    faults = [fault for check in checks if (fault := _fault(check, expected, printed, outcome.errors)) is not None]
    if not faults:
        return judgement
    more = f" (and {len(faults) - 1} more of the {len(checks)} checks)" if len(faults) > 1 else ""
    diagnosis = Diagnosis(OUTPUT_CHECK, f"{faults[0]}{more}.")
    return Judgement(verdict=Verdict.WRONG_OUTPUT, divergence=None, diagnosis=diagnosis)


def _fault(check: OutputCheck, expected: str, printed: str, errors: str) -> str | None:
    """What is wrong, as a sentence without its full stop; None if the check holds."""
    match check.stream:
        case OutputStream.OUTPUT:
            where, text = "The output", printed
        case OutputStream.STDERR:
            where, text = "Standard error", errors
        case _:
            assert_never(check.stream)
    found = next(_faults(check, expected, text), None)
    return None if found is None else f"{where} {found}"


def _faults(check: OutputCheck, expected: str, text: str) -> Iterator[str]:
    kind = check.kind
    same = _folded if check.ignore_case else str
    match kind:
        case Contains(texts=texts):
            yield from (f"does not contain {quote(one)}" for one in texts if same(one) not in same(text))
        case Lacks(texts=texts):
            yield from (f"contains {quote(one)}, which should not be there" for one in texts if same(one) in same(text))
        case Matches(patterns=patterns):
            missing = (one for one in patterns if not is_found(one, text, ignore_case=check.ignore_case))
            yield from (f"has nothing like `{one}`" for one in missing)
        case HasLines(lines=lines):
            yield from _missing_lines([*map(same, _lines(expected) if lines is None else lines)], same(text))
        case HasUnordered(lines=lines):
            yield from _other_lines([*map(same, _lines(expected) if lines is None else lines)], same(text))
        case HasNumbers(numbers=numbers):
            yield from _other_numbers(kind, _numbers(expected) if numbers is None else numbers, _numbers(text))
        case HasJson(text=wanted):
            yield from _other_json(expected if wanted is None else wanted, text)
        case _:
            assert_never(kind)


def _folded(text: str) -> str:
    return text.casefold()


def _lines(text: str) -> list[str]:
    """The lines that are not blank, without trailing whitespace."""
    return [line.rstrip() for line in text.split("\n") if line.strip()]


def _missing_lines(wanted: Sequence[str], text: str) -> Iterator[str]:
    left = iter(_lines(text))
    before = None
    for line in (one.rstrip() for one in wanted):
        if line not in left:
            yield f"has no line {quote(line)}{'' if before is None else f' after {quote(before)}'}"
            return
        before = line


def _other_lines(wanted: Sequence[str], text: str) -> Iterator[str]:
    expected, found = Counter(line.rstrip() for line in wanted if line.strip()), Counter(_lines(text))
    for line in expected - found:
        often = f" {expected[line]} times" if found[line] else ""
        yield f"does not have the line {quote(line)}{often}"
    for line in found - expected:
        yield f"has the line {quote(line)}{' too often' if expected[line] else ', which should not be there'}"


def _numbers(text: str) -> tuple[Decimal, ...]:
    return tuple(map(Decimal, _NUMBER.findall(text)))


def _shown(number: Decimal) -> str:
    text = str(number)
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}… ({len(number.as_tuple().digits)} digits)"


def _other_numbers(kind: HasNumbers, wanted: Sequence[Decimal], found: Sequence[Decimal]) -> Iterator[str]:
    for place, (expected, actual) in enumerate(zip_longest(wanted, found), start=1):
        if actual is None:
            yield f"has {len(found)} of {len(wanted)} numbers; {_shown(expected)} is missing"
        elif expected is None:
            yield f"has the number {_shown(actual)} after all {len(wanted)} expected ones"
        elif not kind.tolerance.allows(expected, actual):
            yield f"has {_shown(actual)} as number {place}; expected {_shown(expected)}"


def _other_json(expected: str, text: str) -> Iterator[str]:
    wanted = json.loads(expected)
    try:
        found = json.loads(text)
        is_same = _is_same_json(wanted, found)
    except (ValueError, RecursionError):
        yield "is not JSON"
        return
    if not is_same:
        yield f"is not the expected value: found {_short(found)}; expected {_short(wanted)}"


def _is_same_json(one: object, other: object) -> bool:
    """Whether two values are equal as JSON has them: 1 is 1.0, and not true."""
    match one, other:
        case (dict(), dict()):
            return one.keys() == other.keys() and all(_is_same_json(value, other[key]) for key, value in one.items())
        case (list(), list()):
            return len(one) == len(other) and all(map(_is_same_json, one, other))
        case _:
            return one == other and isinstance(one, bool) == isinstance(other, bool)


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True)
    return quote(text)
