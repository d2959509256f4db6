"""Late policies by the hour in percent, and by the second."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.marks.lateness import mark_with_lateness
from grader.model.policy import FinalStep, LatePolicy, Rounding, RoundingMode
from grader.plugins.late_policies.linear import Linear
from grader.plugins.late_policies.percent_per_day import PercentOf
from grader.plugins.late_policies.percent_per_hour import PercentPerHour

DUE = datetime(2026, 4, 24, 23, 59, tzinfo=UTC)
SECOND, HOUR = timedelta(seconds=1), timedelta(hours=1)
PER_HOUR, OF_FULL = PercentPerHour(Decimal(5)), PercentPerHour(Decimal(5), PercentOf.FULL)
LINEAR = Linear(Decimal(48))


@pytest.mark.parametrize(
    ("policy", "late", "adjusted"),
    [
        (PER_HOUR, timedelta(0), "8"),
        (PER_HOUR, SECOND, "7.6"),
        (PER_HOUR, HOUR, "7.6"),
        (PER_HOUR, HOUR + SECOND, "7.2"),
        (PER_HOUR, 30 * HOUR, "0"),
        (OF_FULL, HOUR, "7.5"),
        (LINEAR, timedelta(0), "8"),
        (LINEAR, 12 * HOUR, "6"),
        (LINEAR, 36 * SECOND, "7.99833333"),
        (LINEAR, 48 * HOUR, "0"),
        (LINEAR, 1000 * HOUR, "0"),
        (Linear(Decimal(48), PercentOf.FULL), 24 * HOUR, "3"),
    ],
)
def test_what_is_left(policy: LatePolicy, late: timedelta, adjusted: str) -> None:
    mark = mark_with_lateness(Decimal(8), Decimal(10), policy, DUE + late, DUE)
    assert mark.adjusted == Decimal(adjusted)


def test_a_mark_is_rounded_once() -> None:
    linear, seconds = Linear(Decimal(72)), timedelta(seconds=154225)
    final = FinalStep(Rounding(places=1, mode=RoundingMode.HALF_UP), Decimal(10))
    # 10 × (1 - 154225 / 259200) is a little less than 4.05.
    mark = mark_with_lateness(Decimal(10), Decimal(10), linear, DUE + seconds, DUE, final=final)
    assert mark.adjusted == Decimal("4.0")
    assert mark.steps[-2] == "Rounded to 1 decimal place (half-up): 4.04996142 becomes 4."


def test_the_calculation_is_told() -> None:
    def steps(policy: LatePolicy) -> str:
        return mark_with_lateness(Decimal(8), Decimal(10), policy, DUE + 2 * HOUR, DUE).steps[2]

    assert steps(PER_HOUR) == "2 started hours late: 2 × 5 % of 8, at most all of it: 0.8 is taken off."
    assert steps(LINEAR) == "2 h late of 48 hours in which all of 8 is lost: 0.33333333 is taken off."


@pytest.mark.parametrize("policy", [PER_HOUR, OF_FULL, LINEAR])
@given(late=st.timedeltas(timedelta(0), timedelta(days=5)), raw=st.decimals(0, 12, places=2))
def test_later_never_pays_and_marks_stay_in_bounds(policy: LatePolicy, late: timedelta, raw: Decimal) -> None:
    earlier, later = (mark_with_lateness(raw, Decimal(10), policy, DUE + time, DUE) for time in (late, late + SECOND))
    assert 0 <= later.adjusted <= earlier.adjusted <= 10
