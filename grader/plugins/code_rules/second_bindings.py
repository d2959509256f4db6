"""Finds statements that give a name of a provided module, or the module itself, a second meaning."""

import ast
from collections.abc import Iterable, Iterator, Mapping, Set

from grader.plugins.code_rules.bound_names import public_names
from grader.plugins.code_rules.module_names import bound_by_name, outside_functions
from grader.rules.source import FunctionDefinition, ParsedSource


def second_bindings(
    source: ParsedSource, bound: Mapping[str, str], modules: Mapping[str, tuple[Set[str], Mapping[str, str]]]
) -> Iterator[tuple[ast.stmt | ast.ExceptHandler | ast.pattern, str]]:
    """Yield each import, handler or pattern of the module that binds one of the names in `bound` to something else.

    `bound` maps names to their meanings in the provided module. `modules` holds, for each of the student's modules, the
    names that it binds, and the names of the provided module that it passes on.
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
