"""Reads documents of earlier versions: former keys and values become the present ones, each with a note."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, is_dataclass, replace
from functools import cache
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel, Tag

from grader.config.yaml_reader import KeyPath, YamlData, YamlDocument
from grader.errors import Problem, SourceLocation, SpecError
from grader.model.option import FormerKey, FormerValue


def fields_of(hint: Any) -> Mapping[str, Any]:
    """The type hint of each key that a model or dataclass allows, marks included; empty for any other type."""
    found = _bare(hint)
    return _fields_of_class(found) if isinstance(found, type) else {}


@cache
def _fields_of_class(found: type) -> Mapping[str, Any]:
    if issubclass(found, BaseModel):
        fields = found.model_fields.items()
        return {info.alias or name: _marked(info.annotation, tuple(info.metadata)) for name, info in fields}
    return get_type_hints(found, include_extras=True) if is_dataclass(found) else {}


def hints_inside(hints: Iterable[Any], step: str | int) -> tuple[Any, ...]:
    """The type hints of what lies one step, a key or an index, below values with one of these hints."""
    return tuple(inner for hint in hints for inner in _inside(hint, step))


def hints_for_word(hints: Iterable[Any], word: str | int) -> tuple[Any, ...]:
    """Those of the models in a union that are told apart by `word`: the one value of a key, or a tag."""
    return tuple(hint for hint in hints if Tag(str(word)) in marks_of(hint) or _has_word(hint, word))


def _has_word(hint: Any, word: str | int) -> bool:
    return any(get_args(_bare(of)) == (word,) for of in fields_of(hint).values())


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
    for inner in (fields[str(step)],) if step in fields else () if fields else get_args(_bare(hint)):
        yield from alternatives(inner)


def _marked(hint: Any, marks: tuple[Any, ...]) -> Any:
    return Annotated[hint, *marks] if marks else hint


def _bare(hint: Any) -> Any:
    return get_args(hint)[0] if get_origin(hint) is Annotated else hint


def with_present_words(document: YamlDocument, model: type) -> tuple[YamlDocument, tuple[Problem, ...]]:
    """`document` in the words that the type hints of `model` have now; everything is where it was in the file.

    With it comes a note for each former word, at the first place that has it. Raises SpecError when a mapping has a key
    under its former and its present name.
    """
    renewal = _Renewal(old=document)
    data = renewal.renewed(document.data, (model,), (), ())
    if renewal.problems:
        raise SpecError(renewal.problems)
    return replace(document, data=data, values=renewal.values, keys=renewal.keys), renewal.notes()


@dataclass(kw_only=True)
class _Renewal:
    """Copies a document step by step; notes what it renames and where the copies stand."""

    old: YamlDocument
    values: dict[KeyPath, SourceLocation] = field(default_factory=dict)
    keys: dict[KeyPath, SourceLocation] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    found: dict[str, list[SourceLocation]] = field(default_factory=dict)

    def renewed(self, data: YamlData, hints: tuple[Any, ...], before: KeyPath, steps: KeyPath) -> YamlData:
        """The copy of `data`, which the old document has at `before` and the new one at `steps`."""
        self.values[steps] = self.old.place(before)
        match data:
            case str():
                return self._value(data, hints, before)
            case list():
                # What may stand in a list may stand anywhere in it.
                of = hints_inside(hints, 0)
                return [self.renewed(item, of, (*before, at), (*steps, at)) for at, item in enumerate(data)]
        copy: dict[str, YamlData] = {}
        names = _present_keys(hints)
        for key, value in data.items():
            present = names.get(key, key)
            if present != key:
                self._former_key(key, present, {**data, **copy}, (*before, key))
            self.keys[(*steps, present)] = self.old.key_place((*before, key))
            copy[present] = self.renewed(value, hints_inside(hints, present), (*before, key), (*steps, present))
        return copy

    def notes(self) -> tuple[Problem, ...]:
        """One note per former word."""
        return tuple(
            Problem(places[0], said + (f" (found {len(places)} times in this file)" if len(places) > 1 else ""))
            for said, places in self.found.items()
        )

    def _value(self, text: str, hints: Iterable[Any], steps: KeyPath) -> str:
        marks = [mark for hint in hints for mark in marks_of(hint) if isinstance(mark, FormerValue)]
        present = next((mark.present for mark in marks if mark.value == text), None)
        if present is None:
            return text
        self._note(f"`{text}` is called `{present}` now", self.old.place(steps))
        return present

    def _former_key(self, key: str, present: str, others: Collection[str], steps: KeyPath) -> None:
        place = self.old.key_place(steps)
        if present in others:
            message = f"found `{key}` and `{present}`, which is its name now; expected `{present}` alone"
            self.problems.append(Problem(place, message))
        self._note(f"the key `{key}` is called `{present}` now", place)

    def _note(self, said: str, place: SourceLocation) -> None:
        self.found.setdefault(said, []).append(place)


def _present_keys(hints: Iterable[Any]) -> dict[str, str]:
    """The present name of each former key. A key that has the meaning of another now is not a former one."""
    fields = {key: hint for outer in hints for key, hint in fields_of(outer).items()}
    former = {mark.key: key for key, hint in fields.items() for mark in marks_of(hint) if isinstance(mark, FormerKey)}
    return {key: present for key, present in former.items() if key not in fields}
