"""What several late policies say in the same words."""

from decimal import Decimal

from grader.model.policy import LatePenalty
from grader.text.words import format_decimal, pluralize


def days_late_words(days: int) -> str:
    """`2 started days late`."""
    return f"{pluralize(days, 'started day')} late"


def share_words(percent: Decimal, days: int, whole: Decimal) -> str:
    """`2 × 5 % of 13`, or `all of 13 (21 × 5 %)`."""
    if percent * days > 100:
        return f"all of {format_decimal(whole)} ({days} × {format_decimal(percent)} %)"
    return f"{days} × {format_decimal(percent)} % of {format_decimal(whole)}"


def too_late(days: int, most: int) -> LatePenalty:
    """The penalty of work that is `days` late where only `most` are allowed: no mark is left."""
    step = f"{days_late_words(days)}, more than {pluralize(most, 'day')}: no marks are left."
    return LatePenalty(Decimal(0), Decimal(0), (step,))
