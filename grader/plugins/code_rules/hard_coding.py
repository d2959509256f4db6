"""The rule that a program computes its answers instead of containing them.

A public test has hidden twins: the same game with another deck. If a program passes the public test but none of its
twins, and contains lines that only the public test expects, it was most likely written to print exactly these lines.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from grader.model.judgement import Verdict
from grader.model.rule import RuleFinding
from grader.plugins.code_rules.module_names import program_and_modules
from grader.rules.code_rule import HiddenTestRule, JudgedTest
from grader.rules.source import ParsedSource
from grader.text.words import pluralize

_SHORTEST_LINE = 8
_MAX_LINES = 5
_SEVERAL = 2


@dataclass(frozen=True)
class HardCodedOutput(HiddenTestRule):
    """No public test passes because of answers in the source while all its hidden twins fail."""

    name = "hard-coded-output"
    broken_by = (
        "A public test passes, all its hidden twins (`tests[].hidden_twin_of`) fail, and the program contains lines "
        "that only the public test expects. The finding reports how many, and whether the evidence is strong, which "
        "requires several twins and most of these lines."
    )

    def findings(self, judged: Sequence[JudgedTest], sources: Mapping[str, ParsedSource]) -> Iterator[RuleFinding]:
        """Yield these public tests, and the lines of the program that contain their expected output."""
        for judged_test in judged:
            twins = [candidate for candidate in judged if candidate.test.hidden_twin_of == judged_test.test.id]
            if judged_test.verdict is not Verdict.PASSED or not twins or judged_test.test.program not in sources:
                continue
            if all(twin.verdict is not Verdict.PASSED and twin.verdict.has_run for twin in twins):
                yield from _evidence(sources[judged_test.test.program], judged_test, twins, judged)


def _evidence(
    source: ParsedSource, judged_test: JudgedTest, twins: Sequence[JudgedTest], judged: Iterable[JudgedTest]
) -> Iterator[RuleFinding]:
    """Yield the texts in the program that are expected by this test alone, and their weight as evidence."""
    test_id = judged_test.test.id
    others = (another_test for another_test in judged if another_test.test.id != test_id)
    telling = _lines(judged_test.expected) - {line for another_test in others for line in _lines(another_test.expected)}
    held = [
        (part, node.lineno, shared_lines)
        for part in program_and_modules(source)
        for node, text in _texts(part)
        if (shared_lines := _lines(text) & telling)
    ]
    if not held:
        return
    lines = len(set().union(*(shared_lines for _, _, shared_lines in held)))
    strong = len(twins) >= _SEVERAL and lines >= _SEVERAL and 2 * lines >= len(telling)
    twin_words = ", ".join(f"{twin.test.id} ({twin.verdict})" for twin in twins)
    weight = "strong" if strong else "weak"
    yield RuleFinding(
        message=f"{weight} evidence: the test {test_id} passes, no twin of it does ({twin_words}), "
        f"and the program holds {lines} of the {pluralize(len(telling), 'line')} that only {test_id} expects"
    )
    places = {(part.file, number): part for part, number, _ in held}
    for file, number in sorted(places)[:_MAX_LINES]:
        yield places[file, number].finding(number, f"the program holds a line that only {test_id} expects")


def _texts(source: ParsedSource) -> Iterator[tuple[ast.Constant, str]]:
    for node in source.nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node, node.value


def _lines(text: str) -> set[str]:
    stripped = (line.strip() for line in text.split("\n"))
    return {line for line in stripped if len(line) >= _SHORTEST_LINE}
