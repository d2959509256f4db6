"""What students are called: a name that is one student's alone, and good as the name of a file."""

import hashlib
import os
import re
from collections.abc import Iterable
from dataclasses import replace

from grader.intake.arrival import Arrival
from grader.spec.scalars import composed

_LONGEST = 180
_NOT_IN_FILE_NAMES = re.compile("[/\0]")


def student_key(name: str) -> str:
    """`name` as far as it can be the name of a file, its accents composed."""
    key = _NOT_IN_FILE_NAMES.sub("_", composed(name))
    if key in ("", ".", ".."):
        return f"_{key}"
    whole = os.fsencode(key)
    if len(whole) <= _LONGEST:
        return key
    return f"{whole[:_LONGEST].decode('utf-8', 'ignore')}~{hashlib.sha256(whole).hexdigest()[:8]}"


def told_apart(arrivals: Iterable[Arrival]) -> tuple[Arrival, ...]:
    """The arrivals with what tells them apart added to names that several students have."""
    arrivals = tuple(arrivals)
    owners: dict[str, set[object]] = {}
    for arrival in arrivals:
        owners.setdefault(arrival.student, set()).add(arrival.identity)
    return tuple(
        replace(arrival, student=student_key(f"{arrival.student} ({_mark(arrival)})"))
        if len(owners[arrival.student]) > 1
        else arrival
        for arrival in arrivals
    )


def _mark(arrival: Arrival) -> str:
    one = arrival.identity
    return one.moodle or one.canvas or one.id or one.email or one.login or arrival.source
