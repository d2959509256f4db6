"""Writes lines of TESTed's language as C, and provides the parts that C++ and Java share with C."""

import ast
from collections.abc import Mapping, Sequence
from typing import ClassVar, TypeAlias

from grader.plugins.importing.tested.expressions import (
    LISTS,
    NOTHING,
    REALS,
    TYPES,
    Line,
    NoFormError,
    is_class,
    macro_case,
    pascal_case,
    snake_case,
)

Pair: TypeAlias = tuple[ast.expr, ast.expr]

_LARGEST_INT = 2**31 - 1


class CodeWriter:
    """A writer of the lines of one context; `namespace` is the name of the program. All methods raise NoFormError."""

    casts: ClassVar[Mapping[str, str]] = {
        "int8": "(signed char) {}",
        "uint8": "(unsigned char) {}",
        "int16": "(short) {}",
        "uint16": "(unsigned short) {}",
        "uint32": "{}U",
        "int64": "{}L",
        "uint64": "{}UL",
        "single_precision": "{}f",
        "double_extended": "{}L",
    }
    """The casts for types that literals do not already have."""
    none: ClassVar[str] = "NULL"
    declared: ClassVar[str] = "__auto_type"
    """The declaration before a variable that gets its type from its value."""
    has_variables: ClassVar[bool] = True
    """True if calls may use a variable that is set twice."""
    in_class: ClassVar[str] = "."
    """The separator between a class and its members."""

    def __init__(self, namespace: str) -> None:
        self.namespace = namespace
        self._known: set[str] = set()

    def line(self, line: Line) -> str:
        """Return a line; a statement ends in a semicolon."""
        if isinstance(line, ast.Expr):
            return self.expression(line.value)
        [target] = line.targets
        value = self.expression(line.value)
        if not isinstance(target, ast.Name):
            return f"{self.expression(target)} = {value};"
        name = self.variable(target.id)
        if name not in self._known:
            self._known.add(name)
            return f"{self.declared} {name} = {value};"
        if not self.has_variables:
            raise NoFormError(f"the variable {name} is set twice")
        return f"{name} = {value};"

    def expression(self, node: ast.expr) -> str:
        """Return an expression."""
        match node:
            case ast.Name("Null" | "Undefined"):
                return self.none
            case ast.Name(name):
                return self.global_variable(macro_case(name)) if name.isupper() else self.variable(name)
            case ast.Call(ast.Name(kind), arguments) if kind in TYPES:
                return self.typed(kind, arguments[0] if arguments else ast.List([], ast.Load()))
            case ast.Call(func) if not node.keywords:
                return f"{self.called(func)}({', '.join(map(self.argument, node.args))})"
            case ast.Attribute(value, name):
                return f"{self.owner(value)}{self.variable(name)}"
            case ast.Dict():
                return self.mapping(pairs_in(node))
            case _:
                return self.value(node)

    def value(self, node: ast.expr) -> str:
        """Return a literal, or a container of values."""
        match node:
            case ast.Constant(None):
                return self.none
            case ast.Constant(bool() as truth):
                return str(truth).lower()
            case ast.Constant(str(text)):
                return quoted_text(text, '"')
            case ast.List(items):
                return self.sequence("list", items)
            case ast.Tuple(items):
                return self.sequence("tuple", items)
            case ast.Set(items):
                return self.sequence("set", items)
        number = number_in(node)
        if number is None:
            raise _no_form(node)
        is_long = isinstance(number, int) and not -_LARGEST_INT - 1 <= number <= _LARGEST_INT
        return f"{number!r}L" if is_long else repr(number)

    def typed(self, kind: str, node: ast.expr) -> str:
        """Return a value of a named type."""
        number = number_in(node)
        match node:
            case _ if kind in NOTHING:
                return self.none
            case ast.Constant(str(text)) if kind == "char":
                return quoted_text(text, "'")
            case ast.List(items) | ast.Tuple(items) | ast.Set(items) if kind in (*LISTS, "tuple", "set"):
                return self.sequence(kind, items)
            case _ if number is not None and kind in self.casts:
                return self.casts[kind].format(repr(float(number) if kind in REALS else number))
            case _:
                return self.expression(node)

    def called(self, node: ast.expr) -> str:
        """Write the callee of a call."""
        match node:
            case ast.Name(name):
                return self.constructor(pascal_case(name)) if is_class(name) else self.function(name)
            case ast.Attribute(value, name):
                return f"{self.owner(value)}{self.method(name)}"
            case _:
                raise _no_form(node)

    def owner(self, value: ast.expr) -> str:
        """Write the owner of an attribute, with the separator."""
        if isinstance(value, ast.Name) and is_class(value.id) and not value.id.isupper():
            return f"{value.id}{self.in_class}"
        return f"{self.expression(value)}."

    def argument(self, node: ast.expr) -> str:
        """Write an argument of a call."""
        return self.expression(node)

    def variable(self, name: str) -> str:
        """Return the name of a variable or field."""
        return snake_case(name)

    def method(self, name: str) -> str:
        """Return the name of a method."""
        return snake_case(name)

    def function(self, name: str) -> str:
        """Return the name of a function of the program."""
        return snake_case(name)

    def global_variable(self, name: str) -> str:
        """Return the name of a global variable of the program."""
        return name

    def constructor(self, name: str) -> str:
        """Write the start of an expression that creates an object of a class."""
        raise NoFormError(f"an object of {name} has no form in the language of the program")

    def sequence(self, kind: str, items: Sequence[ast.expr]) -> str:
        """Write a list, tuple or set."""
        raise NoFormError(f"a {kind} of {len(items)} has no form in the language of the program")

    def mapping(self, pairs: Sequence[Pair]) -> str:
        """Write a mapping."""
        raise NoFormError(f"a mapping of {len(pairs)} has no form in the language of the program")


def pairs_in(node: ast.Dict) -> list[Pair]:
    """Return the keys of a mapping with their values."""
    return [(key, value) for key, value in zip(node.keys, node.values, strict=True) if key is not None]


def number_in(node: ast.expr) -> float | None:
    """Return the number that a literal denotes, if it is a number."""
    match node:
        case ast.Constant(bool()):
            return None
        case ast.Constant(int() | float() as number):
            return number
        case ast.UnaryOp(ast.USub(), ast.Constant(int() | float() as number)):
            return -number
        case _:
            return None


def quoted_text(text: str, quote: str) -> str:
    """Return a literal for a text."""
    return f"{quote}{''.join(map(_character, text))}{quote}"


def _character(character: str) -> str:
    if character in "\"'\\":
        return f"\\{character}"
    return character if character.isprintable() else "".join(f"\\{byte:03o}" for byte in character.encode())


def _no_form(node: ast.expr) -> NoFormError:
    return NoFormError(f"`{ast.unparse(node)}` has no form in the language of the program")
