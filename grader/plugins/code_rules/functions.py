"""Rules about functions: which ones must exist, which must be used, and where they may be defined."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from grader.model.option import AtLeast, ValidText
from grader.model.rule import RuleFinding
from grader.plugins.code_rules.meanings import Meanings
from grader.plugins.code_rules.module_names import module_functions, module_name
from grader.plugins.code_rules.present_functions import (
    live_imports,
    made_elsewhere,
    present_functions,
    removed_functions,
)
from grader.plugins.code_rules.used_names import used_functions, used_names
from grader.rules.code_rule import SourceRule
from grader.rules.source import FunctionDefinition, ParsedSource, UncheckedSourceError
from grader.text.sentence import say, say_plural
from grader.text.syntax import parse

# A file may import from itself, under ever more names.
_MAX_IMPORTS = 20


def _signature(text: str) -> ast.FunctionDef:
    """Parse the name and parameters of a function, such as `deal(deck, n)`. Raises SyntaxError or ValueError."""
    match parse(f"def {text}: pass").body:
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
    """The `functions`, such as `deal(deck, n)`, exist and can be called as described in the handout."""

    name = "required-functions"
    broken_by = (
        "A function is missing or cannot be called with this number of arguments. A function can also be assigned to "
        "the name. The arguments of an object that a call creates, such as `partial(...)`, are unknown and are not "
        "checked."
    )

    functions: tuple[_FunctionText, ...]
    """The functions with their parameters."""

    def findings(self, source: ParsedSource) -> Iterator[RuleFinding]:
        """Yield the functions that are missing or take different arguments."""
        for text in self.functions:
            signature = _signature(text)
            home = find_function(source, signature.name)
            if home is None:
                yield source.absence(say("there is no function {function}", function=text))
                continue
            holder, definition = home
            if definition is None:
                continue
            given = len(signature.args.posonlyargs + signature.args.args)
            if not _takes(definition, given):
                message = say_plural(
                    given,
                    "the function cannot be called with {count} argument; expected {function}",
                    "the function cannot be called with {count} arguments; expected {function}",
                    function=text,
                )
                yield holder.finding(definition.lineno, message)


def find_function(
    source: ParsedSource, name: str
) -> tuple[ParsedSource, FunctionDefinition | ast.Lambda | None] | None:
    """Find a function of the program, with its file: the program itself or a module of the student.

    The program may import it from a module that itself imports it. The function is None if it is the result of a call,
    such as `partial(times, 2)`, because this cannot be known without running it. Raises UncheckedSourceError after too
    many imports.
    """
    elsewhere = None
    modules: dict[str | None, list[ParsedSource]] = defaultdict(list)
    for module in source.modules:
        modules[module_name(module)].append(module)
    waiting, seen = [(source, name)], set()
    while waiting:
        file_source, local_name = waiting.pop(0)
        functions = file_source.once(present_functions)
        if local_name in functions:
            return file_source, functions[local_name]
        if (file_source.file, local_name) in seen or local_name in file_source.once(removed_functions):
            continue
        seen.add((file_source.file, local_name))
        if len(seen) > _MAX_IMPORTS:
            raise UncheckedSourceError(f"{name} may be imported in more than {_MAX_IMPORTS} ways")
        made = file_source.once(made_elsewhere).get(local_name)
        if made is not None:
            elsewhere = elsewhere or file_source
            owner, _, attribute = (Meanings(file_source.tree).of(made) or "").rpartition(".")
            waiting += ((module, attribute) for module in modules[owner])
        for node in file_source.once(live_imports):
            names = {
                local_name if alias.name == "*" else alias.name for alias in node.names if _may_be(alias, local_name)
            }
            waiting += ((module, name) for module in modules[node.module] for name in names)
    return (elsewhere, None) if elsewhere else None


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
    """The program uses each of the `functions` that it defines, outside the function itself."""

    name = "used-functions"
    broken_by = (
        "The program defines one of the functions but never uses it. The following uses are not counted: uses in "
        "functions and methods that no program and no test calls, uses in code that clearly never runs, such "
        "as after `return`, and uses of a method or local function with the same name."
    )

    functions: tuple[_FunctionText, ...]
    """The functions with their parameters."""

    def findings(self, source: ParsedSource) -> Iterator[RuleFinding]:
        """Yield the functions that are never used."""
        used = used_names(source)
        for name in (_signature(text).name for text in self.functions):
            function = source.once(module_functions).get(name)
            if function is not None and name not in used:
                yield source.finding(function.lineno, say("{function}() is never used", function=name))


@dataclass(frozen=True)
class OwnFunctions(SourceRule):
    """The program is divided into `at_least` this many functions or methods, and uses all of them."""

    name = "own-functions"
    broken_by = (
        "The program uses fewer than `at_least` of its own functions and methods. If several classes have a method of "
        "the same name, each counts."
    )

    at_least: Annotated[int, AtLeast(1)]
    """The number of functions and methods."""

    def findings(self, source: ParsedSource) -> Iterator[RuleFinding]:
        """Yield a finding if there are too few functions."""
        count = len(used_functions(source))
        if count < self.at_least:
            uses = say_plural(count, "{count} function", "{count} functions") if count else say("no function")
            message = say(
                "the program uses {functions} of its own; expected at least {least}",
                functions=uses,
                least=self.at_least,
            )
            yield source.absence(message)


@dataclass(frozen=True)
class NoNestedFunctions(SourceRule):
    """No function is defined inside another function. A lambda is an expression and is allowed anywhere."""

    name = "no-nested-functions"
    holds_in_modules = True
    broken_by = "A function is defined inside another one. Lambdas are allowed."

    def findings(self, source: ParsedSource) -> Iterator[RuleFinding]:
        """Yield the functions inside functions."""
        for function in source.all_functions():
            for inner in ast.walk(function):
                if inner is not function and isinstance(inner, FunctionDefinition):
                    yield source.finding(
                        inner.lineno, say("the function is defined inside {function}()", function=function.name)
                    )
