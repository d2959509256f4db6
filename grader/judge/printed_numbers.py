"""Checks the numbers in an output, with or without the numbers in prompts and labels."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import product, takewhile, zip_longest

from grader.model.expectation import HasNumbers, OtherNumbers
from grader.text.escape import ANSI_ESCAPE_CODE, quote
from grader.text.sentence import Sentence, say

# A unit may follow, as in 2.5kg, and a full stop may precede, as in No.5 and 1..10. 1st and 1.2.3 are not numbers.
_NUMBER = re.compile(
    r"(?:(?<!\w)(?<!\d\.)[-+−]?\d+(?:\.\d+)?|(?<![\w.])[-+−]?\.\d+)(?:[eE][-+−]?\d{1,3})?(?![\d_]|\.\d|[eE][-+−]?\d|(?:st|nd|rd|th)\b)",
    re.ASCII,
)
_WITH_COMMAS = re.compile(_NUMBER.pattern.replace(r"\d+", r"(?:(?<!\d,)\d{1,3}(?:,\d{3})+(?!,?\d)|\d+)", 1), re.ASCII)
"""Commas may separate thousands, as in 1,234.50."""
_LABEL = re.compile(r"^.*[:?=>](?=\s|$)", re.M)
_MAX_SHOWN = 40


@dataclass(frozen=True, slots=True)
class _Printed:
    """A number and the line that contains it."""

    number: Decimal
    line: str


_Reading = tuple[_Printed, ...]


def other_numbers(kind: HasNumbers, expected: str, text: str, prompts: Sequence[range]) -> Iterator[Sentence]:
    """Yield the first fault. `prompts` contains the ranges of `text` where the program asked for input."""
    readings = _readings(text, prompts, kind.others)
    if kind.numbers is None:
        of_reference = _readings(expected, (), kind.others)
        all_wanted = [tuple(printed.number for printed in reading) for reading in of_reference]
    else:
        all_wanted = [kind.numbers]
    wanted = all_wanted[-1]
    if kind.others is OtherNumbers.ANYWHERE:
        faults = [list(_missing_numbers(kind, *both)) for both in product(all_wanted, readings)]
        yield from faults[0] if all(faults) else ()
    elif not any(_fits(kind, numbers, reading) for numbers, reading in product(all_wanted, readings)):
        # Report the reading that stays correct for longest; in a tie, one with as many numbers as expected.
        nearest = max(
            reversed(readings), key=lambda reading: (_right(kind, wanted, reading), -abs(len(reading) - len(wanted)))
        )
        yield from _first_other(kind, wanted, nearest)


def _readings(text: str, prompts: Sequence[range], others: OtherNumbers) -> list[_Reading]:
    """Return the readings of a string: all its numbers and, if allowed, only the numbers outside prompts and labels.

    If commas can separate thousands, there are further readings that join such numbers. The last reading has the fewest
    numbers.
    """
    patterns = (_NUMBER, _WITH_COMMAS) if "," in text else (_NUMBER,)
    if others is OtherNumbers.NONE:
        return [_numbers(pattern, text) for pattern in patterns]
    answers, place = "", 0
    for prompt in prompts:
        answers += text[place : prompt.start]
        place = prompt.stop
    answers += text[place:]
    readings: list[_Reading] = []
    for pattern in patterns:
        everything = _numbers(pattern, text)
        outside = _numbers(pattern, answers) if prompts else everything
        unlabelled = _numbers(pattern, answers, without_labels=True) if _LABEL.search(answers) else outside
        readings += everything, outside, unlabelled
    return readings


def _numbers(pattern: re.Pattern[str], text: str, *, without_labels: bool = False) -> _Reading:
    printed = []
    for line in ANSI_ESCAPE_CODE.sub("", text).split("\n"):
        label = _LABEL.match(line) if without_labels else None
        matches = pattern.finditer(line, label.end() if label else 0)
        # All numbers of a line share its text, because a line may contain a million of them.
        printed += [_Printed(Decimal(match[0].replace(",", "").replace("−", "-")), line) for match in matches]
    return tuple(printed)


def _fits(kind: HasNumbers, expected: Sequence[Decimal], reading: _Reading) -> bool:
    return len(expected) == len(reading) == _right(kind, expected, reading)


def _right(kind: HasNumbers, expected: Sequence[Decimal], reading: _Reading) -> int:
    """Return how many numbers are correct before the first wrong one."""
    pairs = zip(expected, reading, strict=False)
    return sum(1 for _ in takewhile(lambda pair: kind.tolerance.allows(pair[0], pair[1].number), pairs))


def _missing_numbers(kind: HasNumbers, expected: Sequence[Decimal], reading: _Reading) -> Iterator[Sentence]:
    remaining = iter(reading)
    before = None
    for number in expected:
        if not any(kind.tolerance.allows(number, printed.number) for printed in remaining):
            if before is None:
                yield say("does not have the number {number}", number=_shown(number))
            else:
                yield say(
                    "does not have the number {number} after {before}", number=_shown(number), before=_shown(before)
                )
            return
        before = number


def _first_other(kind: HasNumbers, wanted: Sequence[Decimal], reading: _Reading) -> Iterator[Sentence]:
    for place, (expected, actual) in enumerate(zip_longest(wanted, reading), start=1):
        if actual is None:
            words = {"found": len(reading), "wanted": len(wanted), "number": _shown(expected)}
            yield say("has {found} of {wanted} numbers; {number} is missing", **words)
        elif expected is None:
            words = {"found": _shown(actual.number), "wanted": len(wanted), "where": _where(actual)}
            yield say("has the number {found}{where} after all {wanted} expected ones", **words)
        elif not kind.tolerance.allows(expected, actual.number):
            words = {
                "found": _shown(actual.number),
                "place": place,
                "wanted": _shown(expected),
                "where": _where(actual),
            }
            yield say("has {found} as number {place}{where}; expected {wanted}", **words)


def _where(printed: _Printed) -> str:
    """Return the line of a number in brackets, or an empty string if the line consists of just the number."""
    line = printed.line.strip()
    return "" if line == str(printed.number) else say(" (in the line {line})", line=quote(line))


def _shown(number: Decimal) -> str:
    text = str(number)
    if len(text) <= _MAX_SHOWN:
        return text
    return say("{number}… ({digits} digits)", number=text[:_MAX_SHOWN], digits=len(number.as_tuple().digits))
