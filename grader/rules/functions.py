"""Rules about functions: which there must be, how `main` is called, what functions may not hold or use."""

import ast
import symtable
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated

from grader.model.option import AtLeast, ValidText
from grader.model.rule import RuleFinding
from grader.rules.meanings import Meanings, namespace_owner
from grader.rules.source import FunctionDefinition, ParsedSource, SourceRule
from grader.rules.used_names import used_functions, used_names
from grader.text.words import pluralize

_MAIN = "main"


def _signature(text: str) -> ast.FunctionDef:
    """The function that `text`, such as `deal(deck, n)`, is the head of. Raises SyntaxError or ValueError."""
    match ast.parse(f"def {text}: pass").body:
        case [ast.FunctionDef() as function]:
            return function
    raise SyntaxError(text)


def _is_signature(text: str) -> bool:
    try:
        _signature(text)
    except (SyntaxError, ValueError):
        return False
    return True


_FunctionText = Annotated[str, ValidText(_is_signature, "a function with its parameters, such as deal(deck, n)")]


@dataclass(frozen=True)
class RequiredFunctions(SourceRule):
    """The `functions`, such as `deal(deck, n)`, are there and can be called as the handout says."""

    name = "required-functions"
    broken_by = (
        "A function is missing or cannot be called with so many arguments. A function may be assigned; of what a call "
        "makes, such as `partial(...)`, the arguments are not known and do not count."
    )

    functions: tuple[_FunctionText, ...]

    def findings(self, source: ParsedSource) -> Iterator[RuleFinding]:
        """The functions that are missing or take other arguments."""
        for text in self.functions:
            wanted = _signature(text)
            home = _home(source, wanted.name)
            if home is None:
                # What a call gives, such as `partial(times, 2)`, cannot be told without running it.
                if wanted.name not in source.made_elsewhere:
                    yield source.absence(f"there is no function {text}")
                continue
            holder, found = home
            given = len(wanted.args.posonlyargs + wanted.args.args)
            if not _takes(found, given):
                message = f"the function cannot be called with {pluralize(given, 'argument')}; expected {text}"
                yield holder.finding(found.lineno, message)


def _home(source: ParsedSource, name: str) -> tuple[ParsedSource, FunctionDefinition | ast.Lambda] | None:
    """The function `name` of the program with the file that it stands in: the program, or a module of the student.

    The program may import it from a module that imports it in its turn.
    """
    waiting, seen = [(source, name)], set()
    while waiting:
        one, wanted = waiting.pop(0)
        if wanted in one.functions:
            return one, one.functions[wanted]
        if (one.file, wanted) in seen:
            continue
        seen.add((one.file, wanted))
        for node in ast.walk(one.tree):
            if isinstance(node, ast.ImportFrom):
                modules = [module for module in source.modules if module.module_name == node.module]
                names = {wanted if alias.name == "*" else alias.name for alias in node.names if _may_be(alias, wanted)}
                waiting += ((module, name) for module in modules for name in names)
    return None


def _may_be(alias: ast.alias, name: str) -> bool:
    return name == (alias.asname or alias.name) or alias.name == "*"


def _takes(function: FunctionDefinition | ast.Lambda, given: int) -> bool:
    arguments = function.args
    most = len(arguments.posonlyargs + arguments.args)
    least = most - len(arguments.defaults)
    by_name_only = any(default is None for default in arguments.kw_defaults)
    return least <= given and (given <= most or arguments.vararg is not None) and not by_name_only


@dataclass(frozen=True)
class UsedFunctions(SourceRule):
    """The program uses each of the `functions` that it has, outside of the function itself."""

    name = "used-functions"
    broken_by = (
        "One of the functions is there, and the program never uses it. Uses in functions and methods that neither the "
        "program nor a test calls do not count, nor in code that plainly never runs, such as after `return`, nor those "
        "of a method or a local function that has the same name."
    )

    functions: tuple[_FunctionText, ...]

    def findings(self, source: ParsedSource) -> Iterator[RuleFinding]:
        """The functions that are never used."""
        used = used_names(source)
        for name in (_signature(text).name for text in self.functions):
            if name in source.functions and name not in used:
                yield source.finding(source.functions[name].lineno, f"{name}() is never used")


