"""Programs that differ from a given one in a single detail, such as a comparison or an increased number."""

import ast
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from grader.plugins.locating.ranking import parsed

_NEGATED: Mapping[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}

_AT_THE_BOUND: Mapping[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
}

_OTHER_OPERATOR: Mapping[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.Div: ast.FloorDiv,
    ast.FloorDiv: ast.Mod,
    ast.Mod: ast.FloorDiv,
}

_MAX_SWAPPED = 5
"""The number of leading parts of a list that may be swapped with the next part."""


@dataclass(frozen=True)
class SmallChange:
    """The text of the program with a change in the statement that begins in `line`."""

    line: int
    text: str


def small_changes(text: str, lines: Collection[int] = ()) -> Iterator[SmallChange]:
    """Yield the changes of a program lazily, or none if it cannot be parsed.

    With `lines`, only the statements that begin there are changed.
    """
    tree = parsed(text)
    if tree is None:
        return
    for part in _parts(tree, 0):
        for replacement in _others(part.node) if not lines or part.line in lines else ():
            part.put(replacement)
            changed = ast.unparse(ast.fix_missing_locations(tree))
            part.put(part.node)
            yield SmallChange(part.line, changed)


@dataclass(frozen=True, kw_only=True)
class _Part:
    """A part of a program: a field of `parent`, or an item of a list there, in the statement that begins in `line`."""

    parent: ast.AST
    field: str
    index: int | None
    node: ast.AST
    line: int

    def put(self, node: ast.AST) -> None:
        """Replace this part with `node`."""
        if self.index is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.index] = node


def _parts(parent: ast.AST, line: int) -> Iterator[_Part]:
    """Yield the parts of a program in the order of the source."""
    for field, value in ast.iter_fields(parent):
        if field in ("format_spec", "annotation", "returns", "decorator_list"):
            continue
        for index, node in enumerate(value) if isinstance(value, list) else ((None, value),):
            if isinstance(node, ast.AST) and not _is_docstring(node):
                own_line = node.lineno if isinstance(node, ast.stmt) else line
                yield _Part(parent=parent, field=field, index=index, node=node, line=own_line)
                yield from _parts(node, own_line)


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _others(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the replacements of a part of a program."""
    yield from _other_statements(node)
    yield from _other_constants(node)
    yield from _other_operations(node)
    yield from _other_calls(node)
    yield from _other_collections(node)


def _other_statements(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Assign() | ast.Expr() | ast.Break() | ast.Continue():
            yield ast.Pass()
        case ast.AugAssign(target=target, op=op, value=value):
            yield from (ast.Pass(), ast.Assign([target], value))
            if type(op) in _OTHER_OPERATOR:
                yield ast.AugAssign(target, _OTHER_OPERATOR[type(op)](), value)
        case ast.If(test=test, body=body, orelse=orelse) if not isinstance(test, ast.Compare):
            yield ast.If(ast.UnaryOp(ast.Not(), test), body, orelse)


def _other_constants(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield from (ast.Constant(value + 1), ast.Constant(value - 1))
        case ast.Constant(value=str(value)) if value:
            yield ast.Constant(value[:-1] if value.endswith(" ") else value + " ")


def _other_operations(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Compare(left=left, ops=[op], comparators=comparators):
            for table in (_AT_THE_BOUND, _NEGATED):
                if type(op) in table:
                    yield ast.Compare(left, [table[type(op)]()], comparators)
        case ast.BoolOp(op=op, values=values):
            yield ast.BoolOp(ast.And() if isinstance(op, ast.Or) else ast.Or(), values)
            yield from values
        case ast.BinOp(left=left, op=op, right=right):
            if type(op) in _OTHER_OPERATOR:
                yield ast.BinOp(left, _OTHER_OPERATOR[type(op)](), right)
            yield left
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield operand
        case ast.IfExp(test=test, body=body, orelse=orelse):
            yield ast.IfExp(test, orelse, body)


def _other_calls(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Call(func=ast.Attribute(value=value) as func, args=[], keywords=[]):
            yield from (ast.Call(func, [ast.Constant(0)], []), value)
        case ast.Call(func=ast.Attribute() as func, args=[_], keywords=[]):
            yield ast.Call(func, [], [])
        case ast.Call(func=func, args=[first, second, *rest], keywords=keywords):
            yield ast.Call(func, [second, first, *rest], keywords)


def _other_collections(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Subscript(value=value, slice=ast.Slice(lower=lower, upper=upper, step=step), ctx=ast.Load()):
            yield value
            if step is None and (lower is None) is not (upper is None):
                yield ast.Subscript(value, ast.Slice(upper, lower), ast.Load())
        case ast.Tuple(elts=parts, ctx=ast.Load()) | ast.List(elts=parts, ctx=ast.Load()):
            for place in range(min(len(parts), _MAX_SWAPPED) - 1):
                swapped = [*parts[:place], parts[place + 1], parts[place], *parts[place + 2 :]]
                yield type(node)(swapped, ast.Load())
        case ast.comprehension(target=target, iter=source, ifs=[_, *_], is_async=is_async):
            yield ast.comprehension(target, source, [], is_async)
