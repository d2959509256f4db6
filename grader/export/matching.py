"""Finds the students of a class in a list. What is not certain is said, never guessed."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from grader.export.person import Person


@dataclass(frozen=True)
class Matches:
    """`found`: the place in the list by student. `problems`: a sentence for each of the others."""

    found: dict[str, int]
    problems: tuple[str, ...]


def match(students: Sequence[tuple[str, Person]], listed: Sequence[Person]) -> Matches:
    """Match by id, or else by email address, or else by full name; two that fit equally well fit not at all."""
    index = _index(listed)
    found: dict[str, int] = {}
    problems = []
    for student, who in students:
        fitting = next((places for places in _candidates(who, index) if places), set())
        if len(fitting) == 1:
            found[student] = next(iter(fitting))
        else:
            why = f"{len(fitting)} rows of the sheet fit" if fitting else "is not in the sheet"
            problems.append(f"{student}: {why}")
    taken = defaultdict(list)
    for student, place in found.items():
        taken[place].append(student)
    for rivals in taken.values():
        if len(rivals) > 1:
            problems += [f"{student}: the same row of the sheet as {_others(student, rivals)}" for student in rivals]
            for student in rivals:
                del found[student]
    return Matches(found, tuple(problems))


def left_alone(names: Sequence[str]) -> tuple[str, ...]:
    """A note on the rows of a sheet that no student of the class has."""
    return (f"no submission of these here, rows left as they were: {'; '.join(names)}",) if names else ()


_Index = dict[tuple[str, str], set[int]]


def _index(listed: Sequence[Person]) -> _Index:
    index: _Index = defaultdict(set)
    for place, who in enumerate(listed):
        for kind, texts in _kinds(who):
            for text in texts:
                index[kind, text].add(place)
    return index


def _candidates(who: Person, index: _Index) -> list[set[int]]:
    return [{place for text in texts for place in index.get((kind, text), ())} for kind, texts in _kinds(who)]


def _kinds(who: Person) -> tuple[tuple[str, frozenset[str]], ...]:
    return (("id", who.ids), ("email", who.emails), ("name", who.names))


def _others(student: str, rivals: Sequence[str]) -> str:
    return ", ".join(rival for rival in rivals if rival != student)
