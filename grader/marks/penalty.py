"""What each late policy takes from a mark, and the calculation in words."""

from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal

from grader.model.policy import FallingCap, LatePolicy, PercentOf, PercentPerDay, PointsPerHour
from grader.text.words import format_decimal, pluralize

_DAY = timedelta(days=1)


_HOUR = timedelta(hours=1)


@dataclass(frozen=True)
class LatePenalty:
    """The highest mark to be had, what is taken off, and how that came about, a sentence each."""

    cap: Decimal
    deduction: Decimal
    steps: tuple[str, ...] = ()


def started_days(late: timedelta) -> int:
    """The number of 24-hour days begun: one second late is one day, 24 hours are one, a second more is two."""
    return -(-late // _DAY)


def started_hours(late: timedelta) -> int:
    """The number of hours begun: one second late is one hour, 60 minutes are one, a second more is two."""
    return -(-late // _HOUR)


def penalty(policy: LatePolicy | None, raw: Decimal, full: Decimal, late: timedelta) -> LatePenalty:
    """What being `late` costs work worth `raw` of `full` marks; exact."""
    days = started_days(late)
    if policy is None or days == 0:
        return LatePenalty(full, Decimal(0))
    if isinstance(policy, PointsPerHour):
        return _by_the_hour(policy, full, started_hours(late))
    if policy.days is not None and days > policy.days:
        step = f"{_late(days)}, more than {pluralize(policy.days, 'day')}: nothing can be had."
        return LatePenalty(Decimal(0), Decimal(0), (step,))
    if isinstance(policy, FallingCap):
        return _falling_cap(policy, full, days)
    return _percent_per_day(policy, raw, full, days)


def _by_the_hour(policy: PointsPerHour, full: Decimal, hours: int) -> LatePenalty:
    """CSE 231 project 10, overview: so many points for each started hour."""
    deduction = policy.points * hours
    sum_words = f"{hours} × {format_decimal(policy.points)} = {format_decimal(deduction)}"
    return LatePenalty(full, deduction, (f"{pluralize(hours, 'started hour')} late: {sum_words} is taken off.",))


def _falling_cap(policy: FallingCap, full: Decimal, days: int) -> LatePenalty:
    """COMP9021 25T3 assignment 1, section 1.3: the maximum mark falls for each started day."""
    cap = max(full * (100 - policy.percent_per_day * days) / 100, Decimal(0))
    sum_words = f"{format_decimal(full)} - {_share(policy.percent_per_day, days, full)} = {format_decimal(cap)}"
    return LatePenalty(cap, Decimal(0), (f"{_late(days)}: the highest mark to be had is {sum_words}.",))


def _percent_per_day(policy: PercentPerDay, raw: Decimal, full: Decimal, days: int) -> LatePenalty:
    whole = raw if policy.of is PercentOf.EARNED else full
    deduction = min(whole * policy.percent_per_day * days / 100, whole)
    sum_words = f"{_share(policy.percent_per_day, days, whole)} = {format_decimal(deduction)}"
    return LatePenalty(full, deduction, (f"{_late(days)}: {sum_words} is taken off.",))


def _late(days: int) -> str:
    return f"{pluralize(days, 'started day')} late"


def _share(percent: Decimal, days: int, whole: Decimal) -> str:
    """`2 × 5 % of 13`; no more than all of it."""
    if percent * days > 100:
        return f"all of {format_decimal(whole)} ({days} × {format_decimal(percent)} %)"
    return f"{days} × {format_decimal(percent)} % of {format_decimal(whole)}"
