"""The late policy `percent-per-hour`."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated

from grader.model.option import AtMost, MoreThan
from grader.model.policy import LatePenalty, LatePolicy, LateWork, PenaltyForm
from grader.plugins.late_policies.percent_per_day import PercentOf
from grader.text.sentence import say_plural
from grader.text.words import format_decimal


@dataclass(frozen=True)
class PercentPerHour(LatePolicy):
    """For each started late hour, `percent` of the points earned, or of the full mark, is deducted."""

    name = "percent-per-hour"
    about = "A percentage is deducted for each started hour."
    form = PenaltyForm.DEDUCTION

    percent: Annotated[Decimal, MoreThan(0), AtMost(100)]
    """The percentage for each started hour."""
    of: PercentOf = PercentOf.EARNED
    """The base: the points that were `earned`, or the `full` mark."""

    def penalty(self, work: LateWork) -> LatePenalty:
        """Return the cost of the lateness of `work`."""
        whole = self.of.whole(work)
        deduction = min(whole * self.percent * work.hours / 100, work.points)
        step = say_plural(
            work.hours,
            "{count} started hour late: {count} × {percent} of {whole}, at most all of it: {deduction} is taken off.",
            "{count} started hours late: {count} × {percent} of {whole}, at most all of it: {deduction} is taken off.",
            percent=f"{format_decimal(self.percent)} %",
            whole=format_decimal(whole),
            deduction=format_decimal(deduction),
        )
        return LatePenalty(work.highest, deduction, (step,))
