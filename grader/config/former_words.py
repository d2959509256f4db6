"""Reads documents of earlier versions: former keys and values become the present ones, each with a note."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from grader.config.type_hints import fields_of, hints_inside, marks_of
from grader.config.yaml_reader import KeyPath, YamlData, YamlDocument
from grader.errors import Problem, SourceLocation, SpecError
from grader.model.former_words import FormerKey, FormerValue


def with_present_words(document: YamlDocument, model: type) -> tuple[YamlDocument, tuple[Problem, ...]]:
    """`document` in the words that the type hints of `model` have now; everything is where it was in the file.

    With it comes a note for each former word, at the first place that has it. Raises SpecError when a mapping has a key
    under its former and its present name.
    """
    renewal = _Renewal(document)
    data = renewal.renewed(document.data, (model,), (), ())
    if renewal.problems:
        raise SpecError(renewal.problems)
    return replace(document, data=data, values=renewal.values, keys=renewal.keys), renewal.notes()


@dataclass
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
                inner = [hints_inside(hints, index) for index in range(len(data))]
                items = enumerate(zip(data, inner, strict=True))
                return [self.renewed(item, of, (*before, index), (*steps, index)) for index, (item, of) in items]
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
