"""Entries on students: those of each student together, and notes on students who are not in the class."""

from collections.abc import Iterable, Mapping
from typing import Generic, NamedTuple, TypeVar

from grader.errors import SourceLocation, nearest

T = TypeVar("T")


class StudentEntry(NamedTuple, Generic[T]):
    """An entry on a student, and its place in a file."""

    place: SourceLocation
    student: str
    entry: T


def by_student(entries: Iterable[StudentEntry[T]]) -> Mapping[str, tuple[T, ...]]:
    """Return the entries of each student, in their order."""
    gathered: dict[str, tuple[T, ...]] = {}
    for _, student, entry in entries:
        gathered[student] = (*gathered.get(student, ()), entry)
    return gathered


def notes_on_strangers(places: Iterable[tuple[SourceLocation, str]], students: Iterable[str]) -> tuple[str, ...]:
    """Return a note for each name, with its place, that is not among `students`."""
    names = set(students)
    return tuple(
        f"{place}: no submission of `{student}`{nearest(student, names)}"
        for place, student in places
        if student not in names
    )
