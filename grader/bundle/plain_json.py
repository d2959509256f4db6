"""Frozen dataclasses as JSON and back, without the packages that read specs.

A dataclass becomes a mapping of its fields; decimals, enumerations and paths become texts, tuples and frozen sets
lists. The types of the fields say what to make of them when they are read.
"""

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from decimal import Decimal
from enum import Enum
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

Value = TypeVar("Value")


def to_json(value: object) -> str:
    """A dataclass as JSON."""
    return json.dumps(value, default=_plain, ensure_ascii=False, indent=1)


def from_json(kind: type[Value], text: str) -> Value:
    """The inverse of `to_json`. Raises ValueError, LookupError or TypeError when it is no such text."""
    value: Value = _made(kind, json.loads(text))
    return value


def _plain(value: object) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, Decimal | Path):
        return str(value)
    raise TypeError(f"a {type(value).__name__} cannot be written as JSON")


def _made(kind: Any, plain: Any) -> Any:
    if get_origin(kind) is UnionType:
        [inner] = [one for one in get_args(kind) if one is not NoneType]
        return None if plain is None else _made(inner, plain)
    if get_origin(kind) in (tuple, frozenset):
        return get_origin(kind)(_made(get_args(kind)[0], item) for item in plain)
    if get_origin(kind) in (dict, Mapping):
        return plain
    if isinstance(kind, type) and is_dataclass(kind):
        hints = get_type_hints(kind)
        return kind(**{name: _made(hints[name], content) for name, content in plain.items()})
    return kind(plain) if issubclass(kind, Decimal | Enum | Path) else plain
