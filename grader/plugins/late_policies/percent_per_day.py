"""The late policy `percent-per-day`: a percentage is taken off for each day."""

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Annotated

from grader.marks.lateness import days_late_words
from grader.model.option import AtLeast, AtMost, MoreThan
from grader.model.policy import LatePenalty, LatePolicy, LateWork, PenaltyForm
from grader.plugins.late_policies.day_words import share_words, too_late
from grader.text.sentence import say
from grader.text.words import format_decimal


class PercentOf(StrEnum):
    """The base of a percentage: the points earned, or the full mark."""

    EARNED = "earned"
    FULL = "full"

    def whole(self, work: LateWork) -> Decimal:
        """Return the base for `work`; points with a bonus can exceed it."""
        return work.points if self is PercentOf.EARNED else work.full


@dataclass(frozen=True)
class PercentPerDay(LatePolicy):
    """For each started late day, `percent_per_day` of the points earned, or of the full mark, is deducted.

    After `max_days_late` days, the mark is zero. None: there is no limit.
    """

    name = "percent-per-day"
    about = "A percentage is deducted for each started day."
    form = PenaltyForm.DEDUCTION

    percent_per_day: Annotated[Decimal, MoreThan(0), AtMost(100)]
    """The percentage for each started 24 hours."""
    of: PercentOf = PercentOf.EARNED
    """The base: the points that were `earned`, or the `full` mark."""
    max_days_late: Annotated[int | None, AtLeast(1), AtMost(366)] = None
    """The number of late days after which the mark is zero. Without it, there is no limit."""

    def penalty(self, work: LateWork) -> LatePenalty:
        """Return the cost of the lateness of `work`."""
        days = work.days
        if self.max_days_late is not None and days > self.max_days_late:
            return too_late(days, self.max_days_late)
        whole = self.of.whole(work)
        deduction = min(whole * self.percent_per_day * days / 100, work.points)
        step = say(
            "{late}: {share} = {deduction} is taken off.",
            late=days_late_words(days),
            share=share_words(self.percent_per_day, days, whole),
            deduction=format_decimal(deduction),
        )
        return LatePenalty(work.highest, deduction, (step,))
