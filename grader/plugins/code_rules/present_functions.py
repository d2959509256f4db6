"""Finds the functions that a module still has after it has run."""

import ast
from collections.abc import Iterable, Iterator

from grader.plugins.code_rules.module_names import assigned_function, assigned_names, outside_functions
from grader.plugins.code_rules.used_names import constant_truth, live, live_children
from grader.rules.source import FunctionDefinition, ParsedSource

_Function = FunctionDefinition | ast.Lambda
_MAYBE_FUNCTION = ast.Call | ast.Attribute | ast.Name | ast.IfExp
_NO_FUNCTION = (
    ast.Constant
    | ast.JoinedStr
    | ast.List
    | ast.Tuple
    | ast.Set
    | ast.Dict
    | ast.ListComp
    | ast.SetComp
    | ast.DictComp
    | ast.GeneratorExp
    | ast.Compare
    | ast.UnaryOp
    | ast.BinOp
)


def last_meanings(source: ParsedSource) -> dict[str, ast.AST]:
    """Map the module's own names to their final meanings: a function, another value, a class or a deletion.

    Code that clearly never runs is ignored, and only code that is certain to run can remove a function.
    """
    functions: dict[str, _Function] = {}
    others: dict[str, ast.AST] = {}
    surely_run = set(_surely_run(source.tree.body))
    for node in outside_functions(source.tree, live_children):
        if isinstance(node, FunctionDefinition):
            functions[node.name] = node
        for name, value in assigned_names(node):
            if (function := assigned_function(value, functions)) is not None:
                functions[name] = function
            elif isinstance(value, _MAYBE_FUNCTION):
                others[name] = value
            elif isinstance(value, _NO_FUNCTION) and node in surely_run:
                functions.pop(name, None)
                others[name] = value
        if isinstance(node, ast.ImportFrom):
            others |= dict.fromkeys(_imported(node), node)
        for name in _replaced_by(node) if node in surely_run else ():
            functions.pop(name, None)
            others[name] = node
    return {**others, **functions}


def present_functions(source: ParsedSource) -> dict[str, _Function]:
    """Map the names of the module's functions that remain at the end to their last definitions."""
    meanings = source.once(last_meanings)
    return {name: value for name, value in meanings.items() if isinstance(value, _Function)}


def made_elsewhere(source: ParsedSource) -> dict[str, ast.expr]:
    """Map names that may be functions to the calls, attributes or other names that are assigned to them."""
    return {name: value for name, value in source.once(last_meanings).items() if isinstance(value, _MAYBE_FUNCTION)}


def removed_functions(source: ParsedSource) -> set[str]:
    """Return the names that end up deleted, or that refer to something other than a function."""
    gone = _NO_FUNCTION | ast.ClassDef | ast.Delete
    return {name for name, value in source.once(last_meanings).items() if isinstance(value, gone)}


def live_imports(source: ParsedSource) -> tuple[ast.ImportFrom, ...]:
    """Return the imports of names in a program, except in code that clearly never runs."""
    imports = []
    waiting: list[ast.AST] = [source.tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.ImportFrom):
            imports.append(node)
        waiting += live_children(node)
    return tuple(imports)


def _surely_run(statements: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a module that always run when it does."""
    for statement in live(statements):
        yield statement
        if isinstance(statement, ast.If) and (truth := constant_truth(statement.test)) is not None:
            yield from _surely_run(statement.body if truth else statement.orelse)


def _imported(node: ast.ImportFrom) -> Iterator[str]:
    return (alias.asname or alias.name for alias in node.names)


def _replaced_by(node: ast.AST) -> Iterator[str]:
    """Yield the names that a class definition rebinds or that a `del` deletes."""
    if isinstance(node, ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Delete):
        names = (name for target in node.targets for name in ast.walk(target))
        yield from (name.id for name in names if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Del))
