"""Groups entries by student, and notes entries about students who are not in the class."""

from collections.abc import Iterable, Mapping
from typing import TypeVar

from grader.errors import SourceLocation, nearest

T = TypeVar("T")


def by_student(entries: Iterable[tuple[SourceLocation, str, T]]) -> Mapping[str, tuple[T, ...]]:
    """Return each student's entries in order, with their locations."""
    gathered: dict[str, tuple[T, ...]] = {}
    for _, student, entry in entries:
        gathered[student] = (*gathered.get(student, ()), entry)
    return gathered


def notes_on_unknown(entries: Iterable[tuple[SourceLocation, str, object]], students: Iterable[str]) -> tuple[str, ...]:
    """Return a note for each entry about a student who is not among `students`."""
    names = set(students)
    strangers = ((place, student) for place, student, _ in entries if student not in names)
    return tuple(f"{place}: no submission of `{student}`{nearest(student, names)}" for place, student in strangers)
