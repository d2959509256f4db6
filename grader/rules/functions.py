"""Rules about functions: which there must be, whether `main` is used, what functions may not hold or use."""

import ast
import symtable
from collections.abc import Iterator

from grader.model.rule import Rule, RuleFinding, signature
from grader.rules.source import FunctionDefinition, ParsedSource

_MAIN = "main"


def required_functions(rule: Rule, source: ParsedSource) -> Iterator[RuleFinding]:
    """The functions that are missing, or cannot be called as the handout says."""
    for text in rule.functions:
        wanted = signature(text)
        found = source.functions.get(wanted.name)
        if found is None:
            yield source.finding(None, f"there is no function {text}")
            continue
        given = len(wanted.args.posonlyargs + wanted.args.args)
        if not _takes(found, given):
            message = f"the function cannot be called with {_count(given, 'argument')}; expected {text}"
            yield source.finding(found.lineno, message)


def _takes(function: FunctionDefinition, given: int) -> bool:
    arguments = function.args
    most = len(arguments.posonlyargs + arguments.args)
    least = most - len(arguments.defaults)
    by_name_only = any(default is None for default in arguments.kw_defaults)
    return least <= given and (given <= most or arguments.vararg is not None) and not by_name_only


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"


def main_used(rule: Rule, source: ParsedSource) -> Iterator[RuleFinding]:  # noqa: ARG001
    """Whether there is a `main` that is called under the main guard, and only there."""
    if _MAIN not in source.functions:
        yield source.finding(None, "there is no function main()")
    guards = [node for node in source.tree.body if _is_guard(node)]
    outside = [
        node
        for node in source.tree.body
        if not isinstance(node, FunctionDefinition | ast.ClassDef) and node not in guards
    ]
    for node in outside:
        for called in _calls(node):
            if called.name == _MAIN:
                yield source.finding(called.line, 'main() is called without `if __name__ == "__main__":`')
            elif called.name in ("input", "print"):
                yield source.finding(called.line, f"{called.name}() stands outside of all functions")
    if _MAIN in source.functions:
        called_at_all = [called for node in (*guards, *outside) for called in _calls(node) if called.name == _MAIN]
        if not called_at_all:
            yield source.finding(source.functions[_MAIN].lineno, "main() is never called")


def _is_guard(node: ast.stmt) -> bool:
    """Whether this is `if __name__ == "__main__":`, either side first."""
    if not isinstance(node, ast.If) or not isinstance(node.test, ast.Compare):
        return False
    sides = [ast.unparse(side) for side in (node.test.left, *node.test.comparators)]
    return sorted(sides) == ["'__main__'", "__name__"] and isinstance(node.test.ops[0], ast.Eq)


class _Call:
    def __init__(self, node: ast.Call, name: str) -> None:
        self.line = node.lineno
        self.name = name


def _calls(node: ast.AST) -> Iterator[_Call]:
    for inner in ast.walk(node):
        if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name):
            yield _Call(inner, inner.func.id)


def no_nested_functions(rule: Rule, source: ParsedSource) -> Iterator[RuleFinding]:  # noqa: ARG001
    """Functions defined inside functions; a lambda is an expression and may stand anywhere."""
    for function in source.all_functions():
        for inner in ast.walk(function):
            if inner is not function and isinstance(inner, FunctionDefinition):
                yield source.finding(inner.lineno, f"the function is defined inside {function.name}()")


def no_global_variables(rule: Rule, source: ParsedSource) -> Iterator[RuleFinding]:  # noqa: ARG001
    """Variables of the module that a function uses. Functions, classes, modules and CONSTANTS are no variables."""
    variables = {symbol.get_name() for symbol in source.names.get_symbols() if _is_variable(symbol)}
    used = {(table.get_name(), name) for table, name in _globals_of(source.names)}
    for function in source.all_functions():
        seen: set[str] = set()
        for node in ast.walk(function):
            for name in _names(node):
                declared = isinstance(node, ast.Global)
                if name not in seen and (declared or (name in variables and (function.name, name) in used)):
                    seen.add(name)
                    yield source.finding(_line(node), f"{function.name}() uses the global variable {name}")


def _is_variable(symbol: symtable.Symbol) -> bool:
    constant = symbol.get_name().isupper()
    return symbol.is_assigned() and not symbol.is_namespace() and not symbol.is_imported() and not constant


def _globals_of(
    table: symtable.SymbolTable, function: symtable.SymbolTable | None = None
) -> Iterator[tuple[symtable.SymbolTable, str]]:
    """The functions with the global names they use, in comprehensions and the like too."""
    for inner in table.get_children():
        own = function
        if inner.get_type() == "function" and (own is None or not inner.get_name().startswith(("<", "lambda"))):
            own = inner
        if own is not None:
            yield from ((own, symbol.get_name()) for symbol in inner.get_symbols() if symbol.is_global())
        yield from _globals_of(inner, own)


def _names(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Global):
        return node.names
    return [node.id] if isinstance(node, ast.Name) else []


def _line(node: ast.AST) -> int | None:
    return getattr(node, "lineno", None)
