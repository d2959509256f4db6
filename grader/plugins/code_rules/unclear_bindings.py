"""Finds expressions that may replace a provided module through the objects in which Python keeps names and modules."""

import ast
from collections.abc import Iterable, Iterator, Set

from grader.plugins.code_rules.constant_text import constant_text
from grader.plugins.code_rules.meanings import Meanings
from grader.rules.source import ParsedSource

_HOLDERS_OF_MODULES = {"sys.modules", "sys.meta_path", "sys.path_hooks", "sys.path_importer_cache"}
_LOOK_UPS = {"get", "keys", "__getitem__", "__contains__"}
_SPACES = {"globals", "locals", "vars"}
CHANGES_OF_DICTS = frozenset(
    {"update", "pop", "popitem", "clear", "setdefault", "__ior__", "__setitem__", "__delitem__"}
)
"""The methods that change a dictionary."""


def unclear_bindings(source: ParsedSource, bound: Set[str], meanings: Meanings) -> Iterator[ast.expr]:
    """Yield the expressions that may put another object in the place of a module or of one of its names."""
    harmless = {value for node in source.nodes for value in _harmless_values(node, meanings)}
    for node in source.nodes:
        match node:
            case ast.Name() | ast.Attribute() if meanings.of(node) in _HOLDERS_OF_MODULES and node not in harmless:
                yield node
            case ast.Subscript(space, key, ast.Store() | ast.Del()) if _is_space(space, meanings):
                text = constant_text(key, meanings.plain)
                if text is None or text in bound:
                    yield node
            case ast.Call(ast.Attribute(space, name)) if name in CHANGES_OF_DICTS and _is_space(space, meanings):
                yield node


def _harmless_values(node: ast.AST, meanings: Meanings) -> Iterable[ast.expr]:
    """Return the values in which a node only looks something up, or changes an item whose name is known."""
    match node:
        case ast.Subscript(value, key, context):
            is_clear = isinstance(context, ast.Load) or constant_text(key, meanings.plain) is not None
            return [value] if is_clear else []
        case ast.Attribute(value, name) if name in _LOOK_UPS:
            return [value]
        case ast.Compare(comparators=values):
            return values
    return []


def _is_space(node: ast.expr, meanings: Meanings) -> bool:
    match meanings.plain(node):
        case ast.Call(function, []):
            return meanings.of(function) in _SPACES
    return False
