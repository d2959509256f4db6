"""Computes the mark that a student would have with some late days forgiven, by the assignment's late policy."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction

from grader.marks.lateness import LateAllowance, lateness, mark_with_lateness
from grader.model.assignment import Assignment
from grader.model.mark import Mark, StudentExtension
from grader.model.policy import FinalStep
from grader.plugins.term.hand_out import DayChoice
from grader.plugins.term.reported import ReportedRow, TermError

_DAY = timedelta(days=1)
_ROUNDED_IN_RESULTS = Decimal("0.001")


def marks_by_days(row: ReportedRow, assignment: Assignment, pool: int) -> dict[int, Decimal]:
    """Map the number of late days to the mark: zero days first, followed by each number that improves the mark.

    Raises TermError if the reported mark does not match the present assignment.
    """
    if row.mark is None or not row.is_computed or row.submitted is None or row.due is None:
        return {0: row.mark or Decimal(0)}
    reported = _with_bank(row, assignment, row.bank).adjusted
    if abs(reported - row.mark) > _ROUNDED_IN_RESULTS:
        raise TermError("its mark was given under another due date, late policy or rounding; grade it again")
    late = lateness(row.submitted, row.due)
    most = _with_bank(row, assignment, min(pool, -(-late // _DAY))).bank_used
    marks: dict[int, Decimal] = {}
    for days in range(most + 1):
        mark = _with_bank(row, assignment, days)
        marks.setdefault(mark.bank_used, mark.adjusted)
    return marks


def _with_bank(row: ReportedRow, assignment: Assignment, days: int) -> Mark:
    """Return the mark of a row with this number of late days in the bank."""
    if row.submitted is None or row.due is None:
        raise TermError("it has no time")
    return mark_with_lateness(
        row.points,
        assignment.marks,
        assignment.late,
        row.submitted,
        row.due,
        allowance=LateAllowance(replace(assignment.late_terms, late_days=days), StudentExtension(waived=row.waived)),
        final=FinalStep(assignment.rounding, assignment.highest_mark),
    )


def day_choices(marks: Mapping[int, Decimal], full: Decimal) -> tuple[DayChoice, ...]:
    """Return the shares of the full mark by late days."""
    return tuple(DayChoice(days, Fraction(mark) / Fraction(full)) for days, mark in marks.items())
