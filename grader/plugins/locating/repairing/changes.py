"""Changes to a program that beginners' mistakes often need, besides the small ones that locating tries."""

import ast
import builtins
from collections.abc import Collection, Iterator

from grader.plugins.locating.ranking import parsed
from grader.plugins.locating.small_changes import SmallChange, small_changes

_BUILTINS = frozenset(dir(builtins))
_BLOCKS = ("body", "orelse", "finalbody")
_VARIABLE = (ast.Name, ast.Call, ast.Attribute)
_DEFINITIONS = (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)


def changed_programs(text: str, lines: Collection[int] = ()) -> Iterator[SmallChange]:
    """Yield programs that differ from a given one in one place, as Python's formatter writes them; lazily.

    With `lines`, only the statements that begin there are changed. A program that cannot be parsed has no changes.
    """
    tree = parsed(text)
    if tree is None:
        return
    seen = {ast.unparse(tree)}
    for change in _all_changes(_Program(tree, lines), text, lines):
        if change.text not in seen and (not lines or change.line in lines):
            seen.add(change.text)
            yield change


def guarded(text: str) -> Iterator[str]:
    """Yield the program with the statements at its end under a main guard, if it has none.

    A program without it plays when a test imports it.
    """
    tree = parsed(text)
    if tree is None or any(isinstance(node, ast.Name) and node.id == "__name__" for node in ast.walk(tree)):
        return
    place = max((number for number, node in enumerate(tree.body, 1) if isinstance(node, _DEFINITIONS)), default=0)
    if place < len(tree.body):
        test = ast.parse("__name__ == '__main__'", mode="eval").body
        tree.body[place:] = [ast.If(test, tree.body[place:], [])]
        yield ast.unparse(ast.fix_missing_locations(tree))


def _all_changes(program: "_Program", text: str, lines: Collection[int]) -> Iterator[SmallChange]:
    yield from program.undefined_names()
    for block in program.blocks():
        yield from program.statements(block)
    yield from small_changes(text, lines)
    yield from program.one_more_or_less()
    yield from program.other_names()
    yield from program.missing_returns()


class _Program:
    """A syntax tree that is changed in place, written, and changed back, in statements that begin in `lines`."""

    def __init__(self, tree: ast.Module, lines: Collection[int]) -> None:
        nodes = list(ast.walk(tree))
        self._tree = tree
        self._lines = lines
        self._reads = [node for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
        self._variables = sorted(_stored(nodes))
        self._bounds = [bound for node in nodes for bound in _bounds(node)]
        self._functions = [node for node in nodes if isinstance(node, ast.FunctionDef)]

    def _may_change(self, line: int) -> bool:
        return not self._lines or line in self._lines

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

    def one_more_or_less(self) -> Iterator[SmallChange]:
        """Add 1 to a variable bound of a range, slice or comparison, or to an index, or subtract it."""
        for owner, field, place in self._bounds:
            values = getattr(owner, field) if place is not None else None
            value = getattr(owner, field) if values is None else values[place]
            for operator in (ast.Add(), ast.Sub()) if self._may_change(value.lineno) else ():
                _put(owner, field, place, ast.BinOp(value, operator, ast.Constant(1)))
                yield self._changed(value.lineno)
            _put(owner, field, place, value)

    def other_names(self) -> Iterator[SmallChange]:
        """Read another variable in one place."""
        for node in self._reads:
            if node.id in self._variables and self._may_change(node.lineno):
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
            if not self._may_change(statement.lineno):
                continue
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


def _bounds(node: ast.AST) -> Iterator[tuple[ast.AST, str, int | None]]:
    """Yield the fields of a node, and places in them, with a bound or an index that is not a constant."""
    match node:
        case ast.Call(func=ast.Name(id="range"), args=values):
            yield from ((node, "args", place) for place, value in enumerate(values) if isinstance(value, _VARIABLE))
        case ast.Compare(comparators=values):
            places = [place for place, value in enumerate(values) if isinstance(value, _VARIABLE)]
            yield from ((node, "comparators", place) for place in places)
        case ast.Slice() | ast.Subscript():
            fields = ("lower", "upper") if isinstance(node, ast.Slice) else ("slice",)
            yield from ((node, field, None) for field in fields if isinstance(getattr(node, field), _VARIABLE))


def _put(owner: ast.AST, field: str, place: int | None, value: ast.expr) -> None:
    if place is None:
        setattr(owner, field, value)
    else:
        getattr(owner, field)[place] = value


def _stored(nodes: list[ast.AST]) -> set[str]:
    """Return the names of variables and parameters."""
    names = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return names | {node.arg for node in nodes if isinstance(node, ast.arg)}
