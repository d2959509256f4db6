"""Signs that answers are written into a program instead of worked out.

A public test has hidden twins: the same game with another deck. Who passes the public one and none of its twins may
have written down what the public one expects.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from grader.model.judgement import Verdict
from grader.model.rule import RuleFinding
from grader.model.test import Test
from grader.rules.source import ParsedSource

_SHORTEST_SIGN = 8


_MOST_SIGNS = 5


_NO_SIGN = (Verdict.MISSING_FILE, Verdict.INTERNAL_ERROR)


@dataclass(frozen=True)
class JudgedTest:
    """A test with its verdict and the transcript that was expected."""

    test: Test
    verdict: Verdict
    expected: str


def hard_coding(judged: Iterable[JudgedTest], sources: Mapping[str, ParsedSource]) -> Iterator[RuleFinding]:
    """Public tests that pass while all their twins fail, and lines of the program that hold what they expect."""
    by_id = {one.test.id: one for one in judged}
    for one in by_id.values():
        twins = [other for other in by_id.values() if other.test.hidden_twin_of == one.test.id]
        if one.verdict is not Verdict.PASSED or not twins:
            continue
        if all(twin.verdict is not Verdict.PASSED and twin.verdict not in _NO_SIGN for twin in twins):
            said = ", ".join(f"{twin.test.id} ({twin.verdict})" for twin in twins)
            yield RuleFinding("", None, "", f"the test {one.test.id} passes, but no twin of it does: {said}")
            if one.test.program in sources:
                yield from _answers_in(sources[one.test.program], one, twins)


def _answers_in(source: ParsedSource, one: JudgedTest, twins: Iterable[JudgedTest]) -> Iterator[RuleFinding]:
    """Texts in the program that are lines of this expected transcript and of no twin's."""
    telling = _lines(one.expected) - {line for twin in twins for line in _lines(twin.expected)}
    found = 0
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _lines(node.value) & telling:
            yield source.finding(node.lineno, f"the program holds a line that only {one.test.id} expects")
            found += 1
            if found == _MOST_SIGNS:
                return


def _lines(text: str) -> set[str]:
    stripped = (line.strip() for line in text.split("\n"))
    return {line for line in stripped if len(line) >= _SHORTEST_SIGN}
