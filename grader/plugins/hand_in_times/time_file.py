"""Reads times.yaml or times.csv: submission times, written by people or systems."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated
from zoneinfo import ZoneInfo

from pydantic import BeforeValidator, Field, WithJsonSchema

from grader.class_files.roster import compared_id
from grader.config.csv_table import read_table
from grader.config.scalars import FormatOne, Sentence
from grader.config.validation import AT_LEAST_ONE, SpecModel, validate
from grader.config.yaml_reader import read_document
from grader.errors import Problem, SourceLocation, SpecError, quoted, unexpected

_YEARS = range(1970, 3000)


def _moment(value: object) -> datetime:
    """Return the time in a string, with a time zone only if the text has one."""
    if isinstance(value, str) and ":" in value:
        try:
            time = datetime.fromisoformat(value.strip())
            time = time.replace(microsecond=0)
        except ValueError:
            pass
        else:
            if time.year in _YEARS:
                return time
    raise unexpected(value, "a date and time such as 2025-10-27 11:59 or 2025-10-27T00:59:00Z")


_Moment = Annotated[
    datetime,
    BeforeValidator(_moment),
    WithJsonSchema({"type": "string", "pattern": r"^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$"}),
]


class _Time(SpecModel):
    """The time of an attempt."""

    student: Sentence
    """The student (id, login, email, name, or folder name) or the team. Capital letters do not matter."""
    time: _Moment
    """The date and time, in the time zone of the assignment unless it ends with a UTC offset such as `+02:00` or `Z`.
    If clocks repeat an hour, the first one applies.
    """
    attempt: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    """The number of the attempt. Default: the only one, or the last."""


class TimesFile(SpecModel):
    """Submission times of students.

    The file can also be a table, times.csv, with a row for each attempt and the columns `student`, `time` and
    `attempt`.
    """

    format: FormatOne
    """Version of this format: `1`."""
    times: Annotated[tuple[_Time, ...], AT_LEAST_ONE]
    """The submission times."""


@dataclass(frozen=True)
class HandInTime:
    """The time of a student's attempt (None means the only or last one), and its place in the file."""

    student: str
    attempt: int | None
    time: datetime
    place: SourceLocation


def read_times(file: Path, zone: ZoneInfo) -> Iterator[HandInTime]:
    """Yield the times in `file`, YAML or CSV by its name, in the `zone` of the assignment.

    Raises SpecError if the file is faulty or states two times for an attempt.
    """
    document = read_table(file, "times") if file.suffix == ".csv" else read_document(file)
    content = validate(document, TimesFile).content
    seen: set[tuple[str, int | None]] = set()
    for index, entry in enumerate(content.times):
        place = document.place(("times", index, "student"))
        key = compared_id(entry.student), entry.attempt
        if key in seen:
            which = f"attempt {entry.attempt} of {quoted(entry.student)}" if entry.attempt else quoted(entry.student)
            raise SpecError([Problem(place, f"{which} is given twice")])
        seen.add(key)
        # When clocks repeat an hour, the first one is meant, which is better for the student.
        time = entry.time if entry.time.tzinfo else entry.time.replace(tzinfo=zone)
        yield HandInTime(entry.student.strip(), entry.attempt, time.astimezone(UTC).astimezone(zone), place)
