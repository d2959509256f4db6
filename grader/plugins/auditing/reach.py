"""The statements of a program that a test reaches, and the statements affected by a change.

Students' programs run in a sandbox under their own Python, without Coverage.py. So the program itself records what it
reaches: before each statement it sets a byte of a file, which the grader reads after the session.
"""

import ast
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from symtable import SymbolTable, symtable
from typing import TypeAlias

from grader.text.syntax import parse

NOTES = ".grader-reached"
"""The file that an instrumented program writes to its folder: one digit per place."""

START = 0
"""The place that every run reaches: the program as a whole."""

Places: TypeAlias = frozenset[int]
"""Statements of a program by number, and START."""

_PROLOGUE = """\
import mmap as _grader_mmap
with open({name!r}, "ab") as _grader_file:
    if not _grader_file.tell():
        _grader_file.write(b"0" * {size})
with open({name!r}, "r+b") as _grader_file:
    _grader_reached = _grader_mmap.mmap(_grader_file.fileno(), {size})
"""
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


@dataclass(frozen=True, eq=False)
class ReachMap:
    """The numbered statements of a program, and `watched`, the program instrumented to record which ones it reaches.

    Docstrings and imports from `__future__` are not numbered.
    """

    source: str
    tree: ast.Module
    numbers: Mapping[ast.stmt, int]
    watched: str

    @cached_property
    def scopes(self) -> list[object]:
        """See `_scopes`."""
        return _scopes(self.source)

    @property
    def everything(self) -> Places:
        """Every place in the program."""
        return frozenset({START, *self.numbers.values()})

    def reached(self, notes: str | None) -> Places:
        """Return the places in the notes of a run, or every place if the notes are missing or have the wrong length."""
        if notes is None or len(notes) != len(self.numbers) + 1:
            return self.everything
        return frozenset({START, *(number for number, digit in enumerate(notes) if digit == "1")})

    def changed(self, source: str) -> Places:
        """Return places, at least one of which a run must reach before it can behave differently from `source`."""
        try:
            if _scopes(source) != self.scopes:
                return frozenset({START})
            return frozenset(self._in_block(self.tree.body, parse(source).body, START))
        except (SyntaxError, ValueError, RecursionError):
            return frozenset({START})

    def _place(self, statement: ast.stmt) -> int:
        return self.numbers.get(statement, START)

    def _in_block(self, old: Sequence[ast.stmt], new: Sequence[ast.stmt], outer: int) -> Iterator[int]:
        """Yield the places affected by the changes in a block, which a run enters through `outer`."""
        if len(old) == len(new):
            for old_statement, new_statement in zip(old, new, strict=True):
                yield from self._in_statement(old_statement, new_statement)
            return
        alike = (
            ast.dump(old_statement) == ast.dump(new_statement)
            for old_statement, new_statement in zip(old, new, strict=False)
        )
        start = next((index for index, same in enumerate(alike) if not same), min(len(old), len(new)))
        # A run reaches statements added at the end of a block when it leaves the block.
        yield self._place(old[start] if start < len(old) else old[0]) if old else outer

    def _in_statement(self, old: ast.stmt, new: ast.stmt) -> Iterator[int]:
        if ast.dump(old) == ast.dump(new):
            return
        if not _blocks(old) or _without_blocks(old) != _without_blocks(new):
            yield self._place(old)
            return
        for old_block, new_block in zip(_blocks(old), _blocks(new), strict=True):
            yield from self._in_block(old_block, new_block, self._place(old))


def reach_map(source: str) -> ReachMap | None:
    """Return the map of a program, or None if the program cannot be parsed or unparsed."""
    try:
        tree, watched = parse(source), parse(source)
        numbers = {statement: number for number, statement in enumerate(_notable_statements(tree), 1)}
        _watch(watched, dict(zip(_notable_statements(watched), numbers.values(), strict=True)))
        start = _leading_count(watched)
        watched.body[start:start] = parse(_PROLOGUE.format(name=NOTES, size=len(numbers) + 1)).body
        return ReachMap(source, tree, numbers, ast.unparse(ast.fix_missing_locations(watched)) + "\n")
    except (SyntaxError, ValueError, RecursionError):
        return None


def _notable_statements(node: ast.AST) -> Iterator[ast.stmt]:
    """Yield the statements in `node` that a note may precede."""
    for index, block in enumerate(_blocks(node)):
        yield from block[_leading_count(node) if index == 0 else 0 :]
        for statement in block:
            yield from _notable_statements(statement)


def _watch(node: ast.AST, numbers: Mapping[ast.stmt, int]) -> None:
    for block in _blocks(node):
        for statement in block:
            _watch(statement, numbers)
        block[:] = [
            watched_statement for statement in block for watched_statement in (*_note(statement, numbers), statement)
        ]


def _note(statement: ast.stmt, numbers: Mapping[ast.stmt, int]) -> list[ast.stmt]:
    number = numbers.get(statement)
    return [] if number is None else parse(f"_grader_reached[{number}] = {ord('1')}").body


def _leading_count(node: ast.AST) -> int:
    """Count the statements that must stay first in the body: a docstring and imports from `__future__`."""
    if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        return 0
    start = int(ast.get_docstring(node, clean=False) is not None)
    while start < len(node.body) and _is_future(node.body[start]):
        start += 1
    return start


def _is_future(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"


def _blocks(node: ast.AST) -> list[list[ast.stmt]]:
    """Return the blocks directly inside a statement, body first, with the blocks of `except` and `case` clauses."""
    if isinstance(node, ast.Match):
        return [case.body for case in node.cases]
    body = getattr(node, "body", None)
    if not isinstance(body, list):
        return []
    clauses = [clause.body for clause in getattr(node, "handlers", ())]
    return [body, *clauses, *(getattr(node, name, []) for name in ("orelse", "finalbody"))]


def _without_blocks(statement: ast.stmt) -> str:
    """Return a statement without its blocks."""
    bare = copy(statement)
    for name in ("body", "orelse", "finalbody"):
        if hasattr(bare, name):
            setattr(bare, name, [])
    for name in ("handlers", "cases"):
        if hasattr(bare, name):
            clauses = [copy(clause) for clause in getattr(bare, name)]
            for clause in clauses:
                clause.body = []
            setattr(bare, name, clauses)
    return ast.dump(bare)


def _scopes(source: str) -> list[object]:
    """Return the properties of scopes that affect a whole function: which names are local, and whether it yields."""
    functions = (node for node in ast.walk(parse(source)) if isinstance(node, _FUNCTIONS))
    return [*_own_names(symtable(source, "", "exec")), *map(_yields, functions)]


def _own_names(table: SymbolTable) -> Iterator[tuple[object, ...]]:
    """Yield the local names of each scope, in source order."""
    local_names = frozenset(
        (symbol.get_name(), symbol.is_free()) for symbol in table.get_symbols() if not symbol.is_global()
    )
    yield table.get_type(), table.get_name(), local_names if table.get_type() == "function" else None
    for inner in table.get_children():
        yield from _own_names(inner)


def _yields(function: ast.AST) -> bool:
    waiting = list(ast.iter_child_nodes(function))
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(node, _FUNCTIONS):
            waiting.extend(ast.iter_child_nodes(node))
    return False
