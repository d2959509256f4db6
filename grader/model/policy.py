"""What an assignment says of lateness and of rounding."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from typing import TypeAlias


@dataclass(frozen=True)
class FallingCap:
    """Late policy: the maximum mark falls by `percent_per_day` of the full mark per started late day.

    After `days` late days nothing can be had.
    """

    percent_per_day: Decimal
    days: int


@dataclass(frozen=True)
class PointsPerHour:
    """Late policy: `points` are taken off for each started late hour."""

    points: Decimal


class PercentOf(StrEnum):
    """What a percentage is of: the points that the work has earned, or the full mark."""

    EARNED = "earned"
    FULL = "full"


@dataclass(frozen=True)
class PercentPerDay:
    """Late policy: `percent_per_day` of the points earned, or of the full mark, is taken off per started late day.

    After `days` late days nothing can be had; None: there is no such limit.
    """

    percent_per_day: Decimal
    of: PercentOf = PercentOf.EARNED
    days: int | None = None


LatePolicy: TypeAlias = FallingCap | PointsPerHour | PercentPerDay


@dataclass(frozen=True)
class LateTerms:
    """What softens or limits the late policy, for everybody.

    Work that is late by no more than `grace` counts as on time. `late_days` is how many days late each student may be
    without penalty over all assignments, `most_late_days` how many of them on this one (None: all). After `cut_off`
    nothing can be had.
    """

    grace: timedelta = timedelta(0)
    late_days: int = 0
    most_late_days: int | None = None
    cut_off: datetime | None = None


class RoundingMode(StrEnum):
    """Which of the two neighbours a mark is rounded to."""

    HALF_UP = "half-up"
    HALF_EVEN = "half-even"
    UP = "up"
    DOWN = "down"


@dataclass(frozen=True)
class Rounding:
    """How the mark is rounded, last of all: to so many decimal `places`."""

    places: int
    mode: RoundingMode


NO_TERMS = LateTerms()
