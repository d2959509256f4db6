"""Changes to a program that beginners' mistakes often need, besides the small ones that locating tries."""

import ast
import builtins
from collections.abc import Collection, Iterator, Sequence
from functools import partial
from itertools import product

from grader.plugins.locating.ranking import parsed
from grader.plugins.locating.rewriting import (
    GREAT,
    SLIGHT,
    SOME,
    ProgramPart,
    Put,
    RewrittenProgram,
    SmallChange,
    is_docstring,
    parts,
)
from grader.plugins.locating.small_changes import small_changes_of

_BUILTINS = frozenset(dir(builtins))
_BLOCKS = ("body", "orelse", "finalbody")
_VARIABLE = (ast.Name, ast.Call, ast.Attribute)
_CONVERSIONS = ("list", "tuple", "sorted", "len", "int", "str")
_DEFINITIONS = (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)


def changed_programs(text: str, lines: Collection[int] = ()) -> Iterator[SmallChange]:
    """Yield changes of a program in one place, the slightest first; none if it cannot be parsed.

    Lines are those of the program as Python's formatter writes it. With `lines`, only the statements that begin there
    are changed.
    """
    program = RewrittenProgram.of(text)
    if program is not None:
        changes = [*small_changes_of(program, lines), *_Changes(program, lines).all()]
        yield from sorted(changes, key=lambda change: change.effort)


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


class _Changes:
    """The changes of a program in the statements that begin in `lines`, or in all of them."""

    def __init__(self, program: RewrittenProgram, lines: Collection[int]) -> None:
        self._program = program
        self._lines = lines
        self._parts = list(parts(program.tree))
        self._variables = _stored(program.tree)

    def all(self) -> Iterator[SmallChange]:
        """Yield the changes."""
        yield from self._undefined_names()
        for part in self._parts:
            if not self._lines or part.line in self._lines:
                yield from self._one_more_or_less(part)
                yield from self._other_values(part)
                yield from self._other_names(part)
        for node in ast.walk(self._program.tree):
            for block, field in _blocks(node):
                yield from self._statements(node, field, block)
        yield from self._missing_returns()
        yield from self._missing_guards()

    def _change(self, effort: int, line: int, statement: ast.AST, *puts: Put) -> Iterator[SmallChange]:
        if not self._lines or line in self._lines:
            yield SmallChange(line, partial(self._program.with_puts, statement, puts), effort)

    def _undefined_names(self) -> Iterator[SmallChange]:
        """Give an undefined name the name of a variable."""
        functions = {node.name for node in ast.walk(self._program.tree) if isinstance(node, ast.FunctionDef)}
        reads = [part for part in self._parts if isinstance(part.node, ast.Name) and _is_read(part.node)]
        defined = {*self._variables, *functions, *_BUILTINS}
        for name in sorted({_name(part.node) for part in reads} - defined):
            of_name = [part for part in reads if _name(part.node) == name]
            for variable in sorted(self._variables):
                puts = [Put(part.node, "id", variable) for part in of_name]
                yield from self._change(SLIGHT, of_name[0].line, self._program.tree, *puts)

    def _one_more_or_less(self, part: ProgramPart) -> Iterator[SmallChange]:
        """Add 1 to a bound of a range, slice or comparison, to an index, or to a value, or subtract it."""
        if isinstance(part.node, _VARIABLE) and not isinstance(getattr(part.node, "ctx", None), ast.Store | ast.Del):
            effort = SOME if _is_bound(part) else GREAT if _is_value(part) else None
            for operator in (ast.Add(), ast.Sub()) if effort is not None else ():
                put = part.put(ast.BinOp(part.node, operator, ast.Constant(1)))
                yield from self._change(effort or SOME, part.line, part.statement, put)

    def _other_values(self, part: ProgramPart) -> Iterator[SmallChange]:
        """Add a list in place of its value, store or add a value, pass on an argument, or convert a value."""
        match part.node:
            case ast.AugAssign(target=target, op=ast.Add() as op, value=value) if not isinstance(value, ast.Constant):
                others: list[ast.AST] = [ast.AugAssign(target, op, ast.List([value], ast.Load()))]
            case ast.Assign(targets=[ast.Name() as target], value=value):
                others = [ast.AugAssign(target, ast.Add(), value)]
            case ast.For(target=target, iter=ast.Name() as source, body=body, orelse=orelse):
                copy = ast.Subscript(source, ast.Slice(), ast.Load())
                others = [ast.For(target, copy, body, orelse)]
            case ast.Break():
                others = [ast.Continue()]
            case ast.Continue():
                others = [ast.Break()]
            case ast.Return(value=ast.Constant() | ast.Tuple(elts=[]) | ast.List(elts=[])):
                others = [ast.Return(value) for value in _empty_values()]
            case ast.Call(args=arguments):
                others = [argument for argument in arguments if not isinstance(argument, ast.Starred)]
            case _:
                others = []
        if _is_value(part) and isinstance(part.node, _VARIABLE):
            others += [ast.Call(ast.Name(name, ast.Load()), [part.node], []) for name in _CONVERSIONS]
        for other in others:
            yield from self._change(GREAT, part.line, part.statement, part.put(other))

    def _other_names(self, part: ProgramPart) -> Iterator[SmallChange]:
        """Read another variable in one place."""
        if isinstance(part.node, ast.Name) and _is_read(part.node) and part.node.id in self._variables:
            for variable in sorted(self._variables - {part.node.id}):
                yield from self._change(GREAT, part.line, part.statement, Put(part.node, "id", variable))

    def _missing_returns(self) -> Iterator[SmallChange]:
        """Return a variable, or a truth value, at the end of a function that returns nothing there."""
        for function in ast.walk(self._program.tree):
            if not isinstance(function, ast.FunctionDef) or isinstance(function.body[-1], ast.Return):
                continue
            values: list[ast.expr] = [ast.Name(name, ast.Load()) for name in sorted(_stored(function))]
            for value in (*values, ast.Constant(value=True), ast.Constant(value=False)):
                put = Put(function, "body", [*function.body, ast.Return(value)])
                yield from self._change(GREAT, function.body[-1].lineno, function, put)

    def _missing_guards(self) -> Iterator[SmallChange]:
        """Return an empty value or 0 at the beginning of a function if an argument is empty."""
        for function in ast.walk(self._program.tree):
            if isinstance(function, ast.FunctionDef):
                start = 1 if is_docstring(function.body[0]) and len(function.body) > 1 else 0
                tests = [ast.UnaryOp(ast.Not(), ast.Name(argument.arg, ast.Load())) for argument in function.args.args]
                for test, value in product(tests, _empty_values()):
                    guard = ast.If(test, [ast.Return(value)], [])
                    put = Put(function, "body", [*function.body[:start], guard, *function.body[start:]])
                    yield from self._change(GREAT, function.body[start].lineno, function, put)

    def _statements(self, owner: ast.AST, field: str, block: Sequence[ast.stmt]) -> Iterator[SmallChange]:
        """Return values instead of printing them, swap neighbours, and move statements into or out of a block."""

        def change(place: int, count: int, new: Sequence[ast.stmt], *puts: Put) -> Iterator[SmallChange]:
            line = block[min(place, len(block) - 1)].lineno
            put = Put(owner, field, [*block[:place], *new, *block[place + count :]])
            return self._change(GREAT, line, owner, put, *puts)

        for place, statement in enumerate(block):
            match statement:
                case ast.Expr(ast.Call(func=ast.Name(id="print"), args=[value])):
                    yield from change(place, 1, [ast.Return(value)])
                case ast.Return(ast.Call(func=ast.Attribute(value=of_call)) as call):
                    yield from change(place, 1, [ast.Expr(call), ast.Return(of_call)])
            after = block[place + 1 : place + 2]
            if after:
                yield from change(place, 2, [*after, statement])
            for new, put in _moves(statement, after):
                yield from change(place + 1, 0 if new else 1, new, put)


