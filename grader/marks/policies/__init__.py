"""The late policies that an assignment may choose from; each is one module and one line here."""

from grader.marks.policies.falling_cap import FallingCap
from grader.marks.policies.percent_per_day import PercentPerDay
from grader.marks.policies.points_per_hour import PointsPerHour
from grader.model.policy import LatePolicy

LATE_POLICIES: tuple[type[LatePolicy], ...] = (
    FallingCap,
    PercentPerDay,
    PointsPerHour,
)
