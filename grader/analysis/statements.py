"""The statements of a program: where each begins, and where its body does."""

import ast
from collections.abc import Mapping
from dataclasses import dataclass

# Python 3.11 parses nested f-strings in quadratic time; so much takes five seconds at worst.
_MOST_CHARACTERS = 200_000


@dataclass(frozen=True)
class Branches:
    """The lines in which the ways from a condition begin; `otherwise` is None where there is no `else`."""

    body: int
    otherwise: int | None


@dataclass(frozen=True)
class Statements:
    """The line that the statement of each line begins in, and the branches of conditions and loops by their line."""

    starts: Mapping[int, int]
    branches: Mapping[int, Branches]


def read_statements(text: str) -> Statements:
    """The statements of a program; where it cannot be read, each line stands for itself."""
    starts = {number: number for number in range(1, text.count("\n") + 2)}
    branches: dict[int, Branches] = {}
    try:
        tree = ast.parse(text if len(text) <= _MOST_CHARACTERS else "")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Statements(starts, branches)
    # From the outside in, so that a line belongs to the innermost statement.
    for node in ast.walk(tree):
        span = _span(node)
        if span is None:
            continue
        start, end = span
        starts.update((line, start) for line in range(start, end + 1))
        match node:
            case ast.If(test=ast.Compare(left=ast.Name(id="__name__"))):
                # How a test starts a program is no fault of it.
                continue
            case ast.If(body=[body, *_], orelse=[otherwise, *_]):
                branches[start] = Branches(body=body.lineno, otherwise=otherwise.lineno)
            case ast.If() | ast.While() | ast.For() | ast.AsyncFor() | ast.match_case():
                branches[start] = Branches(body=node.body[0].lineno, otherwise=None)
    return Statements(starts, branches)


def _span(node: ast.AST) -> tuple[int, int] | None:
    """The first and the last line of a statement, without its body; None for anything else."""
    match node:
        case ast.match_case(pattern=pattern, body=[first, *_]):
            return pattern.lineno, max(pattern.lineno, _first_line(first) - 1)
        case ast.Match(lineno=start, cases=[first, *_]):
            return start, max(start, first.pattern.lineno - 1)
        case ast.stmt() | ast.ExceptHandler():
            inner = [one for one in ast.iter_child_nodes(node) if isinstance(one, ast.stmt)]
            end = _first_line(inner[0]) - 1 if inner else node.end_lineno or 0
            return node.lineno, max(node.lineno, end)
    return None


def _first_line(statement: ast.stmt) -> int:
    """Where a statement begins with its decorators."""
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(one.lineno for one in decorators)])
