"""The late policy `points-per-hour`, of CSE 231 project 10, overview."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated

from grader.model.option import AtMost, MoreThan
from grader.model.policy import LatePenalty, LatePolicy, LateWork, PenaltyForm
from grader.text.sentence import say_plural
from grader.text.words import format_decimal


@dataclass(frozen=True)
class PointsPerHour(LatePolicy):
    """For each started late hour, `points` are deducted."""

    name = "points-per-hour"
    about = "Points are deducted for each started hour."
    form = PenaltyForm.DEDUCTION

    points: Annotated[Decimal, MoreThan(0), AtMost(10_000)]
    """The points for each started hour."""

    def penalty(self, work: LateWork) -> LatePenalty:
        """Return the cost of the lateness of `work`."""
        hours = work.hours
        deduction = self.points * hours
        step = say_plural(
            hours,
            "{count} started hour late: {count} × {points} = {deduction} is taken off.",
            "{count} started hours late: {count} × {points} = {deduction} is taken off.",
            points=format_decimal(self.points),
            deduction=format_decimal(deduction),
        )
        return LatePenalty(work.highest, deduction, (step,))
