"""A cause that is visible in several lines at once: blocks of lines that have swapped places."""

from collections.abc import Iterator, Sequence
from itertools import islice

from grader.judge.causes.reading import asked_in
from grader.judge.evidence import FailureEvidence, finds
from grader.model.judgement import Diagnosis
from grader.plugins.content_causes.characters import all_else_is_right
from grader.plugins.content_causes.order import LINE_ORDER, types_between
from grader.text.escape import quote
from grader.text.sentence import say

_LONGEST = 2000
_MAX_PLACES = 10
_SEVERAL = 2


@finds(LINE_ORDER)
def exchanged_blocks(evidence: FailureEvidence) -> Diagnosis | None:
    """Diagnose two blocks of lines that are printed in the wrong order."""
    pair = evidence.pair
    if pair is None or asked_in(evidence) is not None:
        return None
    at = pair.number - 1
    expected, actual = (lines[at : at + _LONGEST] for lines in (evidence.expected_lines, evidence.actual_lines))
    first, end = next(_exchanges(expected, actual), (0, 0))
    length = sum(len(line) + 1 for line in actual[:end])
    if not end or types_between(evidence, evidence.start, evidence.start + length):
        return None
    is_rest_right = evidence.expected_lines[at + end :] == evidence.actual_lines[at + end :]
    sentence = say(
        "From line {line} on the lines are right, but in another order: {wanted} should come before {found}{rest}.",
        line=pair.number,
        wanted=quote(next(filter(str.strip, expected[:first]))),
        found=quote(next(filter(str.strip, actual[:first]), pair.actual)),
        rest=all_else_is_right(evidence) if is_rest_right else "",
    )
    return Diagnosis(LINE_ORDER, sentence)


def _exchanges(expected: Sequence[str], actual: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the length of the first expected block that comes after a later one, and where both blocks end.

    The lines between the two blocks are the same on both sides. A block that comes both before and after the other one
    is merely missing or extra in one place.
    """
    for start in _places(expected, actual[0]):
        for actual_start in _places(actual, expected[0]):
            size, actual_size = _count_equal(expected, actual[actual_start:]), _count_equal(expected[start:], actual)
            again = *expected[start:size], *actual[actual_start:actual_size]
            size, actual_size = min(size, start), min(actual_size, actual_start)
            has_text = sum(1 for line in expected[:size] if line.strip()) >= _SEVERAL
            is_all = expected[size:start] == actual[actual_size:actual_start] and not any(map(str.strip, again))
            if has_text and is_all and any(map(str.strip, actual[:actual_size])):
                yield size, start + actual_size


def _places(lines: Sequence[str], text: str) -> Iterator[int]:
    """Yield the first few indexes of a line after the start."""
    return islice((number for number, line in enumerate(lines) if number and line == text), _MAX_PLACES)


def _count_equal(lines: Sequence[str], others: Sequence[str]) -> int:
    """Return how many lines are the same from the start."""
    both = enumerate(zip(lines, others, strict=False))
    shorter = min(len(lines), len(others))
    return next((number for number, (line, other) in both if line != other), shorter)
