"""The rule that answers are worked out and not written into the program.

A public test has hidden twins: the same game with another deck. A program that passes the public one and none of its
twins may hold what the public one expects.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from grader.model.judgement import Verdict
from grader.model.rule import RuleFinding
from grader.rules.source import HiddenTestRule, JudgedTest, ParsedSource

_SHORTEST_LINE = 8


_MOST_LINES = 5


_NOT_RUN = (Verdict.MISSING_FILE, Verdict.INTERNAL_ERROR)


@dataclass(frozen=True)
class HardCodedOutput(HiddenTestRule):
    """No public test passes while all its hidden twins fail."""

    name = "hard-coded-output"
    formerly = ("hard-coding",)
    broken_by = (
        "A public test passes, and all its hidden twins (`tests[].hidden_twin_of`) fail. Lines of the program that "
        "hold what only the public test expects are shown too."
    )

    def findings(self, judged: Sequence[JudgedTest], sources: Mapping[str, ParsedSource]) -> Iterator[RuleFinding]:
        """These public tests, and lines of the program that hold what they expect."""
        for one in judged:
            twins = [other for other in judged if other.test.hidden_twin_of == one.test.id]
            if one.verdict is not Verdict.PASSED or not twins:
                continue
            if all(twin.verdict is not Verdict.PASSED and twin.verdict not in _NOT_RUN for twin in twins):
                said = ", ".join(f"{twin.test.id} ({twin.verdict})" for twin in twins)
                yield RuleFinding(message=f"the test {one.test.id} passes, but no twin of it does: {said}")
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
            if found == _MOST_LINES:
                return


def _lines(text: str) -> set[str]:
    stripped = (line.strip() for line in text.split("\n"))
    return {line for line in stripped if len(line) >= _SHORTEST_LINE}
