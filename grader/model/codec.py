"""Frozen dataclasses as JSON and back, without the packages that read specs.

A dataclass becomes a mapping of its fields; decimals, enumerations and paths become texts, tuples and frozen sets
lists. The types of the fields say what to make of them when they are read.

Outcomes and answers of checkers as JSON and back: nothing that could run code when it is read.
"""

import dataclasses
import json
import zlib
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from decimal import Decimal
from enum import Enum
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from grader.checkers import CheckResult, CheckStatus
from grader.model.outcome import CallResult, Outcome, Termination, TypedLine

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


_FASTEST = 1


class DamagedError(ValueError):
    """Something that nothing was encoded as."""


def encode(outcome: Outcome) -> bytes:
    """The bytes that `decode` turns into an equal outcome. Lone surrogates and exact times survive."""
    content = {field.name: getattr(outcome, field.name) for field in dataclasses.fields(outcome)}
    content["typed"] = [[typed.offset, typed.text] for typed in outcome.typed]
    content["call"] = outcome.call and dataclasses.asdict(outcome.call)
    return zlib.compress(json.dumps(content).encode("ascii"), _FASTEST)


def decode(data: bytes) -> Outcome:
    """The outcome that was encoded as `data` by this version of grader. Raises DamagedError."""
    try:
        content: dict[str, Any] = json.loads(zlib.decompress(data))
        content["typed"] = tuple(TypedLine(offset, text) for offset, text in content["typed"])
        content["ending"] = Termination(content["ending"])
        content["call"] = content["call"] and CallResult(**content["call"])
        return Outcome(**content)
    except (zlib.error, ValueError, LookupError, TypeError) as error:
        raise DamagedError(f"an outcome in it is damaged ({error})") from error


def encode_answer(answer: CheckResult) -> str:
    """The text that `decode_answer` turns into an equal answer."""
    return json.dumps([answer.say, answer.reason, None if answer.score is None else str(answer.score)])


def decode_answer(text: str) -> CheckResult:
    """The answer that was encoded as `text`. Raises DamagedError."""
    try:
        say, reason, score = json.loads(text)
        return CheckResult(CheckStatus(say), reason, None if score is None else Decimal(score))
    except (ValueError, TypeError, ArithmeticError) as error:
        raise DamagedError(f"an answer in it is damaged ({error})") from error
