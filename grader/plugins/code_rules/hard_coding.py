"""The rule that answers are worked out and not written into the program.

A public test has hidden twins: the same game with another deck. A program that passes the public one, none of its
twins, and holds lines that only the public one expects, was most likely written to print just these.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from grader.model.judgement import NOT_RUN, Verdict
from grader.model.rule import RuleFinding
from grader.plugins.code_rules.module_names import program_and_modules
from grader.rules.code_rule import HiddenTestRule, JudgedTest
from grader.rules.source import ParsedSource
from grader.text.words import pluralize

_SHORTEST_LINE = 8


_MOST_LINES = 5


_SEVERAL = 2


@dataclass(frozen=True)
class HardCodedOutput(HiddenTestRule):
    """No public test passes by answers in the source while all its hidden twins fail."""

    name = "hard-coded-output"
    broken_by = (
        "A public test passes, all its hidden twins (`tests[].hidden_twin_of`) fail, and the program holds lines that "
        "only the public test expects. The finding says how many, and whether that is strong evidence: several twins, "
        "and most of these lines."
    )

    def findings(self, judged: Sequence[JudgedTest], sources: Mapping[str, ParsedSource]) -> Iterator[RuleFinding]:
        """These public tests, and lines of the program that hold what they expect."""
        for one in judged:
            twins = [other for other in judged if other.test.hidden_twin_of == one.test.id]
            if one.verdict is not Verdict.PASSED or not twins or one.test.program not in sources:
                continue
            if all(twin.verdict is not Verdict.PASSED and twin.verdict not in NOT_RUN for twin in twins):
                yield from _evidence(sources[one.test.program], one, twins, judged)


def _evidence(
    source: ParsedSource, one: JudgedTest, twins: Sequence[JudgedTest], judged: Iterable[JudgedTest]
) -> Iterator[RuleFinding]:
    """Texts in the program that are lines of this expected transcript and of no other test, and what they weigh."""
    others = (other for other in judged if other.test.id != one.test.id)
    telling = _lines(one.expected) - {line for other in others for line in _lines(other.expected)}
    held = [
        (part, node.lineno, found)
        for part in program_and_modules(source)
        for node, text in _texts(part)
        if (found := _lines(text) & telling)
    ]
    if not held:
        return
    lines = len(set().union(*(found for _, _, found in held)))
    strong = len(twins) >= _SEVERAL and lines >= _SEVERAL and 2 * lines >= len(telling)
    said = ", ".join(f"{twin.test.id} ({twin.verdict})" for twin in twins)
    weight = "strong" if strong else "weak"
    yield RuleFinding(
        message=f"{weight} evidence: the test {one.test.id} passes, no twin of it does ({said}), "
        f"and the program holds {lines} of the {pluralize(len(telling), 'line')} that only {one.test.id} expects"
    )
    places = {(part.file, number): part for part, number, _ in held}
    for file, number in sorted(places)[:_MOST_LINES]:
        yield places[file, number].finding(number, f"the program holds a line that only {one.test.id} expects")


def _texts(source: ParsedSource) -> Iterator[tuple[ast.Constant, str]]:
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node, node.value


def _lines(text: str) -> set[str]:
    stripped = (line.strip() for line in text.split("\n"))
    return {line for line in stripped if len(line) >= _SHORTEST_LINE}
