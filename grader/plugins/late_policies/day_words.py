"""Words and penalties that policies about late days share."""

from decimal import Decimal

from grader.marks.lateness import days_late_words
from grader.model.policy import LatePenalty
from grader.text.sentence import Sentence, say, say_plural
from grader.text.words import format_decimal


def share_words(percent: Decimal, days: int, whole: Decimal) -> Sentence:
    """Return a phrase such as `2 × 5 % of 13`, or `all of 13 (21 × 5 %)`."""
    values = {"percent": f"{format_decimal(percent)} %", "days": days, "whole": format_decimal(whole)}
    if percent * days > 100:
        return say("all of {whole} ({days} × {percent})", **values)
    return say("{days} × {percent} of {whole}", **values)


def too_late(days: int, most: int) -> LatePenalty:
    """Return the penalty for work that is `days` late, which is more than the `most` allowed: it loses all marks."""
    limit = say_plural(most, "{count} day", "{count} days")
    step = say("{late}, more than {limit}: no marks are left.", late=days_late_words(days), limit=limit)
    return LatePenalty(Decimal(0), Decimal(0), (step,))
