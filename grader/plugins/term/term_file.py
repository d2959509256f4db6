"""term.yaml: the assignments of a term, their weights, and the late days that students have over all of them."""

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
    """The meaning of a student's absence from the reports of an assignment."""

    ZERO = "zero"
    EXCUSED = "excused"


class HandOut(StrEnum):
    """How the late days of a student are given out: as assignments come, or where they help the total most."""

    IN_ORDER = "in-order"
    BEST = "best"


class TermAssignmentEntry(SpecModel):
    """An assignment, which counts by its own weight or in a group; `reports` is the folder of its results.json."""

    id: Name
    """The assignment."""
    weight: Marks | None = None
    """The weight of the assignment. Weights need not add up to 100: the total is divided by the sum of those that
    count.
    """
    group: Name | None = None
    """In place of a weight: the group that it counts in."""
    reports: FilePattern | None = None
    """The folder of its `results.json`, relative to term.yaml. Default: `reports/ID`."""

    @model_validator(mode="after")
    def _counts_once(self) -> "TermAssignmentEntry":
        if (self.weight is None) == (self.group is None):
            raise ValueError("expected one of `weight` and `group`")
        return self


class TermGroupEntry(SpecModel):
    """Assignments that count together: the mean of the `best` ones, or of all."""

    id: Name
    """A name, of no other group."""
    weight: Marks
    """The weight of the whole group."""
    best: Annotated[int, Field(ge=1, le=1000)] | None = None
    """So many of its assignments count, the best in percent of each student. Default: all."""


class ExtraDaysEntry(SpecModel):
    """Further late days of one student."""

    student: StudentName
    """The student's name in the reports."""
    days: LateDays
    """The number of further days."""
    reason: str = ""
    """For you; it is in no report."""


class TermLateDaysEntry(SpecModel):
    """The late days that each student has over the term."""

    total: LateDays
    """The number of days."""
    hand_out: HandOut = HandOut.IN_ORDER
    """`in-order` (default): each assignment takes what helps it, and the rest is left for the next. `best`: at the end
    of the term they go where they raise the total most.
    """
    extra: tuple[ExtraDaysEntry, ...] = ()
    """Further days of single students."""

    def pool(self, names: Collection[str]) -> int:
        """Return the late days of the student who is called so in reports."""
        return self.total + sum(entry.days for entry in self.extra if entry.student in names)


class TermFile(SpecModel):
    """The assignments of a term, their weights, and the late days of the term."""

    format: FormatOne
    """Version of this format: `1`."""
    title: Sentence
    """The heading of the table."""
    missing: Missing
    """The mark of a student who is not in the reports of an assignment: `zero`, a mark of 0, which also counts in
    mean and median, though the cell reads `missing`, or `excused`, nothing. A line below the table names these
    students. Who is in the class and handed in nothing is in the reports, with 0.
    """
    assignments: Annotated[tuple[TermAssignmentEntry, ...], AT_LEAST_ONE]
    """In the order of their due dates."""
    groups: tuple[TermGroupEntry, ...] = ()
    """Assignments that count together, each as much as the others."""
    rounding: RoundingEntry | None = None
    """The rounding of the total. Without it the total is exact."""
    late_days: TermLateDaysEntry | None = None
    """Late days that each student has over the whole term."""

    def reports(self, entry: TermAssignmentEntry, folder: Path) -> Path:
        """Return the folder with the results of an assignment; `folder` is that of term.yaml."""
        return folder / (entry.reports or f"reports/{entry.id}")


def read_term(file: Path) -> Validated[TermFile]:
    """Return the term that `file` describes. Raises SpecError with everything that is wrong with it."""
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
