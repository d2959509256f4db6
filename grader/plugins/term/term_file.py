"""Reads term.yaml: the assignments of a term, their weights, and the late days for all assignments together."""

from collections.abc import Collection, Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated

from pydantic import Field, model_validator

from grader.config.scalars import FilePattern, FormatOne, LateDays, Marks, Name, Sentence, StudentName
from grader.config.validation import AT_LEAST_ONE, SpecModel, Validated, validate
from grader.config.yaml_reader import YamlDocument, read_document
from grader.errors import Problem, SpecError, nearest, quoted
from grader.spec.assignment_file import RoundingEntry

FILE_NAME = "term.yaml"


class Missing(StrEnum):
    """The treatment of a student who is missing from the reports of an assignment."""

    ZERO = "zero"
    EXCUSED = "excused"


class HandOut(StrEnum):
    """The method for spending late days: assignment by assignment, or where they raise the total most."""

    IN_ORDER = "in-order"
    BEST = "best"


class TermAssignmentEntry(SpecModel):
    """An assignment, which counts by its own weight or in a group. `reports` is the folder of its results.json."""

    id: Name
    """The id of the assignment."""
    weight: Marks | None = None
    """The weight of the assignment. Weights do not have to add up to 100, because the total is divided by the sum
    of the weights that count.
    """
    group: Name | None = None
    """The group of the assignment, as an alternative to a weight."""
    reports: FilePattern | None = None
    """The folder with its `results.json`, relative to term.yaml. Default: `reports/ID`."""

    @model_validator(mode="after")
    def _require_weight_or_group(self) -> "TermAssignmentEntry":
        if (self.weight is None) == (self.group is None):
            raise ValueError("expected one of `weight` and `group`")
        return self


class TermGroupEntry(SpecModel):
    """Assignments that count together: the mean of the `best` ones, or of all."""

    id: Name
    """The unique name of the group."""
    weight: Marks
    """The weight of the whole group."""
    best: Annotated[int, Field(ge=1, le=1000)] | None = None
    """The number of assignments that count, choosing each student's best percentages. Default: all."""


class ExtraDaysEntry(SpecModel):
    """Additional late days for one student."""

    student: StudentName
    """The student's name in the reports."""
    days: LateDays
    """The number of additional days."""
    reason: str = ""
    """A note for you, which does not appear in any report."""


class TermLateDaysEntry(SpecModel):
    """The late days that each student has over the term."""

    total: LateDays
    """The number of days."""
    hand_out: HandOut = HandOut.IN_ORDER
    """`in-order` (the default): each assignment uses the days that raise its mark, and the rest are left for the next
    one. `best`: at the end of the term, the days are spent where they raise the total most.
    """
    extra: tuple[ExtraDaysEntry, ...] = ()
    """Additional days for individual students."""

    def pool(self, names: Collection[str]) -> int:
        """Return the late days of the student with one of these names in reports."""
        return self.total + sum(entry.days for entry in self.extra if entry.student in names)


class TermFile(SpecModel):
    """The assignments of a term, their weights, and the late days of the term."""

    format: FormatOne
    """Version of this format: `1`."""
    title: Sentence
    """The heading of the table."""
    missing: Missing
    """The treatment of a student who is missing from the reports of an assignment. With `zero`, the mark is 0 and
    is included in the mean and median, although the cell shows `missing`. With `excused`, the assignment does
    not count. A line below the table lists these students. Students who are in the class but submitted nothing
    appear in the reports with 0.
    """
    assignments: Annotated[tuple[TermAssignmentEntry, ...], AT_LEAST_ONE]
    """The assignments, in the order of their due dates."""
    groups: tuple[TermGroupEntry, ...] = ()
    """Groups of assignments. All assignments of a group have the same weight within it."""
    rounding: RoundingEntry | None = None
    """The rounding of the total. Without it, the total is exact."""
    late_days: TermLateDaysEntry | None = None
    """Late days that each student has over the whole term."""

    def reports(self, entry: TermAssignmentEntry, folder: Path) -> Path:
        """Return the folder with the results of an assignment; `folder` contains term.yaml."""
        return folder / (entry.reports or f"reports/{entry.id}")


def read_term(file: Path) -> Validated[TermFile]:
    """Return the term that `file` describes. Raises SpecError with all problems."""
    term = validate(read_document(file), TermFile)
    problems = list(_problems(term.content, term.document))
    if problems:
        raise SpecError(problems)
    return term


def _problems(term: TermFile, document: YamlDocument) -> Iterator[Problem]:
    groups = {group.id for group in term.groups}
    seen: set[str] = set()
    named = [("assignments", index, entry.id) for index, entry in enumerate(term.assignments)]
    named += [("groups", index, group.id) for index, group in enumerate(term.groups)]
    for list_name, index, name in named:
        if name in seen:
            yield Problem(document.place((list_name, index, "id")), f"{quoted(name)} is given twice")
        seen.add(name)
    for index, assignment in enumerate(term.assignments):
        if assignment.group is not None and assignment.group not in groups:
            message = f"there is no group {quoted(assignment.group)}{nearest(assignment.group, groups)}"
            yield Problem(document.place(("assignments", index, "group")), message)
    for index, group in enumerate(term.groups):
        members = sum(entry.group == group.id for entry in term.assignments)
        if members < (group.best or 1):
            message = f"the group {quoted(group.id)} has {members} assignments; expected at least {group.best or 1}"
            yield Problem(document.place(("groups", index, "best")), message)
    extra = [entry.student for entry in term.late_days.extra] if term.late_days else []
    for index, student in enumerate(extra):
        if student in extra[:index]:
            yield Problem(document.place(("late_days", "extra", index, "student")), f"{quoted(student)} is given twice")
