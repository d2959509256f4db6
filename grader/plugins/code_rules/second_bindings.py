"""Finds statements that give a name of a provided module, or the module itself, a second meaning."""

import ast
import importlib
import sys
from collections.abc import Iterable, Iterator, Mapping, Set
from importlib.machinery import PathFinder
from pathlib import Path

from grader.plugins.code_rules.constant_text import constant_text
from grader.plugins.code_rules.meanings import Meanings
from grader.plugins.code_rules.module_names import bound_by_name, outside_functions
from grader.rules.source import FunctionDefinition, ParsedSource

_HOLDERS_OF_MODULES = {"sys.modules", "sys.meta_path", "sys.path_hooks", "sys.path_importer_cache"}
_LOOK_UPS = {"get", "keys", "__getitem__", "__contains__"}
_SPACES = {"globals", "locals", "vars"}
_CHANGES = {"update", "pop", "popitem", "clear", "setdefault", "__ior__", "__setitem__", "__delitem__"}


def second_bindings(
    source: ParsedSource, bound: Mapping[str, str], modules: Mapping[str, tuple[Set[str], Mapping[str, str]]]
) -> Iterator[tuple[ast.stmt | ast.ExceptHandler | ast.pattern, str]]:
    """Yield each import, handler or pattern of the module that binds one of the names in `bound` to something else.

    `bound` maps names to their meanings in the provided module. `modules` holds, for each of the student's modules, the
    names that it binds, and the ones of the provided module that it hands on.
    """
    for node, shared in _of_module(source.tree):
        names: Iterable[str] = ()
        match node:
            case ast.Import(aliases):
                pairs = ((alias, alias.name.partition(".")[0]) for alias in aliases)
                locals_of = ((alias.asname or first, first) for alias, first in pairs)
                names = [local for local, first in locals_of if first != _first(bound, local)]
            case ast.ImportFrom(module, aliases):
                names = _brought(module or "", aliases, bound, modules)
            case ast.ExceptHandler() | ast.MatchAs() | ast.MatchStar() | ast.MatchMapping():
                names = bound_by_name(node)
            case _:
                continue
        yield from ((node, name) for name in names if name in bound and (shared is None or name in shared))


def _brought(
    module: str,
    aliases: Iterable[ast.alias],
    bound: Mapping[str, str],
    modules: Mapping[str, tuple[Set[str], Mapping[str, str]]],
) -> Iterator[str]:
    names, handed_on = modules.get(module, (frozenset(), {}))
    for alias in aliases:
        if alias.name == "*":
            given = names if module in modules else public_names(module) if bound else frozenset()
            pairs = [(name, name) for name in bound.keys() & given]
        else:
            pairs = [(alias.asname or alias.name, alias.name)]
        for local, name in pairs:
            provided = _first(bound, local)
            if provided not in (module, handed_on.get(name, "").partition(".")[0]):
                yield local


def _first(bound: Mapping[str, str], name: str) -> str:
    return bound.get(name, "").partition(".")[0]


def _of_module(tree: ast.Module) -> Iterator[tuple[ast.AST, Set[str] | None]]:
    """Yield the nodes outside functions, and the ones in functions with the names declared global there."""
    yield from ((node, None) for node in outside_functions(tree))
    for function in ast.walk(tree):
        if isinstance(function, FunctionDefinition):
            nodes = list(ast.walk(function))
            shared = frozenset(name for node in nodes if isinstance(node, ast.Global) for name in node.names)
            yield from ((node, shared) for node in nodes if shared)


def names_of_module(tree: ast.Module) -> Set[str]:
    """Return the names that a module binds outside functions, or in functions that declare them global."""
    names = {name for node in ast.walk(tree) if isinstance(node, ast.Global) for name in node.names}
    for node in outside_functions(tree):
        match node:
            case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name) | ast.Name(name, ast.Store()):
                names.add(name)
            case ast.alias(name, asname):
                names.add(asname or name.partition(".")[0])
        names.update(bound_by_name(node))
    return names


def public_names(module: str) -> Set[str]:
    """Return the names that `from MODULE import *` may bind if MODULE belongs to Python; other modules are unknown."""
    if module.partition(".")[0] not in sys.stdlib_module_names:
        return frozenset()
    try:
        spec = PathFinder.find_spec(module)
        if spec is not None and spec.origin is not None and spec.origin.endswith(".py"):
            return names_of_module(ast.parse(Path(spec.origin).read_bytes()))
        # Without source, the module is written in C, and importing it has no effects.
        return frozenset(dir(importlib.import_module(module)))
    except (ImportError, OSError, SyntaxError):
        return frozenset()


def unclear_bindings(source: ParsedSource, bound: Set[str], meanings: Meanings) -> Iterator[ast.expr]:
    """Yield the expressions that may put another object in the place of a module or of one of its names."""
    harmless = {value for node in source.nodes for value in _looked_into(node, meanings)}
    for node in source.nodes:
        match node:
            case ast.Name() | ast.Attribute() if meanings.of(node) in _HOLDERS_OF_MODULES and node not in harmless:
                yield node
            case ast.Subscript(space, key, ast.Store() | ast.Del()) if _is_space(space, meanings):
                text = constant_text(key, meanings.plain)
                if text is None or text in bound:
                    yield node
            case ast.Call(ast.Attribute(space, name)) if name in _CHANGES and _is_space(space, meanings):
                yield node


def _looked_into(node: ast.AST, meanings: Meanings) -> Iterable[ast.expr]:
    """Return the values in which a node only looks something up, or of which it changes an item known by name."""
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
