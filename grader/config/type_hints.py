"""Follows the keys and indexes of a document through the type hints of models and dataclasses."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import is_dataclass
from functools import cache
from types import UnionType
from typing import Annotated, Any, Protocol, Union, get_args, get_origin, get_type_hints, runtime_checkable

from pydantic import BaseModel, Tag


def fields_of(hint: Any) -> Mapping[str, Any]:
    """Map each key of a model or dataclass to its type hint, annotations included; empty for any other type."""
    wider = next((note for note in _annotations(hint) if isinstance(note, WiderModel)), None)
    kind = _without_annotations(hint) if wider is None else wider.whole()
    return _fields_of_class(kind) if isinstance(kind, type) else {}


@cache
def _fields_of_class(kind: type) -> Mapping[str, Any]:
    if issubclass(kind, BaseModel):
        fields = kind.model_fields.items()
        return {info.alias or name: _annotated(info.annotation, tuple(info.metadata)) for name, info in fields}
    return get_type_hints(kind, include_extras=True) if is_dataclass(kind) else {}


def hints_inside(hints: Iterable[Any], step: str | int) -> tuple[Any, ...]:
    """Return the type hints for the values at `step` (a key or an index) inside values with the given hints."""
    return tuple(inner for hint in hints for inner in _hints_below(hint, step))


@runtime_checkable
class WiderModel(Protocol):
    """An annotation for a model that plugins can extend with keys."""

    def whole(self) -> type[BaseModel]:
        """Return the model with the keys from all plugins."""


@runtime_checkable
class ModelsByWord(Protocol):
    """An annotation for a type hint with a different model for each word."""

    def model(self, word: str) -> type[BaseModel]:
        """Return the model that `word` selects."""


def hints_for_word(hints: Iterable[Any], word: str | int) -> tuple[Any, ...]:
    """Return the models of a union that `word` selects, either as the only value of a key or as a tag."""
    models = [
        annotation.model(str(word))
        for hint in hints
        for annotation in _annotations(hint)
        if isinstance(annotation, ModelsByWord)
    ]
    return (*models, *(hint for hint in hints if Tag(str(word)) in _annotations(hint) or _has_word(hint, word)))


def _has_word(hint: Any, word: str | int) -> bool:
    return any(get_args(_without_annotations(field)) == (word,) for field in fields_of(hint).values())


def _alternatives(hint: Any) -> Iterator[Any]:
    """Yield the members of a union, each with the union's annotations; otherwise just the hint."""
    if get_origin(_without_annotations(hint)) in (Union, UnionType):
        for argument in get_args(_without_annotations(hint)):
            yield from _alternatives(_annotated(argument, _annotations(hint)))
    else:
        yield hint


def _hints_below(hint: Any, step: str | int) -> Iterator[Any]:
    fields = fields_of(hint)
    for inner in (fields[str(step)],) if step in fields else () if fields else get_args(_without_annotations(hint)):
        yield from _alternatives(inner)


def _annotations(hint: Any) -> tuple[Any, ...]:
    return get_args(hint)[1:] if get_origin(hint) is Annotated else ()


def _annotated(hint: Any, annotations: tuple[Any, ...]) -> Any:
    return Annotated[hint, *annotations] if annotations else hint


def _without_annotations(hint: Any) -> Any:
    return get_args(hint)[0] if get_origin(hint) is Annotated else hint