@dataclass(frozen=True)
class OwnFunctions(SourceRule):
    """The program is divided into `at_least` so many functions or methods, all of them used."""

    name = "own-functions"
    broken_by = (
        "The program uses fewer functions and methods of its own than `at_least`. Methods of one name count for each "
        "class that has one."
    )

    at_least: Annotated[int, AtLeast(1)]

    def findings(self, source: ParsedSource) -> Iterator[RuleFinding]:
        """That there are too few."""
        found = len(used_functions(source))
        if found < self.at_least:
            uses = pluralize(found, "function") if found else "no function"
            yield source.absence(f"the program uses {uses} of its own; expected at least {self.at_least}")


@dataclass(frozen=True)
class MainGuard(SourceRule):
    """There is a `main` that is called under the main guard, and only there."""

    name = "main-guard"
    broken_by = (
        'There is no `main`, it is not called under `if __name__ == "__main__":`, or outside of all functions `input` '
        "or `print` is called or a `while` loop calls other functions of the program. Class bodies and default values "
        "are outside of functions."
    )

    def findings(self, source: ParsedSource) -> Iterator[RuleFinding]:
        """A missing or unused `main`, and the calls that stand outside."""
        home = _home(source, _MAIN)
        if home is None:
            yield source.absence("there is no function main()")
        guarded: list[ast.stmt] = []
        outside: list[ast.stmt] = []
        for node in source.tree.body:
            inside, others = _sides(node)
            guarded += inside
            outside += others
        for called in (call for node in outside for call in _calls(node)):
            if called.name == _MAIN:
                yield source.finding(called.line, 'main() is called without `if __name__ == "__main__":`')
            elif called.name in ("input", "print"):
                yield source.finding(called.line, f"{called.name}() stands outside of all functions")
        yield from _loops(source, [*guarded, *outside])
        if home and not any(called.name == _MAIN for node in (*guarded, *outside) for called in _calls(node)):
            holder, function = home
            yield holder.finding(function.lineno, "main() is never called")


def _loops(source: ParsedSource, outside: list[ast.stmt]) -> Iterator[RuleFinding]:
    """The loops outside of all functions that do what `main` is for."""
    for node in (inner for one in outside for inner in _run_at_once(one)):
        if isinstance(node, ast.While):
            called = {call.name for call in _calls(node)} & (source.functions.keys() - {_MAIN})
            if called:
                yield source.finding(
                    node.lineno, f"the loop that calls {min(called)}() stands outside of all functions"
                )


def _sides(node: ast.stmt) -> tuple[list[ast.stmt], list[ast.stmt]]:
    """What of a statement of the module stands under the main guard, and what does not."""
    match node:
        case ast.If(test, body, others) if _asks_for_main(test):
            return body, others
        case ast.If(ast.UnaryOp(ast.Not(), test), body, others) if _asks_for_main(test):
            return others, body
        case ast.If(ast.Compare(left, [ast.NotEq() | ast.IsNot()], right), body, others):
            if _asks_for_main(ast.Compare(left, [ast.Eq()], right)):
                return others, body
        case ast.If(ast.Compare(left, [ast.NotIn()], right), body, others):
            if _asks_for_main(ast.Compare(left, [ast.In()], right)):
                return others, body
        case ast.Match(ast.Name("__name__"), cases):
            guarded = [inner for one in cases for inner in one.body if _is_main(one)]
            return guarded, [inner for one in cases for inner in one.body if not _is_main(one)]
    return [], [node]


def _is_main(case: ast.match_case) -> bool:
    return isinstance(case.pattern, ast.MatchValue) and ast.unparse(case.pattern.value) == "'__main__'"


def _asks_for_main(test: ast.expr) -> bool:
    """Whether this is `__name__ == "__main__"`, either side first, maybe with a further condition, or `in`, or `is`."""
    match test:
        case ast.BoolOp(ast.And(), values):
            return any(map(_asks_for_main, values))
        case ast.Compare(left, [ast.In()], [ast.Set([name]) | ast.List([name]) | ast.Tuple([name])]):
            return _asks_for_main(ast.Compare(left, [ast.Eq()], [name]))
        case ast.Compare(left, [ast.Eq() | ast.Is()], [right]):
            sides = (side.value if isinstance(side, ast.NamedExpr) else side for side in (left, right))
            return sorted(map(ast.unparse, sides)) == ["'__main__'", "__name__"]
    return False


