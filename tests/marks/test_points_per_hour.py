"""A point per started hour late (CSE 231 project 10, overview)."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.marks.lateness import mark_with_lateness
from grader.plugins.late_policies.points_per_hour import PointsPerHour

DUE = datetime(2023, 4, 24, 23, 59, tzinfo=ZoneInfo("America/Detroit"))
SECOND, HOUR = timedelta(seconds=1), timedelta(hours=1)


@pytest.mark.parametrize(
    ("late", "hours", "adjusted"),
    [
        (-HOUR, 0, "60"),
        (timedelta(0), 0, "60"),
        (SECOND, 1, "59"),
        (HOUR, 1, "59"),
        (HOUR + SECOND, 2, "58"),
        (60 * HOUR, 60, "0"),
        (100 * HOUR, 100, "0"),
    ],
)
def test_each_started_hour_costs_a_point(late: timedelta, hours: int, adjusted: str) -> None:
    mark = mark_with_lateness(Decimal(60), Decimal(65), PointsPerHour(Decimal(1)), DUE + late, DUE)
    assert (mark.late_hours, mark.deduction, mark.adjusted) == (hours, Decimal(hours), Decimal(adjusted))
    assert mark.cap == Decimal(65)


def test_hours_are_real_hours_when_the_clock_changes() -> None:
    due = datetime(2023, 3, 11, 23, 59, tzinfo=ZoneInfo("America/Detroit"))
    submitted = datetime(2023, 3, 12, 3, 59, tzinfo=ZoneInfo("America/Detroit"))
    mark = mark_with_lateness(Decimal(60), Decimal(65), PointsPerHour(Decimal(1)), submitted, due)
    assert mark.late_hours == 3


@given(late=st.timedeltas(timedelta(0), timedelta(days=30)), raw=st.decimals(0, 65, places=2))
def test_later_never_pays_and_marks_stay_in_bounds(late: timedelta, raw: Decimal) -> None:
    policy = PointsPerHour(Decimal("0.5"))
    earlier, later = (
        mark_with_lateness(raw, Decimal(65), policy, (DUE.astimezone(UTC) + time), DUE)
        for time in (late, late + SECOND)
    )
    assert 0 <= later.adjusted <= earlier.adjusted <= raw
