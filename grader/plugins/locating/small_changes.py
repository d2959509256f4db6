"""Programs that differ from a given one in a single detail, such as a comparison or an increased number."""

import ast
from collections.abc import Collection, Iterator, Mapping
from functools import partial

from grader.plugins.locating.ranking import parsed
from grader.plugins.locating.rewriting import SLIGHT, SOME, RewrittenProgram, SmallChange, parts

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

_MIRRORED: Mapping[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.Gt,
    ast.Gt: ast.Lt,
    ast.LtE: ast.GtE,
    ast.GtE: ast.LtE,
}

_OTHER_COMPARISONS = (_AT_THE_BOUND, _NEGATED, _MIRRORED)

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


def small_changes(text: str) -> Iterator[SmallChange]:
    """Yield the changes of a program in the order of its lines, or none if it cannot be parsed."""
    tree, program = parsed(text), RewrittenProgram.of(text)
    if tree is None or program is None:
        return
    own = {new.lineno: old.lineno for old, new in zip(_statements(tree), _statements(program.tree), strict=True)}
    for change in small_changes_of(program):
        yield SmallChange(own[change.line], change.write, change.effort)


def small_changes_of(program: RewrittenProgram, lines: Collection[int] = ()) -> Iterator[SmallChange]:
    """Yield the changes of a program by the lines of its formatted text.

    With `lines`, only the statements that begin there are changed.
    """
    for part in parts(program.tree):
        for effort, replacement in _others(part.node) if not lines or part.line in lines else ():
            yield SmallChange(part.line, partial(program.with_puts, part.statement, [part.put(replacement)]), effort)


def _statements(tree: ast.Module) -> list[ast.stmt]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]


def _others(node: ast.AST) -> Iterator[tuple[int, ast.AST]]:
    """Yield the replacements of a part of a program, each with its effort."""
    yield from ((SLIGHT, other) for other in _other_operators(node))
    yield from ((SLIGHT, other) for other in _other_constants(node))
    for others in (_other_statements, _shorter, _other_calls, _other_collections):
        yield from ((SOME, other) for other in others(node))


def _other_statements(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Assign() | ast.Expr() | ast.Break() | ast.Continue():
            yield ast.Pass()
        case ast.AugAssign(target=target, value=value):
            yield from (ast.Pass(), ast.Assign([target], value))
        case ast.If(test=test, body=body, orelse=orelse) if not isinstance(test, ast.Compare):
            yield ast.If(ast.UnaryOp(ast.Not(), test), body, orelse)


def _other_constants(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=1)):
            yield ast.Constant(0)
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield from (ast.Constant(value + 1), ast.Constant(value - 1))
        case ast.Constant(value=str(value)) if value:
            yield ast.Constant(value[:-1] if value.endswith(" ") else value + " ")


def _other_operators(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Compare(left=left, ops=ops, comparators=comparators):
            for place, op in enumerate(ops):
                others = dict.fromkeys(table[type(op)] for table in _OTHER_COMPARISONS if type(op) in table)
                yield from (
                    ast.Compare(left, [*ops[:place], other(), *ops[place + 1 :]], comparators) for other in others
                )
        case ast.BoolOp(op=op, values=values):
            yield ast.BoolOp(ast.And() if isinstance(op, ast.Or) else ast.Or(), values)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OTHER_OPERATOR:
            yield ast.BinOp(left, _OTHER_OPERATOR[type(op)](), right)
        case ast.AugAssign(target=target, op=op, value=value) if type(op) in _OTHER_OPERATOR:
            yield ast.AugAssign(target, _OTHER_OPERATOR[type(op)](), value)
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield operand


def _shorter(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.BoolOp(values=values):
            yield from values
        case ast.BinOp(left=left):
            yield left
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
