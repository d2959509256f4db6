"""Reads extensions.yaml or extensions.csv: individual due dates, late days and excuses."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from types import FunctionType
from typing import Annotated
from zoneinfo import ZoneInfo

from pydantic import model_validator

from grader.config.csv_table import read_table
from grader.config.scalars import FormatOne, LateDays, LocalTime, StudentName, latest_moment
from grader.config.validation import AT_LEAST_ONE, SpecModel, listed, validate
from grader.config.yaml_reader import read_document
from grader.errors import Problem, SpecError, nearest
from grader.extensions import CLASS_EXTENSIONS, extensions
from grader.model.assignment import Assignment
from grader.model.mark import ClassExtensions, StudentExtension

FILE_NAMES = ("extensions.yaml", "extensions.csv")
_TIME = "%Y-%m-%d %H:%M:%S"
_GRANTS = ("due", "late_days", "extra_late_days", "waive", "excused")
Team = tuple[str, ...]
"""The students of a team."""


class _Extension(SpecModel):
    """Special arrangements for a student."""

    student: StudentName
    """The name of the student in the reports: the name of the folder (or the part of the file name before the
    program's name), or the name in the download or the roster.
    """
    due: LocalTime | None = None
    """The student's due date, in local time, from which lateness is counted. A date before the assignment's `due`
    is ignored, and a note says so.
    """
    late_days: LateDays | None = None
    """The number of late days left in the student's bank before this assignment. Default: the value of
    `late.late_days`.
    """
    extra_late_days: LateDays = 0
    """A number of late days added to the student's bank. `max_late_days` applies to them as well."""
    waive: bool = False
    """`true`: the student has no late penalty and no cut-off."""
    excused: bool = False
    """`true`: the student gets no mark, and the reports say so."""
    reason: str = ""
    """A note for the instructor, which appears in the reports but is not shown to the student."""

    @model_validator(mode="after")
    def _grants_something(self) -> "_Extension":
        if self.model_fields_set.isdisjoint(_GRANTS):
            raise ValueError(f"this entry grants nothing; expected one of {listed(_GRANTS)} (`grader docs late-days`)")
        return self

    def moment_due(self, zone: ZoneInfo) -> datetime | None:
        """Return the due date as a time in `zone`."""
        return latest_moment(self.due, zone) if self.due else None

    def student_extension(self, assignment: Assignment) -> StudentExtension:
        """Return the student's extension, which never ends before the due date of the class."""
        due = self.moment_due(assignment.zone)
        return StudentExtension(
            due=due and max(due, assignment.due),
            late_days=self.late_days,
            extra_late_days=self.extra_late_days,
            waived=self.waive,
            excused=self.excused,
            reason=self.reason,
        )


class ExtensionsFile(SpecModel):
    """Individual due dates, late days and excuses.

    The file can also be a table, extensions.csv, with a row for each student and a column for each key, in any
    order. Cells can be empty.
    """

    format: FormatOne
    """Version of this format: `1`."""
    extensions: Annotated[tuple[_Extension, ...], AT_LEAST_ONE]
    """The students with special arrangements."""


def completed(granted: ClassExtensions, assignment: Assignment, students: Sequence[str]) -> ClassExtensions:
    """Return the class's extensions completed by plugins, for example with late days left from other assignments."""
    for plugin in extensions(CLASS_EXTENSIONS).values():
        granted = plugin.load(FunctionType)(granted, assignment, students)
    return granted


def shared_due(granted: ClassExtensions, teams: Iterable[Team]) -> ClassExtensions:
    """Return the extensions with the team's latest due date for each member; everything else stays individual."""
    of = dict(granted.of)
    for team in teams:
        latest = max((item.due for item in map(granted.of.get, team) if item and item.due), default=None)
        for student in team if latest else ():
            extension = of.get(student, StudentExtension())
            if extension.due != latest:
                reason = "; ".join(filter(None, [extension.reason, "the latest due date of the team"]))
                of[student] = replace(extension, due=latest, reason=reason)
    return replace(granted, of=of)


def read_extensions(file: Path, assignment: Assignment, students: Iterable[str]) -> ClassExtensions:
    """Return the extensions in `file`, in YAML or CSV according to its name; times are in the assignment's zone.

    Raises SpecError if the file is faulty or mentions a student twice. A name that is not among `students` becomes a
    note, because an extension may be given to a student who never submits. A due date before the assignment's becomes a
    note as well, and is ignored.
    """
    document = read_table(file, "extensions") if file.suffix == ".csv" else read_document(file)
    content = validate(document, ExtensionsFile).content
    names_of_class = set(students)
    granted: dict[str, StudentExtension] = {}
    problems: list[Problem] = []
    notes: list[str] = []
    for index, extension in enumerate(content.extensions):
        place = document.place(("extensions", index, "student"))
        if extension.student in granted:
            problems.append(Problem(place, f"`{extension.student}` is given twice"))
        elif extension.student not in names_of_class:
            notes.append(f"{place}: no submission of `{extension.student}`{nearest(extension.student, names_of_class)}")
        due = extension.moment_due(assignment.zone)
        if due is not None and due < assignment.due:
            place_of_due = document.place(("extensions", index, "due"))
            notes.append(
                f"{place_of_due}: the due date of `{extension.student}`, {due:{_TIME}}, is before that of the "
                f"assignment, {assignment.due:{_TIME}}, which counts; write a later one"
            )
        granted[extension.student] = extension.student_extension(assignment)
    if problems:
        raise SpecError(problems)
    return ClassExtensions(granted, tuple(notes))