@dataclass(frozen=True)
class _Call:
    name: str
    line: int


def _calls(node: ast.AST) -> Iterator[_Call]:
    for inner in _run_at_once(node):
        if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name):
            yield _Call(inner.func.id, inner.lineno)


def _run_at_once(start: ast.AST) -> Iterator[ast.AST]:
    """What runs where it stands: all but what is inside of functions, whose decorators and defaults do run."""
    waiting = [start]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, FunctionDefinition | ast.Lambda):
            decorators = [] if isinstance(node, ast.Lambda) else node.decorator_list
            waiting += [*decorators, *node.args.defaults, *filter(None, node.args.kw_defaults)]
        else:
            waiting += ast.iter_child_nodes(node)


@dataclass(frozen=True)
class NoNestedFunctions(SourceRule):
    """No function is defined inside a function; a lambda is an expression and may stand anywhere."""

    name = "no-nested-functions"
    holds_in_modules = True
    broken_by = "A function is defined inside another one. A lambda may be."

    def findings(self, source: ParsedSource) -> Iterator[RuleFinding]:
        """The functions inside functions."""
        for function in source.all_functions():
            for inner in ast.walk(function):
                if inner is not function and isinstance(inner, FunctionDefinition):
                    yield source.finding(inner.lineno, f"the function is defined inside {function.name}()")


@dataclass(frozen=True)
class NoGlobalVariables(SourceRule):
    """No function uses a variable of the module. Functions, classes, modules and CONSTANTS are no variables."""

    name = "no-global-variables"
    holds_in_modules = True
    broken_by = (
        "A function uses a variable of the module. Functions, classes, modules and names in capitals are no variables, "
        "unless something else is assigned to a function, class or module."
    )

    def findings(self, source: ParsedSource) -> Iterator[RuleFinding]:
        """The first use of each variable in each function."""
        variables = {name for name in source.variables() if not name.isupper()} - source.made_classes()
        used = {(table.get_name(), name) for table, name in _globals_of(source.names)}
        meanings = Meanings(source.tree)
        own = {"__main__", source.file.removesuffix(".py")}

        def is_own(value: ast.expr | None) -> bool:
            return value is not None and meanings.of(value) in own

        for function in source.all_functions():
            seen: set[str] = set()
            for node in ast.walk(function):
                for name in _names(node, is_own):
                    declared = isinstance(node, ast.Global) or _is_set(node)
                    read = not isinstance(node, ast.Name) or (function.name, name) in used
                    if name not in seen and (declared or (name in variables and read)):
                        seen.add(name)
                        yield source.finding(_line(node), f"{function.name}() uses the global variable {name}")


def _globals_of(
    table: symtable.SymbolTable, function: symtable.SymbolTable | None = None
) -> Iterator[tuple[symtable.SymbolTable, str]]:
    """The functions with the global names they use, in comprehensions and the like too."""
    for inner in table.get_children():
        own = function
        if inner.get_type() == "function" and (own is None or not inner.get_name().startswith(("<", "lambda"))):
            own = inner
        if own is not None:
            yield from ((own, name) for name in _globals_in(inner))
        yield from _globals_of(inner, own)


def _globals_in(table: symtable.SymbolTable) -> Iterable[str]:
    if isinstance(table, symtable.Function):
        # To look a symbol up takes as long as there are functions beside it.
        return table.get_globals()
    return (symbol.get_name() for symbol in table.get_symbols() if symbol.is_global())


def _names(node: ast.AST, is_own: Callable[[ast.expr | None], bool]) -> list[str]:
    """The names of the module that a node uses; `is_own` tells expressions that stand for the module itself."""
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
    """Whether this is `globals()[NAME] = ...` or the like."""
    if isinstance(node, ast.Subscript | ast.Attribute):
        return isinstance(node.ctx, ast.Store | ast.Del)
    return isinstance(node, ast.Call)


def _line(node: ast.AST) -> int | None:
    return getattr(node, "lineno", None)
