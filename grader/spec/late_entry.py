"""`late` and `rounding` in assignment.yaml."""

from datetime import datetime, timedelta
from typing import Annotated, Literal
from zoneinfo import ZoneInfo

from pydantic import Field, model_validator

from grader.config.scalars import LocalTime, Marks, Percent, latest_moment
from grader.config.validation import SpecModel, listed
from grader.model.policy import (
    FallingCap,
    LatePolicy,
    LateTerms,
    PercentOf,
    PercentPerDay,
    PointsPerHour,
    Rounding,
    RoundingMode,
)

MOST_DAYS = 366


Days = Annotated[int, Field(ge=1, le=MOST_DAYS)]


LateDays = Annotated[int, Field(ge=0, le=MOST_DAYS)]


_NEEDED = {
    "falling-cap": {"percent_per_day", "days"},
    "points-per-hour": {"points"},
    "percent-per-day": {"percent_per_day"},
    "none": set(),
}


_POSSIBLE = {"percent-per-day": {"of", "days"}}


class LateEntry(SpecModel):
    """The late policy, the numbers that it asks for, and what holds whatever the policy."""

    policy: Literal["falling-cap", "points-per-hour", "percent-per-day", "none"]
    percent_per_day: Percent | None = None
    of: PercentOf | None = None
    days: Days | None = None
    points: Marks | None = None
    grace_minutes: Annotated[int, Field(ge=0, le=60 * 24 * MOST_DAYS)] = 0
    late_days: LateDays = 0
    most_late_days: LateDays | None = None
    cut_off: LocalTime | None = None

    @model_validator(mode="after")
    def _numbers_of_the_policy(self) -> "LateEntry":
        needed = _NEEDED[self.policy]
        given = {key for key in ("percent_per_day", "of", "days", "points") if getattr(self, key) is not None}
        if not needed <= given <= needed | _POSSIBLE.get(self.policy, set()):
            raise ValueError(f"found {listed(given)}; expected {listed(needed)} for the policy `{self.policy}`")
        return self

    def late_policy(self) -> LatePolicy | None:
        """The policy as marks are computed by it."""
        if self.points is not None:
            return PointsPerHour(self.points)
        if self.percent_per_day is None:
            return None
        if self.policy == "percent-per-day":
            return PercentPerDay(self.percent_per_day, self.of or PercentOf.EARNED, self.days)
        assert self.days is not None
        return FallingCap(self.percent_per_day, self.days)

    def late_terms(self, zone: ZoneInfo) -> LateTerms:
        """What holds whatever the policy; the cut-off is a time of `zone`."""
        cut_off: datetime | None = latest_moment(self.cut_off, zone) if self.cut_off else None
        return LateTerms(timedelta(minutes=self.grace_minutes), self.late_days, self.most_late_days, cut_off)


class RoundingEntry(SpecModel):
    """How marks are rounded."""

    places: Annotated[int, Field(ge=0, le=4)]
    mode: RoundingMode = RoundingMode.HALF_UP

    def rounding(self) -> Rounding:
        """The rule as marks are computed by it."""
        return Rounding(self.places, self.mode)
