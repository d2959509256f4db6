"""The mark where points may lead beyond the full mark: with every late policy, with rounding, with shares."""

from datetime import datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.marks.lateness import mark_with_lateness
from grader.model.amount import as_decimal
from grader.model.mark import Mark
from grader.model.policy import FinalStep, LatePolicy, Rounding, RoundingMode
from grader.plugins.late_policies.falling_cap import FallingCap
from grader.plugins.late_policies.linear import Linear
from grader.plugins.late_policies.percent_per_day import PercentOf, PercentPerDay
from grader.plugins.late_policies.percent_per_hour import PercentPerHour
from grader.plugins.late_policies.points_per_hour import PointsPerHour

DUE = datetime(2025, 10, 27, 11, 59, tzinfo=ZoneInfo("Australia/Sydney"))
DAY = timedelta(days=1)
FULL, HIGHEST = Decimal(10), Decimal(11)
CAP = FallingCap(Decimal(10), 3)
OF_FULL = PercentPerDay(Decimal(10), PercentOf.FULL)
HOURS_OF_FULL = PercentPerHour(Decimal(4), PercentOf.FULL)
LINEAR_OF_FULL = Linear(Decimal(48), PercentOf.FULL)
OF_EARNED = PercentPerDay(Decimal(10))
PER_HOUR = PointsPerHour(Decimal("0.1"))


def mark(
    raw: Decimal | str,
    policy: LatePolicy | None = None,
    late: timedelta = timedelta(0),
    *,
    highest: Decimal | None = HIGHEST,
    rounding: Rounding | None = None,
) -> Mark:
    return mark_with_lateness(Decimal(raw), FULL, policy, DUE + late, DUE, final=FinalStep(rounding, highest))


@pytest.mark.parametrize(("raw", "adjusted"), [("9", "9"), ("10.5", "10.5"), ("11", "11"), ("12.25", "11")])
def test_bonus_points_count_up_to_the_highest_mark(raw: str, adjusted: str) -> None:
    result = mark(raw)
    assert (result.raw, result.adjusted, result.cap) == (Decimal(raw), Decimal(adjusted), HIGHEST)
    assert ("With bonus points the mark can be 11 at most." in result.steps) == (Decimal(raw) > HIGHEST)


def test_without_a_highest_mark_they_only_make_up_for_others() -> None:
    assert mark("10.5", highest=None).adjusted == FULL


@pytest.mark.parametrize(
    ("policy", "days", "adjusted"),
    [
        (CAP, 1, "9.9"),
        (CAP, 4, "0"),
        (OF_FULL, 1, "9.5"),
        (OF_FULL, 10, "0.5"),
        (OF_FULL, 11, "0"),
        (OF_FULL, 30, "0"),
        (HOURS_OF_FULL, 1, "0.9"),
        (LINEAR_OF_FULL, 1, "5.5"),
        (LINEAR_OF_FULL, 2, "0"),
        (OF_EARNED, 1, "9.45"),
        (OF_EARNED, 10, "0"),
        (PER_HOUR, 1, "8.1"),
        (None, 1, "10.5"),
    ],
)
def test_lateness_after_bonus_points(policy: LatePolicy | None, days: int, adjusted: str) -> None:
    assert mark("10.5", policy, days * DAY).adjusted == Decimal(adjusted)


def test_lateness_is_counted_from_the_points_that_count() -> None:
    assert mark("20", OF_EARNED, DAY).adjusted == Decimal("9.9")


def test_the_words_name_the_highest_mark() -> None:
    step = "1 started day late: the highest possible mark is 11 - 1 × 10 % of 11 = 9.9."
    assert step in mark("10.5", CAP, DAY).steps


@pytest.mark.parametrize(("highest", "adjusted"), [(HIGHEST, "11"), (Decimal("10.8"), "10.8"), (None, "10")])
def test_rounding_stops_at_the_highest_mark(highest: Decimal | None, adjusted: str) -> None:
    result = mark("10.7", highest=highest, rounding=Rounding(0, RoundingMode.UP))
    assert result.adjusted == Decimal(adjusted)


@pytest.mark.parametrize(
    ("mode", "share", "adjusted"),
    [
        (RoundingMode.HALF_UP, "3/6", "1"),
        (RoundingMode.DOWN, "6/6", "1"),
        (RoundingMode.UP, "2/6", "1"),
        (RoundingMode.DOWN, "5/6", "0"),
        (RoundingMode.HALF_EVEN, "3/6", "0"),
    ],
)
def test_rounding_sees_shares_as_they_are(mode: RoundingMode, share: str, adjusted: str) -> None:
    raw = as_decimal(Fraction(share))
    result = mark_with_lateness(raw, Decimal(1), None, DUE, DUE, final=FinalStep(Rounding(0, mode)))
    assert result.adjusted == Decimal(adjusted)


def test_rounding_sees_shares_as_they_are_after_lateness() -> None:
    """Two thirds less ten percent is exactly 0.6, which must not be rounded up."""
    raw, policy = as_decimal(Fraction(2, 3)), PercentPerDay(Decimal(10))
    final = FinalStep(Rounding(1, RoundingMode.UP))
    assert mark_with_lateness(raw, Decimal(1), policy, DUE + DAY, DUE, final=final).adjusted == Decimal("0.6")


def test_a_mark_without_an_end_has_four_places() -> None:
    assert mark(as_decimal(Fraction(20, 3))).adjusted == Decimal("6.6667")


@settings(deadline=None)
@given(
    raw=st.decimals(0, 30, places=4),
    policy=st.sampled_from([None, CAP, OF_FULL, OF_EARNED, PER_HOUR]),
    hours=st.integers(0, 400),
    bonus=st.decimals(0, 5, places=2),
)
def test_laws_of_the_highest_mark(raw: Decimal, policy: LatePolicy | None, hours: int, bonus: Decimal) -> None:
    late = timedelta(hours=hours)
    without, with_bonus = (mark(raw, policy, late, highest=highest) for highest in (None, FULL + bonus))
    assert 0 <= without.adjusted <= FULL
    assert 0 <= with_bonus.adjusted <= FULL + bonus
    assert with_bonus.adjusted >= without.adjusted
    assert mark(min(raw, FULL), policy, late, highest=None).adjusted == without.adjusted
    if raw <= FULL and policy is not CAP:
        assert with_bonus.adjusted == without.adjusted, "who has no bonus points is not touched"
