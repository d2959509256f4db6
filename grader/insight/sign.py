"""What a failing test shows of the mistakes behind it, so that the same mistake of two students shows the same.

What a program prints is the same in every run of a test, so lines that differ count as they are. All of them count,
not only the first: a second mistake may come before it. Only what depends on how a program is written is taken out: in
errors the names and numbers, and the line of code.
"""

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from grader.judge.divergence import lines_of
from grader.judge.line_diff import blocks
from grader.judge.traceback import find_traceback
from grader.judge.verdict import Verdict
from grader.pipeline.results import Compared, TestResult

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_QUOTED = re.compile(r"'[^'\n]*'|`[^`\n]*`|\"[^\"\n]*\"")
_NAMED = re.compile(r"(?<=function )\w+|\w+(?=\(\))")
_LONGEST = 500
_MOST_LINES = 2000
_MOST_SIGNS = 20


@dataclass(frozen=True)
class Sign:
    """Something wrong in a test: a line or lines that differ, or what the program ended with."""

    test: str
    kind: str
    expected: str
    actual: str

    @cached_property
    def digest(self) -> str:
        """A short name of the sign, the same in every run."""
        words = [self.test, self.kind, self.expected, self.actual]
        return hashlib.sha256(json.dumps(words).encode()).hexdigest()[:8]


def signs_of(result: TestResult) -> tuple[Sign, ...]:
    """The signs of a test that did not pass, at least one, in the order in which they show."""
    judgement, outcome = result.judgement, result.outcome
    cause = judgement.diagnosis.cause if judgement.diagnosis else ""
    name = result.test.id
    if result.verdict is Verdict.CRASH and outcome:
        trace = find_traceback(outcome.errors or outcome.transcript, result.test.program)
        return (Sign(name, result.verdict, "", _plain(f"{trace.error}: {trace.message}") if trace else ""),)
    if judgement.differences:
        return tuple(Sign(name, result.verdict, "", difference[:_LONGEST]) for difference in judgement.differences)
    if result.compared:
        return tuple(Sign(name, "lines", *sides) for sides in islice(_lines(result.compared), _MOST_SIGNS))
    if judgement.divergence:
        sides = judgement.divergence.expected or "", judgement.divergence.actual or ""
        return (Sign(name, "lines", sides[0][:_LONGEST], sides[1][:_LONGEST]),)
    said = _plain(judgement.diagnosis.sentence) if judgement.diagnosis else ""
    return (Sign(name, f"{result.verdict} {cause}", "", said[:_LONGEST]),)


def _lines(compared: Compared) -> Iterator[tuple[str, str]]:
    """What was expected and what came instead: line by line where there are as many, otherwise together."""
    expected, actual = (lines_of(text)[:_MOST_LINES] for text in (compared.expected, compared.actual))
    found = False
    for block in blocks(expected, actual):
        if block.is_equal:
            continue
        found = True
        wanted, shown = (
            expected[block.expected.start : block.expected.stop],
            actual[block.actual.start : block.actual.stop],
        )
        if len(wanted) == len(shown):
            yield from (
                (one[:_LONGEST], other[:_LONGEST]) for one, other in zip(wanted, shown, strict=True) if one != other
            )
        else:
            yield "\n".join(wanted)[:_LONGEST], "\n".join(shown)[:_LONGEST]
    if not found:
        yield compared.divergence.expected or "", compared.divergence.actual or ""


def _plain(text: str) -> str:
    return _NUMBER.sub("0", _NAMED.sub("…", _QUOTED.sub("'…'", text)))[:_LONGEST]