def _moves(statement: ast.stmt, after: Sequence[ast.stmt]) -> Iterator[tuple[Sequence[ast.stmt], Put]]:
    """Yield what comes after a statement out of its blocks, or nothing if the statement `after` it moves in."""
    if isinstance(statement, ast.ClassDef):
        return
    for block, field in _blocks(statement):
        if len(block) > 1:
            yield block[-1:], Put(statement, field, block[:-1])
        if after:
            yield [], Put(statement, field, [*block, *after])
    if isinstance(statement, ast.If) and statement.orelse:
        yield statement.orelse, Put(statement, "orelse", [])


def _blocks(node: ast.AST) -> Iterator[tuple[list[ast.stmt], str]]:
    for field in _BLOCKS:
        block = getattr(node, field, None)
        if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
            yield block, field


def _empty_values() -> list[ast.expr]:
    return [ast.Constant(0), ast.List([], ast.Load()), ast.Tuple([], ast.Load()), ast.Constant("")]


def _is_bound(part: ProgramPart) -> bool:
    """Return whether a part is a bound or an index."""
    match part.parent:
        case ast.Call(func=ast.Name(id="range")):
            return part.field == "args"
        case ast.Compare():
            return part.field == "comparators"
        case ast.Slice():
            return part.field in ("lower", "upper")
        case ast.Subscript():
            return part.field == "slice"
    return False


def _is_value(part: ProgramPart) -> bool:
    """Return whether a part is a value that is passed, stored or returned."""
    is_value = isinstance(part.parent, ast.Assign | ast.Return | ast.keyword) and part.field == "value"
    return is_value or part.field in ("args", "elts", "elt")


def _is_read(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Load)


def _name(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _stored(tree: ast.AST) -> frozenset[str]:
    """Return the names of variables and parameters."""
    nodes = list(ast.walk(tree))
    names = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return frozenset(names | {node.arg for node in nodes if isinstance(node, ast.arg)})
