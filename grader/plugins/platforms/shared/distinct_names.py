"""Gives students with the same name on a platform different names in reports."""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from grader.intake.attempt import Attempt, mark_of
from grader.text.names import student_key

_Owner = TypeVar("_Owner", bound=Hashable)
_MAX_MARKS = 4


def disambiguate_names(arrivals: Iterable[Attempt]) -> tuple[Attempt, ...]:
    """Return the attempts with a distinguishing mark added to names that several students share."""
    arrivals = tuple(arrivals)
    keys = distinct_keys({(item.student, item.identity): (item.student, mark_of(item)) for item in arrivals})
    return tuple(replace(item, student=keys[item.student, item.identity]) for item in arrivals)


def distinct_keys(students: Mapping[_Owner, tuple[str, str]]) -> dict[_Owner, str]:
    """Map students to distinct keys, given each name and a mark to add if another student has the same key.

    A marked name may equal another student's name, so marks are added until all keys differ.
    """
    names = {owner: name for owner, (name, _) in students.items()}
    for _ in range(_MAX_MARKS):
        counts = Counter(map(student_key, names.values()))
        shared = [owner for owner, name in names.items() if counts[student_key(name)] > 1]
        names |= {owner: f"{names[owner]} ({students[owner][1]})" for owner in shared}
    return {owner: student_key(name) for owner, name in names.items()}
