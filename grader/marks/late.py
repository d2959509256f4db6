"""What lateness does to a mark. Nothing here is stored: marks are computed anew for every report."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from grader.spec.assignment import FallingCap

_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Mark:
    """A mark and how lateness changed it.

    `late` is the time after the due date (zero when in time), `late_days` the started days in it, `cap` the highest
    mark still to be had.
    """

    raw: Decimal
    late: timedelta
    late_days: int
    cap: Decimal
    adjusted: Decimal


def mark_with_lateness(
    raw: Decimal, full: Decimal, policy: FallingCap | None, submitted: datetime, due: datetime
) -> Mark:
    """The mark of work worth `raw` of `full` marks, handed in at `submitted`; both times know their zones.

    The mark is min(cap, raw), exact (COMP9021 25T3 assignment 1, section 1.3).
    """
    late = lateness(submitted, due)
    days = started_days(late)
    cap = cap_after(full, policy, days)
    return Mark(raw, late, days, cap, min(cap, raw))


def lateness(submitted: datetime, due: datetime) -> timedelta:
    """The real time between `due` and `submitted`, across changes of the clock; zero when in time."""
    return max(submitted.astimezone(UTC) - due.astimezone(UTC), timedelta(0))


def started_days(late: timedelta) -> int:
    """The number of 24-hour days begun: one second late is one day, 24 hours are one, a second more is two."""
    return -(-late // _DAY)


def cap_after(full: Decimal, policy: FallingCap | None, late_days: int) -> Decimal:
    """The highest mark to be had after `late_days` started days. Without a policy lateness costs nothing."""
    if policy is None or late_days == 0:
        return full
    if late_days > policy.days:
        return Decimal(0)
    left = 100 - policy.percent_per_day * late_days
    return max(full * left / 100, Decimal(0))
