"""Finds places that may take a forbidden name away from the program, so that it means Python's own object again.

A program may define an `eval` of its own. Its calls of `eval` are only clearly calls of this function if nothing
deletes the name, hides it by another import, or uses it before it is defined.
"""

import ast
from collections.abc import Iterator, Set

from grader.model.rule import RuleFinding
from grader.plugins.code_rules.bound_names import public_names
from grader.plugins.code_rules.meanings import local_names
from grader.plugins.code_rules.module_names import module_name, outside_functions, program_and_modules
from grader.rules.source import FunctionDefinition, ParsedSource
from grader.text.sentence import say

_Definition = FunctionDefinition | ast.ClassDef
_WAYS_TO_DELETE = frozenset(
    {"delattr", "__delattr__", "globals", "locals", "vars", "exec", "__dict__", "__globals__", "f_globals", "f_locals"}
    | {"modules", "__main__", "__all__"}
)


def unclear_names(source: ParsedSource, clear: Set[ast.Name], names: Set[str]) -> Iterator[RuleFinding]:
    """Yield the places for the forbidden `names` that a file uses as its own; `clear` holds its own name nodes."""
    if not any(node.id in names for node in _loads(source, clear)):
        return
    clear = clear - local_names(source)
    used = {node.id for node in _loads(source, clear) if node.id in names}
    if not used:
        return
    files = [file for file in program_and_modules(source) if file.file != source.file]
    for file in (source, *files):
        here = _loads_outside_handlers(source, clear) & used if file is source else used
        for node, name in _places(file, clear, here, used):
            yield file.finding(
                getattr(node, "lineno", None), say("it is not clear what {name} means after this", name=name)
            )
    yield from _used_early(source, clear, used)


def _loads(source: ParsedSource, clear: Set[ast.Name]) -> Iterator[ast.Name]:
    return (node for node in source.nodes if node in clear and isinstance(node, ast.Name) and _is_load(node))


def _is_load(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Load)


def _loads_outside_handlers(source: ParsedSource, clear: Set[ast.Name]) -> Set[str]:
    """Return the names that are used outside the handlers that bind them."""
    inside = {
        node
        for handler in source.nodes
        if isinstance(handler, ast.ExceptHandler)
        for node in ast.walk(handler)
        if isinstance(node, ast.Name) and node.id == handler.name
    }
    return {node.id for node in _loads(source, clear) if node not in inside}


def _places(file: ParsedSource, clear: Set[ast.Name], names: Set[str], used: Set[str]) -> Iterator[tuple[ast.AST, str]]:
    """Yield the nodes of a file that may take away a name, with the name."""
    own_modules = {module_name(module) for module in program_and_modules(file)}
    shared = {name for node in file.nodes if isinstance(node, ast.Global) for name in node.names}
    of_module = set(outside_functions(file.tree))
    anyone = min(used)
    for node in file.nodes:
        match node:
            case ast.ExceptHandler(name=str(name)) if name in names and (node in of_module or name in shared):
                yield node, name
            case ast.Attribute(_, name, ast.Del()) if name in used:
                yield node, name
            case ast.ImportFrom(str(module), [ast.alias("*")]) if module not in own_modules:
                yield from ((node, name) for name in used & public_names(module))
            case ast.Name(name) if name in _WAYS_TO_DELETE - {"modules", "__all__"} and node not in clear:
                yield node, anyone
            case ast.Attribute(_, name) | ast.alias(name) if name in _WAYS_TO_DELETE:
                yield node, anyone
            case ast.Constant(str(name)) if "_" in name and name in _WAYS_TO_DELETE - {"__main__"}:
                yield node, anyone


def _used_early(source: ParsedSource, clear: Set[ast.Name], used: Set[str]) -> Iterator[RuleFinding]:
    """Yield the statements that may run a function before a name that it uses is defined."""
    body = source.tree.body
    functions = {node.name for node in body if isinstance(node, _Definition)}
    in_functions = {
        inner.id
        for node in source.all_functions()
        for inner in ast.walk(node)
        if isinstance(inner, ast.Name) and inner in clear and _is_load(inner)
    }
    for name in sorted(used & in_functions & functions):
        for statement in body:
            if isinstance(statement, _Definition) and statement.name == name:
                break
            run = [statement, *outside_functions(statement)] if not isinstance(statement, FunctionDefinition) else []
            mentioned = (node for node in run if isinstance(node, ast.Name) and node.id in functions - {name})
            if next(mentioned, None) is not None:
                yield source.finding(statement.lineno, say("it is not clear what {name} means after this", name=name))
