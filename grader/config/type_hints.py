"""What type hints say of the keys in a mapping: those of a model, or of a dataclass whose fields are options."""

from collections.abc import Iterable, Iterator
from dataclasses import is_dataclass
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel


def fields_of(hint: Any) -> dict[str, Any]:
    """The type hint of each key that a model or dataclass allows, marks included; empty for any other type."""
    found = _bare(hint)
    if not isinstance(found, type):
        return {}
    if issubclass(found, BaseModel):
        fields = found.model_fields.items()
        return {info.alias or name: _marked(info.annotation, tuple(info.metadata)) for name, info in fields}
    return get_type_hints(found, include_extras=True) if is_dataclass(found) else {}


def hints_inside(hints: Iterable[Any], step: str | int) -> tuple[Any, ...]:
    """The type hints of what lies one step, a key or an index, below values with one of these hints."""
    return tuple(inner for hint in hints for inner in _inside(hint, step))


def alternatives(hint: Any) -> Iterator[Any]:
    """The hints that a union is made of, each with the marks of the whole; or else the hint alone."""
    if get_origin(_bare(hint)) in (Union, UnionType):
        for argument in get_args(_bare(hint)):
            yield from alternatives(_marked(argument, marks_of(hint)))
    else:
        yield hint


def marks_of(hint: Any) -> tuple[Any, ...]:
    """What `Annotated` adds to a type."""
    return get_args(hint)[1:] if get_origin(hint) is Annotated else ()


def _inside(hint: Any, step: str | int) -> Iterator[Any]:
    fields = fields_of(hint)
    for inner in (fields[step],) if step in fields else () if fields else get_args(_bare(hint)):
        yield from alternatives(inner)


def _marked(hint: Any, marks: tuple[Any, ...]) -> Any:
    return Annotated[hint, *marks] if marks else hint


def _bare(hint: Any) -> Any:
    return get_args(hint)[0] if get_origin(hint) is Annotated else hint
