"""What lateness does to a mark. Nothing here is stored: marks are computed anew for every report."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from grader.spec.late import FallingCap, LatePolicy, PointsPerHour

_DAY = timedelta(days=1)
_HOUR = timedelta(hours=1)


@dataclass(frozen=True)
class Mark:
    """A mark and how lateness changed it.

    `late` is the time after the due date (zero when in time), `late_days` and `late_hours` the started days and hours
    in it, `cap` the highest mark still to be had, `deduction` what lateness takes off.
    """

    raw: Decimal
    late: timedelta
    late_days: int
    late_hours: int
    cap: Decimal
    deduction: Decimal
    adjusted: Decimal


def mark_with_lateness(
    raw: Decimal, full: Decimal, policy: LatePolicy | None, submitted: datetime, due: datetime
) -> Mark:
    """The mark of work worth `raw` of `full` marks, handed in at `submitted`; both times know their zones.

    The mark is min(cap, raw) (COMP9021 25T3 assignment 1, section 1.3) or raw less the deduction (CSE 231 project 10,
    overview), exact and never below zero.
    """
    late = lateness(submitted, due)
    days, hours = started_days(late), started_hours(late)
    cap = cap_after(full, policy, days)
    deduction = deduction_after(policy, hours)
    return Mark(raw, late, days, hours, cap, deduction, max(min(cap, raw) - deduction, Decimal(0)))


def lateness(submitted: datetime, due: datetime) -> timedelta:
    """The real time between `due` and `submitted`, across changes of the clock; zero when in time."""
    return max(submitted.astimezone(UTC) - due.astimezone(UTC), timedelta(0))


def started_days(late: timedelta) -> int:
    """The number of 24-hour days begun: one second late is one day, 24 hours are one, a second more is two."""
    return -(-late // _DAY)


def started_hours(late: timedelta) -> int:
    """The number of hours begun: one second late is one hour, 60 minutes are one, a second more is two."""
    return -(-late // _HOUR)


def deduction_after(policy: LatePolicy | None, late_hours: int) -> Decimal:
    """What is taken off after `late_hours` started hours."""
    return policy.points * late_hours if isinstance(policy, PointsPerHour) else Decimal(0)


def cap_after(full: Decimal, policy: LatePolicy | None, late_days: int) -> Decimal:
    """The highest mark to be had after `late_days` started days. Only a policy with a falling cap lowers it."""
    if not isinstance(policy, FallingCap) or late_days == 0:
        return full
    if late_days > policy.days:
        return Decimal(0)
    left = 100 - policy.percent_per_day * late_days
    return max(full * left / 100, Decimal(0))
