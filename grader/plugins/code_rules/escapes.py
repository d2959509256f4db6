"""Where a module goes as a value, so that the text alone no longer tells what is done with it."""

import ast
from collections.abc import Iterator, Set

from grader.plugins.code_rules.meanings import Meanings

_LOOKERS = (
    "dir",
    "hasattr",
    "help",
    "id",
    "isinstance",
    "getattr",
    "print",
    "repr",
    "setattr",
    "delattr",
    "str",
    "vars",
)


def escapes(tree: ast.Module, meanings: Meanings, own: Set[ast.Name]) -> Iterator[tuple[ast.expr, str]]:
    """Yield what goes into a call, a collection, an attribute and the like, with its dotted name.

    `own` are the names that mean something of the program, but for further names of what it imports.
    """
    for node in ast.walk(tree):
        for value in _passed_on(node, meanings):
            first = _first_name(value)
            if first is None or first not in own or meanings.is_alias(first.id):
                yield value, meanings.of(value) or ""


def _first_name(value: ast.expr) -> ast.Name | None:
    while isinstance(value, ast.Attribute):
        value = value.value
    return value if isinstance(value, ast.Name) else None


def _passed_on(node: ast.AST, meanings: Meanings) -> Iterator[ast.expr]:
    """Yield the parts of a node whose values it passes on to where they are not followed."""
    match node:
        case ast.Call(called, arguments, keywords) if meanings.of(called) not in _LOOKERS:
            yield from [*arguments, *(keyword.value for keyword in keywords)]
        case ast.Assign([target], value) | ast.AnnAssign(target, _, value) | ast.NamedExpr(target, value):
            is_followed = isinstance(target, ast.Name) and meanings.is_alias(target.id)
            yield from [value] if value and not is_followed else []
        case ast.Assign(_, value) | ast.Starred(value) | ast.withitem(value) | ast.Match(value) | ast.Lambda(_, value):
            yield value
        case ast.Return(ast.expr() as value) | ast.Yield(ast.expr() as value):
            yield value
        case ast.ClassDef(body=statements):
            yield from [one.value for one in statements if isinstance(one, ast.Assign)]
        case ast.List(values) | ast.Tuple(values) | ast.Set(values) | ast.Dict(values=values):
            yield from values
        case ast.ListComp(value) | ast.SetComp(value) | ast.GeneratorExp(value) | ast.DictComp(value=value):
            yield value
        case ast.arguments(defaults=defaults, kw_defaults=by_name):
            yield from [*defaults, *filter(None, by_name)]
