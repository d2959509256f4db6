"""The late policy `linear`."""

from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Annotated

from grader.model.option import AtMost, MoreThan
from grader.model.policy import LatePenalty, LatePolicy, LateWork, PenaltyForm
from grader.plugins.late_policies.percent_per_day import PercentOf
from grader.text.sentence import say
from grader.text.words import format_decimal, lateness_words

_PLACES = Decimal("0.00000001")
"""Enough decimal places to round a mark to a few places correctly."""


@dataclass(frozen=True)
class Linear(LatePolicy):
    """The points earned, or the full mark, are lost evenly over `hours`, second by second."""

    name = "linear"
    about = "Each second costs the same amount, until nothing is left."
    form = PenaltyForm.DEDUCTION

    hours: Annotated[Decimal, MoreThan(0), AtMost(10_000)]
    """The number of hours after which everything is lost."""
    of: PercentOf = PercentOf.EARNED
    """The base: the points that were `earned`, or the `full` mark."""

    def penalty(self, work: LateWork) -> LatePenalty:
        """Return the cost of the lateness of `work`, to eight places."""
        seconds, all_seconds = work.late // timedelta(seconds=1), self.hours * 3600
        is_all_lost = seconds >= all_seconds
        whole = max(self.of.whole(work), work.points) if is_all_lost else self.of.whole(work)
        deduction = min((whole * seconds / all_seconds).quantize(_PLACES), work.points)
        step = say(
            "{late} of {hours} hours in which all of {whole} is lost: {deduction} is taken off.",
            late=lateness_words(work.late),
            hours=format_decimal(self.hours),
            whole=format_decimal(whole),
            deduction=format_decimal(deduction),
        )
        return LatePenalty(work.highest, deduction, (step,))
