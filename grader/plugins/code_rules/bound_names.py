"""The names that a module binds, and that `from MODULE import *` may therefore import."""

import ast
import importlib
import sys
from collections.abc import Set
from importlib.machinery import PathFinder
from pathlib import Path

from grader.plugins.code_rules.module_names import bound_by_name, outside_functions


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
