"""The falling cap: examples from the handout, the edges of a day, the changes of the clock, and laws."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.marks.lateness import mark_with_lateness
from grader.model.mark import Mark
from grader.plugins.late_policies.falling_cap import FallingCap

UNHURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

SYDNEY = ZoneInfo("Australia/Sydney")
DUE = datetime(2025, 10, 27, 11, 59, tzinfo=SYDNEY)
FULL = Decimal(13)
FIVE_PERCENT = FallingCap(Decimal(5), 5)
SECOND = timedelta(seconds=1)
DAY = timedelta(days=1)


def mark(late: timedelta, raw: Decimal = FULL, due: datetime = DUE) -> Mark:
    """The mark of work handed in `late` after `due`, in elapsed time."""
    submitted = (due.astimezone(UTC) + late).astimezone(SYDNEY)
    return mark_with_lateness(raw, FULL, FIVE_PERCENT, submitted, due)


@pytest.mark.parametrize(("raw", "adjusted"), [("12", "11.7"), ("11", "11")])
@pytest.mark.parametrize("late", [DAY + SECOND, timedelta(hours=36), 2 * DAY])
def test_the_example_of_the_handout_two_days_late(raw: str, adjusted: str, late: timedelta) -> None:
    result = mark(late, Decimal(raw))
    assert (result.cap, result.adjusted, result.late_days) == (Decimal("11.7"), Decimal(adjusted), 2)
    assert result.raw == Decimal(raw)


@pytest.mark.parametrize(
    ("late", "days", "cap"),
    [
        (-30 * DAY, 0, "13"),
        (-SECOND, 0, "13"),
        (timedelta(0), 0, "13"),
        (SECOND, 1, "12.35"),
        (DAY - SECOND, 1, "12.35"),
        (DAY, 1, "12.35"),
        (DAY + SECOND, 2, "11.7"),
        (2 * DAY, 2, "11.7"),
        (3 * DAY, 3, "11.05"),
        (4 * DAY, 4, "10.4"),
        (4 * DAY + SECOND, 5, "9.75"),
        (5 * DAY, 5, "9.75"),
        (5 * DAY + SECOND, 6, "0"),
        (400 * DAY, 400, "0"),
    ],
)
def test_each_started_day_lowers_the_cap_until_nothing_is_left(late: timedelta, days: int, cap: str) -> None:
    result = mark(late)
    assert (result.late_days, result.cap, result.adjusted) == (days, Decimal(cap), Decimal(cap))
    assert result.late == max(late, timedelta(0))


@pytest.mark.parametrize(
    ("due", "submitted", "elapsed", "days"),
    [
        # Clocks go forward on 2025-10-05 at 2:00: the day has 23 hours.
        ("2025-10-04 12:00", "2025-10-05 12:00", timedelta(hours=23), 1),
        ("2025-10-04 12:00", "2025-10-05 13:00", timedelta(hours=24), 1),
        ("2025-10-04 12:00", "2025-10-05 13:01", timedelta(hours=24, minutes=1), 2),
        ("2025-10-05 01:59", "2025-10-05 03:00", timedelta(minutes=1), 1),
        # Clocks go back on 2026-04-05 at 3:00: the day has 25 hours.
        ("2026-04-04 12:00", "2026-04-05 11:00", timedelta(hours=24), 1),
        ("2026-04-04 12:00", "2026-04-05 12:00", timedelta(hours=25), 2),
        ("2026-04-05 01:59", "2026-04-05 03:00", timedelta(hours=2, minutes=1), 1),
    ],
)
def test_real_time_counts_across_changes_of_the_clock(due: str, submitted: str, elapsed: timedelta, days: int) -> None:
    times = [datetime.fromisoformat(text).replace(tzinfo=SYDNEY) for text in (submitted, due)]
    result = mark_with_lateness(FULL, FULL, FIVE_PERCENT, *times)
    assert (result.late, result.late_days) == (elapsed, days)


def test_the_two_passes_of_a_repeated_hour_are_an_hour_apart() -> None:
    due = datetime(2026, 4, 5, 2, 30, tzinfo=SYDNEY)
    assert mark_with_lateness(FULL, FULL, FIVE_PERCENT, due, due).late_days == 0
    assert mark_with_lateness(FULL, FULL, FIVE_PERCENT, due.replace(fold=1), due).late == timedelta(hours=1)


def test_times_of_different_zones_are_compared_as_moments() -> None:
    same = datetime(2025, 10, 27, 0, 59, tzinfo=UTC)
    assert mark_with_lateness(FULL, FULL, FIVE_PERCENT, same, DUE).late == timedelta(0)
    assert mark_with_lateness(FULL, FULL, FIVE_PERCENT, same + SECOND, DUE).late == SECOND


def test_without_a_policy_lateness_costs_nothing_but_is_told() -> None:
    result = mark_with_lateness(Decimal(12), FULL, None, DUE + 9 * DAY, DUE)
    assert (result.cap, result.adjusted, result.late_days) == (FULL, Decimal(12), 9)


def test_a_cap_does_not_fall_below_nothing() -> None:
    steep = FallingCap(Decimal(40), 5)
    caps = [mark_with_lateness(FULL, FULL, steep, DUE + days * DAY, DUE).cap for days in range(7)]
    assert caps == [13, Decimal("7.8"), Decimal("2.6"), 0, 0, 0, 0]


FOUR_PLACES = st.integers(1, 10_000_0000).map(lambda number: Decimal(number) / 10_000)
POLICIES = st.builds(
    FallingCap, st.integers(1, 100_0000).map(lambda number: Decimal(number) / 10_000), st.integers(1, 366)
)
LATENESS = st.timedeltas(-10 * DAY, 400 * DAY)


@UNHURRIED
@given(full=FOUR_PLACES, share=st.integers(0, 100), policy=st.none() | POLICIES, lates=st.tuples(LATENESS, LATENESS))
def test_laws(full: Decimal, share: int, policy: FallingCap | None, lates: tuple[timedelta, timedelta]) -> None:
    raw = full * share / 100
    earlier, later = (mark_with_lateness(raw, full, policy, DUE + late, DUE) for late in sorted(lates))
    for result in (earlier, later):
        assert 0 <= result.adjusted <= result.raw == raw
        assert result.adjusted <= result.cap <= full
        assert result.adjusted in (result.raw, result.cap)
        assert timedelta(0) <= result.late_days * DAY - result.late < DAY
    assert later.adjusted <= earlier.adjusted
    assert later.late_days >= earlier.late_days


@UNHURRIED
@given(full=FOUR_PLACES, policy=POLICIES, late=LATENESS)
def test_the_cap_is_exact(full: Decimal, policy: FallingCap, late: timedelta) -> None:
    result = mark_with_lateness(full, full, policy, DUE + late, DUE)
    left = max(Fraction(0), 1 - Fraction(policy.percent_per_day) * result.late_days / 100)
    assert Fraction(result.cap) == (Fraction(full) * left if result.late_days <= policy.max_days_late else 0)
