"""The names that a module gives to functions, variables and imports."""

import ast
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeGuard

from grader.rules.source import FunctionDefinition, ParsedSource


def module_functions(source: ParsedSource) -> dict[str, FunctionDefinition | ast.Lambda]:
    """Map the names of the module's own functions to their last definitions; a function may have several names."""
    functions: dict[str, FunctionDefinition | ast.Lambda] = {}
    for node in outside_functions(source.tree):
        if isinstance(node, FunctionDefinition):
            functions[node.name] = node
        for name, value in assigned_names(node):
            if (function := assigned_function(value, functions)) is not None:
                functions[name] = function
    return functions


def assignment_counts(source: ParsedSource) -> Counter[str]:
    """Count the assignments to each name of the module, outside of functions and comprehensions."""
    nodes = list(outside_functions(source.tree))
    inside = {id(inner) for node in nodes if isinstance(node, ast.comprehension) for inner in ast.walk(node.target)}
    return Counter(node.id for node in nodes if is_stored(node) and id(node) not in inside)


def module_variables(source: ParsedSource) -> set[str]:
    """Return the names that the module assigns to, and names of handlers and patterns that nothing else defines."""
    nodes = list(outside_functions(source.tree))
    named = {node.name for node in nodes if isinstance(node, FunctionDefinition | ast.ClassDef)}
    bound = {name for node in nodes for name in bound_by_name(node)} - named - dict(imported_names(nodes)).keys()
    return bound | assignment_counts(source).keys()


def bound_by_name(node: ast.AST) -> Iterator[str]:
    """Yield the name that a handler or a pattern binds."""
    match node:
        case ast.ExceptHandler(name=str(name)):
            yield name
        case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
            yield name


def is_stored(node: ast.AST) -> TypeGuard[ast.Name]:
    """Return whether the node is a name that is assigned to."""
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def assigned_names(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Yield the names that a statement assigns to, each with its value."""
    match node:
        case ast.Assign(targets=targets, value=value):
            yield from (pair for target in targets for pair in assigned_pairs(target, value))
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
            yield name, value


def assigned_pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """Yield the names in a target of an assignment, each with its value as far as the text pairs them."""
    match target, value:
        case ast.Name(id=name), _:
            yield name, value
        case (ast.Tuple(elts=names) | ast.List(elts=names), ast.Tuple(elts=values) | ast.List(elts=values)):
            if len(names) == len(values):
                yield from (
                    pair for names_values in zip(names, values, strict=True) for pair in assigned_pairs(*names_values)
                )


def assigned_function(
    value: ast.expr, functions: Mapping[str, FunctionDefinition | ast.Lambda]
) -> FunctionDefinition | ast.Lambda | None:
    """Return the assigned function; for a conditional expression, return the first of its two functions."""
    match value:
        case ast.Lambda():
            return value
        case ast.Name(id=name):
            return functions.get(name)
        case ast.IfExp(body=first, orelse=second):
            return assigned_function(first, functions) if assigned_function(second, functions) else None
    return None


def imported_names(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, str]]:
    """Yield each imported name with the dotted name of its object."""
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                package = alias.name.partition(".")[0]
                yield (alias.asname, alias.name) if alias.asname else (package, package)
        elif isinstance(node, ast.ImportFrom):
            yield from ((alias.asname or alias.name, f"{node.module or ''}.{alias.name}") for alias in node.names)


def outside_functions(
    start: ast.AST, parts: Callable[[ast.AST], Iterable[ast.AST]] = ast.iter_child_nodes
) -> Iterator[ast.AST]:
    """Yield the nodes in `start` in source order, including functions, lambdas and classes, but nothing inside them.

    `parts` returns the children of a node to visit.
    """
    waiting = [start]
    while waiting:
        node = waiting.pop()
        if node is not start:
            yield node
        if node is start or not isinstance(node, FunctionDefinition | ast.Lambda | ast.ClassDef):
            waiting += reversed([*parts(node)])


def program_and_modules(source: ParsedSource) -> tuple[ParsedSource, ...]:
    """Return a program and the student's modules beside it."""
    return source, *source.modules


def module_name(source: ParsedSource) -> str:
    """Return the name under which other modules import this one."""
    return source.file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
