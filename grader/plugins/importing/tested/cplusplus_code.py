"""Lines of TESTed's language as C++, with the types that TESTed gives values there."""

import ast
from collections.abc import Mapping, Sequence

from grader.plugins.importing.tested.code_writer import CodeWriter, Pair, number_in, pairs_in
from grader.plugins.importing.tested.expressions import LISTS, TYPES, NoFormError, camel_case

INCLUDED = ("cstdint", "map", "set", "string", "tuple", "variant", "vector")
"""The headers of named types."""

_TYPES = {
    **{f"{sign}int{bits}": f"std::{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)},
    "single_precision": "float",
    "double_precision": "double",
    "double_extended": "long double",
    "char": "char",
}

_LITERALS: Mapping[type, str] = {bool: "bool", int: "std::intmax_t", float: "double", str: "std::string"}


class CplusplusWriter(CodeWriter):
    """Writes the lines of one context in C++."""

    none = "nullptr"
    declared = "auto"
    in_class = "::"

    def argument(self, node: ast.expr) -> str:
        """Write an argument of a call; a text becomes a `std::string`."""
        is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
        return f"std::string({self.expression(node)})" if is_text else self.expression(node)

    def variable(self, name: str) -> str:
        """Return the name of a variable or field."""
        return camel_case(name)

    def constructor(self, name: str) -> str:
        """Write the start of an expression that creates an object of a class."""
        return name

    def sequence(self, kind: str, items: Sequence[ast.expr]) -> str:
        """Write a list, tuple or set."""
        return f"{_container(kind, items)}{{{', '.join(map(self.argument, items))}}}"

    def mapping(self, pairs: Sequence[Pair]) -> str:
        """Write a mapping."""
        inner = ", ".join(f"{{{self.argument(key)}, {self.argument(value)}}}" for key, value in pairs)
        return f"{_map(pairs)}{{{inner}}}"


def _container(kind: str, items: Sequence[ast.expr]) -> str:
    if kind == "tuple":
        return f"std::tuple<{', '.join(map(_type, items))}>"
    return f"std::{'set' if kind == 'set' else 'vector'}<{_common(items)}>"


def _map(pairs: Sequence[Pair]) -> str:
    return f"std::map<{_common([key for key, _ in pairs])}, {_common([value for _, value in pairs])}>"


def _common(items: Sequence[ast.expr]) -> str:
    """Return the type of all items: a variant if they differ."""
    kinds = list(dict.fromkeys(map(_type, items)))
    if not kinds:
        raise NoFormError("the type of what could be in an empty container is not known")
    return kinds[0] if len(kinds) == 1 else f"std::variant<{', '.join(kinds)}>"


def _type(node: ast.expr) -> str:
    number = number_in(node)
    match node:
        case _ if number is not None:
            return _LITERALS[type(number)]
        case ast.Constant(bool() | str() as value):
            return _LITERALS[type(value)]
        case ast.Call(ast.Name(kind), [_]) if kind in _TYPES:
            return _TYPES[kind]
        case ast.Call(ast.Name(kind), [ast.List(items)]) if kind in (*LISTS, "tuple", "set"):
            return _container(kind, items)
        case ast.Call(ast.Name(kind), [inner]) if kind in TYPES:
            return _type(inner)
        case ast.List(items):
            return _container("list", items)
        case ast.Tuple(items):
            return _container("tuple", items)
        case ast.Set(items):
            return _container("set", items)
        case ast.Dict():
            return _map(pairs_in(node))
        case _:
            raise NoFormError(f"the type of `{ast.unparse(node)}` is not known")
