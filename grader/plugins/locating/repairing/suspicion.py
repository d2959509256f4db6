"""Orders the statements of a program by how suspicious a failing test makes them."""

import ast
from collections.abc import Mapping, Sequence

from grader.plugins.locating.ranking import TracedTest, parsed, read_statements


def suspicious_lines(name: str, text: str, failed: TracedTest, passed: Sequence[TracedTest]) -> dict[int, int]:
    """Return the place in the order of suspicion of each statement that the failing test runs, by its first line.

    Statements come first if few passing tests run them, or if they ran last. Lines are counted in the program as
    Python's formatter writes it.
    """
    starts = read_statements(text).starts
    formatted = _formatted_lines(text)

    def statements(test: TracedTest) -> list[int]:
        lines = (starts[place.line] for place in test.lines if place.file == name and place.line in starts)
        return list(dict.fromkeys(reversed(list(lines))))

    of_passed = [frozenset(statements(test)) for test in passed]
    last = statements(failed)
    passes = [sum(line in lines for lines in of_passed) for line in last]
    # The place of a line by either order counts the same.
    places = [place + sum(other < count for other in passes) for place, count in enumerate(passes)]
    near = [line for _, _, line in sorted(zip(places, passes, last, strict=True))]
    return {formatted[line]: rank for rank, line in enumerate(near) if line in formatted}


def _formatted_lines(text: str) -> Mapping[int, int]:
    """Return the line of each statement in the formatted program."""
    tree = parsed(text)
    if tree is None:
        return {}
    pairs = zip(ast.walk(tree), ast.walk(ast.parse(ast.unparse(tree))), strict=False)
    return {
        node.lineno: other.lineno for node, other in pairs if isinstance(node, ast.stmt) and isinstance(other, ast.stmt)
    }
