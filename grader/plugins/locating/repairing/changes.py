"""Changes to a program that beginners' mistakes often need, besides the small ones that locating tries."""

import ast
import builtins
from collections.abc import Iterator

from grader.plugins.locating.ranking import parsed
from grader.plugins.locating.small_changes import SmallChange, small_changes

_BUILTINS = frozenset(dir(builtins))
_BLOCKS = ("body", "orelse", "finalbody")


def changed_programs(text: str) -> Iterator[SmallChange]:
    """Yield programs that differ from a given one in one place, as Python's formatter writes them; lazily.

    A program that cannot be parsed has none.
    """
    tree = parsed(text)
    if tree is None:
        return
    seen = {ast.unparse(tree)}
    for change in _all_changes(tree, text):
        if change.text not in seen:
            seen.add(change.text)
            yield change


def _all_changes(tree: ast.Module, text: str) -> Iterator[SmallChange]:
    program = _Program(tree)
    yield from program.undefined_names()
    for block in program.blocks():
        yield from program.statements(block)
    yield from small_changes(text)
    yield from program.other_names()
    yield from program.missing_returns()


class _Program:
    """A syntax tree that is changed in place, written, and changed back."""

    def __init__(self, tree: ast.Module) -> None:
        nodes = list(ast.walk(tree))
        self._tree = tree
        self._reads = [node for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
        self._variables = sorted(_stored(nodes))
        self._functions = [node for node in nodes if isinstance(node, ast.FunctionDef)]

    def _changed(self, line: int) -> SmallChange:
        return SmallChange(line, ast.unparse(ast.fix_missing_locations(self._tree)))

    def blocks(self) -> list[list[ast.stmt]]:
        """Return the lists of statements."""
        lists = [getattr(node, field, None) for node in ast.walk(self._tree) for field in _BLOCKS]
        return [block for block in lists if isinstance(block, list) and block and isinstance(block[0], ast.stmt)]

    def undefined_names(self) -> Iterator[SmallChange]:
        """Give an undefined name the name of a variable."""
        defined = {*self._variables, *(function.name for function in self._functions), *_BUILTINS}
        for name in sorted({node.id for node in self._reads} - defined):
            for variable in self._variables:
                yield self._with_name([node for node in self._reads if node.id == name], variable)

    def other_names(self) -> Iterator[SmallChange]:
        """Read another variable in one place."""
        for node in self._reads:
            if node.id in self._variables:
                for variable in self._variables:
                    yield self._with_name([node], variable)

    def _with_name(self, nodes: list[ast.Name], name: str) -> SmallChange:
        before = [node.id for node in nodes]
        for node in nodes:
            node.id = name
        change = self._changed(nodes[0].lineno)
        for node, old in zip(nodes, before, strict=True):
            node.id = old
        return change

    def missing_returns(self) -> Iterator[SmallChange]:
        """Return a variable, or a truth value, at the end of a function that returns nothing there."""
        for function in self._functions:
            if isinstance(function.body[-1], ast.Return):
                continue
            values: list[ast.expr] = [ast.Name(name, ast.Load()) for name in sorted(_stored(list(ast.walk(function))))]
            for value in (*values, ast.Constant(value=True), ast.Constant(value=False)):
                yield self._with(function.body, len(function.body), 0, [ast.Return(value)])

    def _with(self, block: list[ast.stmt], start: int, count: int, new: list[ast.stmt]) -> SmallChange:
        line = block[min(start, len(block) - 1)].lineno
        before = block[start : start + count]
        block[start : start + count] = new
        change = self._changed(line)
        block[start : start + len(new)] = before
        return change

    def statements(self, block: list[ast.stmt]) -> Iterator[SmallChange]:
        """Return values instead of printing them, swap neighbours, and move statements into or out of a block."""
        for place, statement in enumerate(list(block)):
            match statement:
                case ast.Expr(ast.Call(func=ast.Name(id="print"), args=[value])):
                    yield self._with(block, place, 1, [ast.Return(value)])
                case ast.Return(ast.Call(func=ast.Attribute(value=owner)) as call):
                    yield self._with(block, place, 1, [ast.Expr(call), ast.Return(owner)])
            if place + 1 < len(block):
                yield self._with(block, place, 2, [block[place + 1], statement])
            if not isinstance(statement, ast.ClassDef):
                yield from self._moves(block, place)

    def _moves(self, block: list[ast.stmt], place: int) -> Iterator[SmallChange]:
        statement = block[place]
        for field in _BLOCKS:
            inner = getattr(statement, field, None)
            if not isinstance(inner, list) or not inner or not isinstance(inner[0], ast.stmt):
                continue
            if len(inner) > 1:
                last = inner.pop()
                yield self._with(block, place + 1, 0, [last])
                inner.append(last)
            if place + 1 < len(block):
                inner.append(block[place + 1])
                yield self._with(block, place + 1, 1, [])
                inner.pop()
        if isinstance(statement, ast.If) and statement.orelse:
            after, statement.orelse = statement.orelse, []
            yield self._with(block, place + 1, 0, after)
            statement.orelse = after


def _stored(nodes: list[ast.AST]) -> set[str]:
    """Return the names of variables and parameters."""
    names = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return names | {node.arg for node in nodes if isinstance(node, ast.arg)}
