"""Literals of Python as the values that tests state."""

import ast
from decimal import Decimal
from math import isfinite

from grader.config.yaml_writer import Quoted, Writable

_CLOSE = Decimal("1e-9")
"""By which share of the expected number a real one may be off."""


class NoStatedValueError(Exception):
    """The value cannot stand in a test; the message says why."""


def stated_value(source: str) -> tuple[Writable, Decimal | None]:
    """The value as `returns` has it, and the tolerance of its real numbers if it has any. Raises NoStatedValueError."""
    try:
        node = ast.parse(source, mode="eval").body
    except (SyntaxError, ValueError) as error:
        raise NoStatedValueError(str(error)) from None
    reals: list[float] = []
    value = _stated(node, reals)
    largest = max(map(abs, reals), default=None)
    return value, None if largest is None else Decimal(repr(largest)) * _CLOSE


def _stated(node: ast.expr, reals: list[float]) -> Writable:
    match node:
        case ast.List():
            return [_stated(one, reals) for one in node.elts]
        case ast.Tuple():
            return {"tuple": [_stated(one, reals) for one in node.elts]}
        case ast.Set():
            return {"set": [_stated(one, reals) for one in node.elts]}
        case ast.Dict():
            return _mapping(node, reals)
        case ast.Call(ast.Name("tuple" | "set" as kind), [ast.List() | ast.Tuple() | ast.Set() as inner]):
            return {kind: [_stated(one, reals) for one in inner.elts]}
        case ast.Call(ast.Name("set" | "tuple" as kind), []):
            return {kind: []}
        case ast.Call(ast.Name("int" | "float" | "bool" as kind), [inner]):
            return _cast(kind, inner, reals)
        case ast.UnaryOp(ast.USub(), ast.Constant(int() | float() as number)):
            return _number(-number, reals)
        case ast.Constant(str(text)):
            return Quoted(text)
        case ast.Constant(bool() | None):
            return str(node.value).lower()
        case ast.Constant(int() | float() as number):
            return _number(number, reals)
    raise NoStatedValueError(f"{ast.unparse(node)} is no number, text, list or the like")


def _mapping(node: ast.Dict, reals: list[float]) -> Writable:
    found: dict[str, Writable] = {}
    for key, value in zip(node.keys, node.values, strict=True):
        one = _stated(key, reals) if key is not None else None
        if not isinstance(one, str) or one in ("tuple", "set", "text", "deck", "python"):
            raise NoStatedValueError(f"{ast.unparse(node)} has a key that YAML cannot have")
        found[one] = _stated(value, reals)
    return found


def _cast(kind: str, inner: ast.expr, reals: list[float]) -> Writable:
    try:
        value = {"int": int, "float": float, "bool": bool}[kind](ast.literal_eval(inner))
    except (ValueError, TypeError) as error:
        raise NoStatedValueError(str(error)) from None
    return str(value).lower() if isinstance(value, bool) else _number(value, reals)


def _number(number: float, reals: list[float]) -> str:
    if isinstance(number, int):
        return str(number)
    if not isfinite(number):
        raise NoStatedValueError(f"{number} is no number that can be written")
    reals.append(number)
    text = f"{Decimal(repr(number)):f}"
    return text if "." in text else f"{text}.0"
