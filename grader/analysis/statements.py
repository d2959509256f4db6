"""Reads the statements of a Python program: where each begins, what decides whether it runs, and what it says."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

# Python 3.11 parses nested f-strings in quadratic time; so much takes five seconds at worst.
_MOST_CHARACTERS = 200_000

_FEWEST_CHARACTERS = 3
"""Shorter texts stand in too many lines."""

_COMPUTES = (
    ast.Compare,
    ast.BoolOp,
    ast.BinOp,
    ast.UnaryOp,
    ast.Subscript,
    ast.IfExp,
    ast.comprehension,
    ast.AugAssign,
)

_LEAVES = (ast.Return, ast.Raise, ast.Continue, ast.Break)


@dataclass(frozen=True)
class Branches:
    """The lines in which the ways from a condition begin; `otherwise` is None where there is no `else`."""

    body: int
    otherwise: int | None


@dataclass(frozen=True, kw_only=True)
class Statements:
    """The line that the statement of each line begins in, and more of statements, by the line that they begin in.

    `branches` are those of conditions and loops. `conditions` has the line of what decides last, in the same function,
    whether a statement runs. `texts` are the words in its strings. Those in `computing` calculate, compare or choose.
    """

    starts: Mapping[int, int]
    branches: Mapping[int, Branches] = field(default_factory=dict)
    conditions: Mapping[int, int] = field(default_factory=dict)
    texts: Mapping[int, Sequence[str]] = field(default_factory=dict)
    computing: frozenset[int] = frozenset()


def read_statements(text: str) -> Statements:
    """The statements of a program; where it cannot be read, each line stands for itself."""
    starts = {number: number for number in range(1, text.count("\n") + 2)}
    try:
        tree = ast.parse(text if len(text) <= _MOST_CHARACTERS else "")
        return _statements(tree, starts)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Statements(starts=starts)


def _statements(tree: ast.Module, lines: Mapping[int, int]) -> Statements:
    starts = {**lines}
    branches: dict[int, Branches] = {}
    texts: dict[int, list[str]] = defaultdict(list)
    computing: set[int] = set()
    # From the outside in, so that a line belongs to the innermost statement.
    for node in ast.walk(tree):
        span = _span(node)
        if span is None:
            continue
        start, end = span
        starts.update((line, start) for line in range(start, end + 1))
        found = _branches(node)
        if found is not None:
            branches[start] = found
        own = [node, *_own_nodes(node)]
        texts[start] += _texts(own)
        if any(map(_computes, own)):
            computing.add(start)
    return Statements(
        starts=starts,
        branches=branches,
        conditions=dict(_conditions(tree.body, above=None)),
        texts=texts,
        computing=frozenset(computing),
    )


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


def _branches(node: ast.AST) -> Branches | None:
    match node:
        case ast.If(test=ast.Compare(left=ast.Name(id="__name__"))):
            # How a test starts a program is no fault of it.
            return None
        case ast.If(body=[body, *_], orelse=[otherwise, *_]):
            return Branches(body=body.lineno, otherwise=otherwise.lineno)
        case ast.If() | ast.While() | ast.For() | ast.AsyncFor() | ast.match_case():
            return Branches(body=node.body[0].lineno, otherwise=None)
    return None


def _own_nodes(statement: ast.AST) -> Iterator[ast.AST]:
    """What is in a statement, without the statements in it."""
    for node in ast.iter_child_nodes(statement):
        if not isinstance(node, ast.stmt | ast.match_case | ast.ExceptHandler):
            yield node
            yield from _own_nodes(node)


def _texts(nodes: Sequence[ast.AST]) -> Iterator[str]:
    """The lines of the strings that hold a word; no docstrings."""
    match nodes:
        case [ast.Expr(), ast.Constant()]:
            return
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            parts = (part.strip() for part in re.split(r"[\n{}]", node.value))
            yield from (part for part in parts if len(part) >= _FEWEST_CHARACTERS and re.search(r"\w\w", part))


def _computes(node: ast.AST) -> bool:
    match node:
        case ast.Constant(value=int() | float()):
            return True
    return isinstance(node, _COMPUTES)


def _conditions(body: Sequence[ast.stmt], above: int | None) -> Iterator[tuple[int, int]]:
    """The statements with the line of what decides last whether they run, such as an `if` that may have left before."""
    for statement in body:
        if above is not None:
            yield statement.lineno, above
        yield from _conditions_inside(statement, above)
        if isinstance(statement, ast.If) and isinstance(statement.body[-1], _LEAVES):
            above = statement.lineno


def _conditions_inside(statement: ast.stmt, above: int | None) -> Iterator[tuple[int, int]]:
    match statement:
        case ast.If() | ast.For() | ast.AsyncFor() | ast.While():
            for block in (statement.body, statement.orelse):
                yield from _conditions(block, statement.lineno)
        case ast.Match(cases=cases):
            for case in cases:
                yield from _conditions(case.body, case.pattern.lineno)
        case ast.Try(handlers=handlers):
            for block in (statement.body, statement.orelse, statement.finalbody):
                yield from _conditions(block, above)
            for handler in handlers:
                yield from _conditions(handler.body, handler.lineno)
        case ast.With() | ast.AsyncWith():
            yield from _conditions(statement.body, above)
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            yield from _conditions(statement.body, above=None)
