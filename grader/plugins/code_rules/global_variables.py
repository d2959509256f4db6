"""The rule that functions do not use global variables."""

import ast
import symtable
from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import dataclass

from grader.model.rule import RuleFinding
from grader.plugins.code_rules.made_classes import made_classes
from grader.plugins.code_rules.meanings import Meanings, namespace_owner
from grader.plugins.code_rules.module_names import module_variables
from grader.rules.code_rule import SourceRule
from grader.rules.source import ParsedSource
from grader.text.sentence import say


@dataclass(frozen=True)
class NoGlobalVariables(SourceRule):
    """No function uses a global variable. Functions, classes, modules and CONSTANTS are allowed."""

    name = "no-global-variables"
    holds_in_modules = True
    broken_by = (
        "A function uses a global variable. Functions, classes, modules and names in capitals are not variables, "
        "unless a new value is assigned to a function, class or module."
    )

    def findings(self, source: ParsedSource) -> Iterator[RuleFinding]:
        """Yield the first use of each variable in each function."""
        variables = {name for name in module_variables(source) if not name.isupper()} - source.once(made_classes)
        functions = {(function.name, function.lineno) for function in source.all_functions()}
        used = {(table.get_name(), name) for table, name in _globals_of(source.names, functions)}
        meanings = Meanings(source.tree)
        own_module_names = {"__main__", source.file.removesuffix(".py")}

        def is_own(value: ast.expr | None) -> bool:
            return value is not None and meanings.of(value) in own_module_names

        for function in source.all_functions():
            seen: set[str] = set()
            for node in ast.walk(function):
                for name in _names(node, is_own):
                    declared = isinstance(node, ast.Global) or _is_set(node)
                    read = not isinstance(node, ast.Name) or (function.name, name) in used
                    if name not in seen and (declared or (name in variables and read)):
                        seen.add(name)
                        yield source.finding(
                            _line(node),
                            say("{function}() uses the global variable {name}", function=function.name, name=name),
                        )


def _globals_of(
    table: symtable.SymbolTable, functions: Set[tuple[str, int]], around: symtable.SymbolTable | None = None
) -> Iterator[tuple[symtable.SymbolTable, str]]:
    """Yield each of the `functions` with the global names it uses, including names in its comprehensions and lambdas.

    `functions` holds names and lines, because a comprehension has a table of names like a function.
    """
    for inner in table.get_children():
        function = inner if (inner.get_name(), inner.get_lineno()) in functions else around
        if function is not None:
            yield from ((function, name) for name in _globals_in(inner))
        yield from _globals_of(inner, functions, function)


def _globals_in(table: symtable.SymbolTable) -> Iterable[str]:
    if isinstance(table, symtable.Function):
        # Looking up a symbol takes time proportional to the number of functions in the same scope.
        return table.get_globals()
    return (symbol.get_name() for symbol in table.get_symbols() if symbol.is_global())


def _names(node: ast.AST, is_own: Callable[[ast.expr | None], bool]) -> list[str]:
    """Return the names of the module that a node uses; `is_own` recognises expressions for the module itself."""
    match node:
        case ast.Global(names):
            return names
        case ast.Name(name):
            return [name]
        case ast.Attribute(value, name) if is_own(value):
            return [name]
        case ast.Call(ast.Name("setattr"), [value, ast.Constant(str(name)), *_]) if is_own(value):
            return [name]
        case ast.Subscript(ast.Call(ast.Name("globals")), ast.Constant(str(name))):
            return [name]
        case ast.Subscript(space, ast.Constant(str(name))) if is_own(namespace_owner(space)):
            return [name]
    return []


def _is_set(node: ast.AST) -> bool:
    """Return whether this is `globals()[NAME] = ...` or the like."""
    if isinstance(node, ast.Subscript | ast.Attribute):
        return isinstance(node.ctx, ast.Store | ast.Del)
    return isinstance(node, ast.Call)


def _line(node: ast.AST) -> int | None:
    return getattr(node, "lineno", None)
