"""Writes a Python program with a part changed; only the statement that holds the part is formatted again."""

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from grader.plugins.locating.ranking import parsed
from grader.text.syntax import parse

_INDENT = 4
"""The number of blanks by which Python's formatter indents a block."""

SLIGHT, SOME, GREAT = 0, 1, 2
"""The efforts of changes: another operator or constant, a part more or less, and another name or order."""


@dataclass(frozen=True)
class SmallChange:
    """A change to a program in the statement that begins in `line`; the greater its `effort`, the less likely it is."""

    line: int
    write: Callable[[], str]
    effort: int = SLIGHT

    @property
    def text(self) -> str:
        """The text of the changed program."""
        return self.write()


def unplaced(text: str) -> SmallChange:
    """Return a change of which only the text of the changed program is known."""
    return SmallChange(1, partial(str, text))


@dataclass(frozen=True)
class Put:
    """A new value for a field of a node."""

    node: ast.AST
    field: str
    value: Any

    def make(self) -> "Put":
        """Change the node, and return what undoes that."""
        before = Put(self.node, self.field, getattr(self.node, self.field))
        setattr(self.node, self.field, self.value)
        return before


@dataclass(frozen=True)
class RewrittenProgram:
    """A program as Python's formatter writes it: its `text` and its `tree`, whose nodes have the lines of this text."""

    text: str
    tree: ast.Module

    @classmethod
    def of(cls, text: str) -> "RewrittenProgram | None":
        """Read a program; return None if it cannot be parsed."""
        tree = parsed(text)
        if tree is None:
            return None
        formatted = ast.unparse(tree)
        return cls(formatted, parse(formatted))

    def with_puts(self, statement: ast.AST, puts: Sequence[Put]) -> str:
        """Return the text with new values of fields, which are all in `statement`."""
        before = [put.make() for put in puts]
        try:
            return self._with(statement)
        finally:
            for put in reversed(before):
                put.make()

    def _with(self, statement: ast.AST) -> str:
        """Return the text with a statement as it is now in the tree."""
        head = self._heads.get(statement, statement)
        if not isinstance(head, ast.stmt):
            return ast.unparse(self.tree)
        depth = head.col_offset // _INDENT
        nested = head
        for _ in range(depth):
            nested = ast.If(ast.Constant(value=True), [nested], [])
        first = min([head.lineno, *(decorator.lineno for decorator in getattr(head, "decorator_list", ()))])
        lines = self._lines
        written = ast.unparse(nested).split("\n")[depth:]
        return "\n".join([*lines[: first - 1], *written, *lines[head.end_lineno or first :]])

    @cached_property
    def _lines(self) -> Sequence[str]:
        return self.text.split("\n")

    @cached_property
    def _heads(self) -> Mapping[ast.AST, ast.stmt]:
        """The first `if` of each `elif`, which cannot be written without it."""
        heads: dict[ast.AST, ast.stmt] = {}
        for node in ast.walk(self.tree):
            match node:
                case ast.If(orelse=[ast.If() as inner]):
                    heads[inner] = heads.get(node, node)
        return heads


@dataclass(frozen=True, kw_only=True)
class ProgramPart:
    """A part of a program: a field of `parent`, or an item of a list there.

    It is in `statement`, the innermost that is not the part itself, or in the tree, and in the statement that begins in
    `line`.
    """

    parent: ast.AST
    field: str
    index: int | None
    node: ast.AST
    statement: ast.AST
    line: int

    def put(self, node: ast.AST) -> Put:
        """Return what replaces this part."""
        if isinstance(node, ast.stmt):
            node = ast.copy_location(node, self.node)
        if self.index is None:
            return Put(self.parent, self.field, node)
        items = getattr(self.parent, self.field)
        return Put(self.parent, self.field, [*items[: self.index], node, *items[self.index + 1 :]])


def parts(tree: ast.Module) -> Iterator[ProgramPart]:
    """Yield the parts of a program in the order of the source."""
    return _parts(tree, tree, 0)


def _parts(parent: ast.AST, statement: ast.AST, line: int) -> Iterator[ProgramPart]:
    for field, value in ast.iter_fields(parent):
        if field in ("format_spec", "annotation", "returns", "decorator_list"):
            continue
        for index, node in enumerate(value) if isinstance(value, list) else ((None, value),):
            if isinstance(node, ast.AST) and not is_docstring(node):
                inner, own_line = (node, node.lineno) if isinstance(node, ast.stmt) else (statement, line)
                yield ProgramPart(
                    parent=parent, field=field, index=index, node=node, statement=statement, line=own_line
                )
                yield from _parts(node, inner, own_line)


def is_docstring(node: ast.AST) -> bool:
    """Return whether a node is a text that stands alone."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
