"""The table of a term: a row per student, with a cell per assignment and the total."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction

from grader.errors import nearest, quoted
from grader.marks.lateness import rounded
from grader.model.amount import as_decimal
from grader.model.assignment import Assignment
from grader.plugins.term.hand_out import in_order, where_they_help_most
from grader.plugins.term.late_days import day_choices, marks_by_days
from grader.plugins.term.reported import ReportedClass, ReportedRow, TermError
from grader.plugins.term.students import TermStudent, matched
from grader.plugins.term.term_file import FILE_NAME, HandOut, Missing, TermFile
from grader.plugins.term.weighing import Component, total_share


class CellState(StrEnum):
    """The state of a student in an assignment."""

    MARKED = "marked"
    OPEN = "open"
    EXCUSED = "excused"
    MISSING = "missing"


@dataclass(frozen=True, kw_only=True)
class TermCell:
    """A student's result in an assignment. `mark` includes `late_days`, `reported` is the mark in the reports.

    `share` is the share of the full mark, or None if nothing counts. If `is_counted`, the cell is part of the total,
    not dropped by a group. `reason` says why it is undecided.
    """

    state: CellState
    reported: Decimal | None = None
    mark: Decimal | None = None
    share: Fraction | None = None
    late_days: int = 0
    is_counted: bool = False
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class TermRow:
    """A student: cells and groups by id, late days, and the total in percent (None if undecided, or if nothing counts).

    `open_because` are the reasons why it is undecided, `doubts` the points that a person should still check.
    """

    student: TermStudent
    cells: Mapping[str, TermCell]
    groups: Mapping[str, Fraction | None]
    total: Decimal | None
    pool: int
    open_because: tuple[str, ...]
    doubts: tuple[str, ...]

    @property
    def days_used(self) -> int:
        """The late days that all assignments together took."""
        return sum(cell.late_days for cell in self.cells.values())


@dataclass(frozen=True)
class TermTable:
    """The rows of a term, its classes in order, and notes on students missing from classes."""

    term: TermFile
    classes: tuple[ReportedClass, ...]
    rows: tuple[TermRow, ...]
    notes: tuple[str, ...]


LoadAssignment = Callable[[str], Assignment]
"""A function that loads an assignment of the course by its id."""


def term_table(term: TermFile, classes: Sequence[ReportedClass], load: LoadAssignment) -> TermTable:
    """Return the table. Assignments are only loaded if students have late days. Raises TermError."""
    students = matched(classes)
    assignments = {graded.assignment: load(graded.assignment) for graded in classes} if term.late_days else {}
    weighing = _Weighing(term, tuple(classes), assignments, components_of(term, classes))
    rows = tuple(weighing.row(student) for student in students)
    return TermTable(term, tuple(classes), rows, tuple(_notes(term, classes, students)))


def components_of(term: TermFile, classes: Sequence[ReportedClass]) -> tuple[Component, ...]:
    """Return the components that count, in the order of their first members, without ungraded assignments."""
    graded = {each.assignment for each in classes}
    groups = {group.id: group for group in term.groups}
    components: dict[str, Component] = {}
    for entry in term.assignments:
        if entry.id not in graded:
            continue
        if entry.group is None:
            components[entry.id] = Component(entry.id, Fraction(entry.weight or 0), (entry.id,), 1)
            continue
        group, before = groups[entry.group], components.get(entry.group)
        members = (*(before.members if before else ()), entry.id)
        components[group.id] = Component(group.id, Fraction(group.weight), members, group.best or len(term.assignments))
    return tuple(components.values())


@dataclass(frozen=True)
class _Weighing:
    """The data from which the rows of a term are made."""

    term: TermFile
    classes: tuple[ReportedClass, ...]
    assignments: Mapping[str, Assignment]
    components: tuple[Component, ...]

    def row(self, student: TermStudent) -> TermRow:
        """Return the row of a student."""
        pool = self.term.late_days.pool(student.names) if self.term.late_days else 0
        cells = {graded.assignment: self._cell(student.rows.get(graded.assignment)) for graded in self.classes}
        if self.term.late_days:
            cells = self._with_late_days(student, cells, pool)
        cells = {name: self._shared(name, cell) for name, cell in cells.items()}
        shares = {name: cell.share for name, cell in cells.items() if cell.share is not None}
        counted = {name for component in self.components for name in component.chosen(shares)}
        reasons = tuple(f"{name}: {cell.reason}" for name, cell in cells.items() if cell.state is CellState.OPEN)
        groups = {group.id for group in self.term.groups}
        return TermRow(
            student=student,
            cells={name: replace(cell, is_counted=name in counted) for name, cell in cells.items()},
            groups={part.id: part.share(shares) for part in self.components if part.id in groups},
            total=None if reasons else self._total(shares),
            pool=pool,
            open_because=reasons,
            doubts=tuple(f"{name}: {doubt}" for name, row in student.rows.items() for doubt in row.doubts),
        )

    def _cell(self, row: ReportedRow | None) -> TermCell:
        """Return the cell with the values in the reports."""
        if row is None:
            is_zero = self.term.missing is Missing.ZERO
            return TermCell(state=CellState.MISSING, share=Fraction(0) if is_zero else None)
        if row.excused:
            return TermCell(state=CellState.EXCUSED)
        if row.mark is None:
            return TermCell(state=CellState.OPEN, reason=row.open_because)
        return TermCell(state=CellState.MARKED, reported=row.mark, mark=row.mark)

    def _with_late_days(self, student: TermStudent, cells: Mapping[str, TermCell], pool: int) -> dict[str, TermCell]:
        """Return the cells with the marks that result from the student's late days."""
        changed = dict(cells)
        marks: dict[str, Mapping[int, Decimal]] = {}
        for name, cell in cells.items():
            if cell.state is CellState.MARKED:
                try:
                    marks[name] = marks_by_days(student.rows[name], self.assignments[name], pool)
                except TermError as error:
                    changed[name] = TermCell(state=CellState.OPEN, reported=cell.reported, reason=str(error))
            elif cell.share is not None:
                marks[name] = {0: Decimal(0)}
        taken = self._days_taken(marks, pool)
        for name, by_days in marks.items():
            days = taken.get(name, 0)
            changed[name] = replace(cells[name], mark=by_days[days], late_days=days)
        return changed

    def _days_taken(self, marks: Mapping[str, Mapping[int, Decimal]], pool: int) -> Mapping[str, int]:
        """Return the late days by assignment, distributed according to the term file."""
        full = {graded.assignment: graded.full for graded in self.classes}
        choices = {name: day_choices(by_days, full[name]) for name, by_days in marks.items()}
        if self.term.late_days and self.term.late_days.hand_out is HandOut.BEST:
            return where_they_help_most(self.components, choices, pool)
        return in_order(choices, pool)

    def _shared(self, name: str, cell: TermCell) -> TermCell:
        """Return the cell with its share of the full mark."""
        if cell.mark is None:
            return cell
        (full,) = (graded.full for graded in self.classes if graded.assignment == name)
        return replace(cell, share=Fraction(cell.mark) / Fraction(full))

    def _total(self, shares: Mapping[str, Fraction]) -> Decimal | None:
        """Return the total in percent, rounded according to the term file."""
        share = total_share(self.components, shares)
        if share is None:
            return None
        possible = {graded.assignment: Fraction(graded.highest) / Fraction(graded.full) for graded in self.classes}
        highest = total_share(self.components, {name: possible[name] for name in shares}) or share
        rounding = self.term.rounding.rounding() if self.term.rounding else None
        return rounded(percent(share), percent(max(share, highest)), rounding)


def percent(share: Fraction) -> Decimal:
    """Return a share in percent."""
    return as_decimal(share * 100)


def _notes(term: TermFile, classes: Sequence[ReportedClass], students: Sequence[TermStudent]) -> Iterator[str]:
    """Yield notes on students missing from classes, and other remarks for the instructor."""
    counts = "count as 0" if term.missing is Missing.ZERO else "are excused"
    for graded in classes:
        absent = [each.student for each in students if graded.assignment not in each.rows]
        if absent:
            yield f"{graded.assignment}: not in the reports, and {counts} there: {', '.join(absent)}"
    graded_ids = {graded.assignment for graded in classes}
    for entry in term.assignments:
        if entry.id not in graded_ids:
            yield f"{entry.id}: no reports yet, so it has no part in the totals"
    names = {name for each in students for name in each.names}
    for extra in term.late_days.extra if term.late_days else ():
        if extra.student not in names:
            hint = nearest(extra.student, names)
            yield f"{FILE_NAME}: late days for {quoted(extra.student)}, who is in no report{hint}"
    named_twice = sorted(name for name, count in Counter(each.student for each in students).items() if count > 1)
    for name in named_twice:
        yield f"{quoted(name)} is the name of several students, whose ids differ"
