"""Converts frozen dataclasses to and from JSON according to the types of their fields.

A dataclass becomes a mapping of its fields. Decimals, fractions, enumerations and paths become strings, and tuples and
frozen sets become lists. If a field can hold one of several dataclasses, the value is wrapped in a mapping whose key is
the class name, or the import path of a derived class. Only the standard library is needed, so that bundles for students
can read their data.
"""

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from pathlib import Path
from pkgutil import resolve_name
from types import NoneType, UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

Value = TypeVar("Value")


def to_json(value: object) -> str:
    """Return a dataclass as JSON. Raises TypeError if a field holds any other kind of value."""
    return json.dumps(value, default=_to_plain, ensure_ascii=False, indent=1)


def place_of(kind: type) -> str:
    """Return the import path of a class, such as `package.module:Class`, for `pkgutil.resolve_name`."""
    return f"{kind.__module__}:{kind.__qualname__}"


def from_json(kind: type[Value], text: str) -> Value:
    """Return the inverse of `to_json`. Raises ValueError, LookupError or TypeError if the text is not valid."""
    return from_plain(kind, json.loads(text))


def from_plain(kind: type[Value], plain: object) -> Value:
    """Return the dataclass represented by `plain`, the content of a JSON file.

    Raises the same errors as `from_json`.
    """
    value: Value = _from_plain(kind, plain)
    return value


def _to_plain(value: object) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        hints = get_type_hints(type(value))
        return {field.name: _wrapped(hints[field.name], getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, Decimal | Fraction | Path):
        return str(value)
    raise TypeError(f"a {type(value).__name__} cannot be written as JSON")


def _wrapped(kind: Any, value: object) -> object:
    alternatives = _alternatives(kind)
    if len(alternatives) < 2 or value is None:
        return value
    return {type(value).__name__ if type(value) in alternatives.values() else place_of(type(value)): value}


def _derived(bases: tuple[type, ...], place: str) -> type:
    """Return the class with this import path, which must derive from one of `bases`.

    Raises LookupError or TypeError.
    """
    kind: type = resolve_name(place) if ":" in place else object
    if not issubclass(kind, bases):
        raise TypeError(f"{place} is none of {', '.join(base.__name__ for base in bases)}")
    return kind


def _alternatives(kind: Any) -> dict[str, Any]:
    """Return the types in a union, except None, by name."""
    if get_origin(kind) is not UnionType:
        return {}
    return {kind_of_value.__name__: kind_of_value for kind_of_value in get_args(kind) if kind_of_value is not NoneType}


def _from_plain(kind: Any, plain: Any) -> Any:
    if get_origin(kind) is UnionType:
        if plain is None:
            return None
        alternatives = _alternatives(kind)
        if len(alternatives) == 1:
            [only] = alternatives.values()
            return _from_plain(only, plain)
        [(name, content)] = plain.items()
        return _from_plain(alternatives.get(name) or _derived(tuple(alternatives.values()), name), content)
    if get_origin(kind) in (tuple, frozenset):
        return get_origin(kind)(_from_plain(get_args(kind)[0], item) for item in plain)
    if get_origin(kind) in (dict, Mapping):
        return plain
    if isinstance(kind, type) and is_dataclass(kind):
        hints = get_type_hints(kind)
        return kind(**{name: _from_plain(hints[name], content) for name, content in plain.items()})
    return kind(plain) if issubclass(kind, Decimal | Enum | Fraction | Path) else plain
