"""The late policy `falling-cap`, of COMP9021 25T3 assignment 1, section 1.3."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated

from grader.marks.lateness import days_late_words
from grader.model.option import AtLeast, AtMost, MoreThan
from grader.model.policy import LatePenalty, LatePolicy, LateWork, PenaltyForm
from grader.plugins.late_policies.day_words import share_words, too_late
from grader.text.sentence import say
from grader.text.words import format_decimal


@dataclass(frozen=True)
class FallingCap(LatePolicy):
    """For each started late day, the highest possible mark falls by `percent_per_day` of the highest mark on time.

    After `max_days_late` days, the mark is zero.
    """

    name = "falling-cap"
    about = "The highest possible mark falls, and the mark is min(cap, points)."
    form = PenaltyForm.CAP

    percent_per_day: Annotated[Decimal, MoreThan(0), AtMost(100)]
    """The percentage of the highest mark on time by which the cap falls for each started 24 hours."""
    max_days_late: Annotated[int, AtLeast(1), AtMost(366)]
    """The number of late days after which the mark is zero."""

    def penalty(self, work: LateWork) -> LatePenalty:
        """Return the cost of the lateness of `work`."""
        days = work.days
        if days > self.max_days_late:
            return too_late(days, self.max_days_late)
        cap = max(work.highest * (100 - self.percent_per_day * days) / 100, Decimal(0))
        step = say(
            "{late}: the highest possible mark is {highest} - {fallen} = {cap}.",
            late=days_late_words(days),
            highest=format_decimal(work.highest),
            fallen=share_words(self.percent_per_day, days, work.highest),
            cap=format_decimal(cap),
        )
        return LatePenalty(cap, Decimal(0), (step,))
