"""extensions.yaml or extensions.csv: what holds for single students instead of the due date and the late policy."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated
from zoneinfo import ZoneInfo

from pydantic import model_validator

from grader.intake.table import read_table
from grader.spec.document import read_document
from grader.spec.late_entry import LateDays
from grader.spec.moment import latest_moment
from grader.spec.problem import Problem, SpecError, nearest
from grader.spec.scalars import FormatOne, LocalTime, StudentName
from grader.spec.validate import AT_LEAST_ONE, SpecModel, listed, validate

FILE_NAMES = ("extensions.yaml", "extensions.csv")

_GRANTS = ("due", "late_days", "extra_late_days", "waive", "excused")


class _Extension(SpecModel):
    student: StudentName
    due: LocalTime | None = None
    late_days: LateDays | None = None
    extra_late_days: LateDays = 0
    waive: bool = False
    excused: bool = False
    reason: str = ""

    @model_validator(mode="after")
    def _grants_something(self) -> "_Extension":
        if self.model_fields_set.isdisjoint(_GRANTS):
            raise ValueError(f"this entry grants nothing; expected one of {listed(_GRANTS)}")
        return self

    def consideration(self, zone: ZoneInfo) -> "Consideration":
        due = latest_moment(self.due, zone) if self.due else None
        return Consideration(due, self.late_days, self.extra_late_days, self.waive, self.excused, self.reason)


class ExtensionsFile(SpecModel):
    """extensions.yaml"""

    format: FormatOne
    extensions: Annotated[tuple[_Extension, ...], AT_LEAST_ONE]


@dataclass(frozen=True)
class Consideration:
    """What holds for one student.

    `due` is the due date instead of the assignment's (None: that one). `late_days` are left in the student's bank
    before this assignment (None: as many as the assignment gives everybody), `extra_late_days` are added. `waived`:
    lateness costs nothing. `excused`: no mark counts. `reason` is for the instructor alone.
    """

    due: datetime | None = None
    late_days: int | None = None
    extra_late_days: int = 0
    waived: bool = False
    excused: bool = False
    reason: str = ""


NO_CONSIDERATION = Consideration()


@dataclass(frozen=True)
class Extensions:
    """Considerations by student, and notes on students who have no submission."""

    of: Mapping[str, Consideration]
    notes: tuple[str, ...] = ()


NO_EXTENSIONS = Extensions({})


def read_extensions(file: Path, zone: ZoneInfo, students: Iterable[str]) -> Extensions:
    """The extensions in `file`, YAML or CSV by its name; times are local to `zone`.

    Raises SpecError when the file is faulty or names a student twice. A name that is not among `students` becomes a
    note, because an extension may be given to someone who hands in nothing.
    """
    document = read_table(file, "extensions") if file.suffix == ".csv" else read_document(file)
    content = validate(document, ExtensionsFile)
    known = set(students)
    granted: dict[str, Consideration] = {}
    problems: list[Problem] = []
    notes: list[str] = []
    for index, extension in enumerate(content.extensions):
        place = document.place(("extensions", index, "student"))
        if extension.student in granted:
            problems.append(Problem(place, f"`{extension.student}` is given twice"))
        elif extension.student not in known:
            notes.append(f"{place}: no submission of `{extension.student}`{nearest(extension.student, known)}")
        granted[extension.student] = extension.consideration(zone)
    if problems:
        raise SpecError(problems)
    return Extensions(granted, tuple(notes))
