"""Grace, late days from a bank, cut-off, percentages, waivers and rounding: by example, with the words."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest

from grader.marks.lateness import LateAllowance, mark_with_lateness
from grader.model.mark import Mark, StudentExtension
from grader.model.policy import FinalStep, LatePolicy, LateTerms, Rounding, RoundingMode
from grader.plugins.late_policies.falling_cap import FallingCap
from grader.plugins.late_policies.percent_per_day import PercentOf, PercentPerDay
from grader.plugins.late_policies.points_per_hour import PointsPerHour

DUE = datetime(2026, 3, 20, 17, 0, tzinfo=ZoneInfo("Europe/Vienna"))
FULL = Decimal(20)
SECOND, MINUTE, HOUR, DAY = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
TEN_PERCENT = PercentPerDay(Decimal(10))


def mark(
    late: timedelta,
    policy: LatePolicy | None = TEN_PERCENT,
    *,
    raw: str = "15",
    terms: LateTerms | None = None,
    granted: StudentExtension | None = None,
    rounding: Rounding | None = None,
) -> Mark:
    allowance = LateAllowance(terms or LateTerms(), granted or StudentExtension())
    final = FinalStep(rounding)
    submitted = (DUE.astimezone(UTC) + late).astimezone(DUE.tzinfo)
    return mark_with_lateness(Decimal(raw), FULL, policy, submitted, DUE, allowance=allowance, final=final)


@pytest.mark.parametrize(
    ("policy", "late", "adjusted"),
    [
        (TEN_PERCENT, timedelta(0), "15"),
        (TEN_PERCENT, SECOND, "13.5"),
        (TEN_PERCENT, DAY + SECOND, "12"),
        (TEN_PERCENT, 30 * DAY, "0"),
        (replace(TEN_PERCENT, max_days_late=2), 2 * DAY, "12"),
        (replace(TEN_PERCENT, max_days_late=2), 2 * DAY + SECOND, "0"),
        (replace(TEN_PERCENT, of=PercentOf.FULL), DAY, "13"),
        (replace(TEN_PERCENT, of=PercentOf.FULL), 8 * DAY, "0"),
    ],
)
def test_a_percentage_of_what_was_earned_or_of_the_full_mark(
    policy: PercentPerDay, late: timedelta, adjusted: str
) -> None:
    assert mark(late, policy).adjusted == Decimal(adjusted)


@pytest.mark.parametrize(("late", "adjusted", "days"), [(15 * MINUTE, "15", 0), (15 * MINUTE + SECOND, "13.5", 1)])
def test_all_of_the_lateness_counts_after_the_grace_period(late: timedelta, adjusted: str, days: int) -> None:
    result = mark(late, terms=LateTerms(grace=15 * MINUTE))
    assert (result.adjusted, result.late, result.late_days) == (Decimal(adjusted), late, days)


@pytest.mark.parametrize(
    ("late", "terms", "granted", "used", "left", "adjusted"),
    [
        (timedelta(0), LateTerms(late_days=3), StudentExtension(), 0, 3, "15"),
        (SECOND, LateTerms(late_days=3), StudentExtension(), 1, 2, "15"),
        (3 * DAY, LateTerms(late_days=3), StudentExtension(), 3, 0, "15"),
        (3 * DAY + SECOND, LateTerms(late_days=3), StudentExtension(), 3, 0, "13.5"),
        (3 * DAY, LateTerms(late_days=3, max_late_days=2), StudentExtension(), 2, 1, "13.5"),
        (3 * DAY, LateTerms(late_days=3), StudentExtension(late_days=1), 1, 0, "12"),
        (3 * DAY, LateTerms(late_days=1), StudentExtension(extra_late_days=1), 2, 0, "13.5"),
        (3 * DAY, LateTerms(), StudentExtension(late_days=5, extra_late_days=1), 3, 3, "15"),
    ],
)
def test_late_days_of_the_bank(
    late: timedelta, terms: LateTerms, granted: StudentExtension, used: int, left: int, adjusted: str
) -> None:
    result = mark(late, terms=terms, granted=granted)
    assert (result.bank_used, result.bank_left, result.adjusted) == (used, left, Decimal(adjusted))
    assert result.late == late


@pytest.mark.parametrize(
    ("policy", "raw", "late", "used"),
    [
        # The cap after one day is 18: of no matter for 15 points, and worth one of two days for 18 points.
        (FallingCap(Decimal(10), 5), "15", 2 * DAY, 0),
        (FallingCap(Decimal(10), 5), "18", 2 * DAY, 1),
        (FallingCap(Decimal(10), 5), "20", 2 * DAY, 2),
        (FallingCap(Decimal(10), 5), "0", 2 * DAY, 0),
        (None, "15", 2 * DAY, 0),
        (PointsPerHour(Decimal(1)), "15", 60 * HOUR, 3),
        # Even with all of them nothing is left.
        (PointsPerHour(Decimal(1)), "15", 99 * HOUR, 0),
    ],
)
def test_no_late_day_is_taken_that_does_not_raise_the_mark(
    policy: LatePolicy | None, raw: str, late: timedelta, used: int
) -> None:
    assert mark(late, policy, raw=raw, terms=LateTerms(late_days=3)).bank_used == used


@pytest.mark.parametrize(
    ("mode", "late", "used", "adjusted"),
    [
        (RoundingMode.HALF_UP, DAY, 0, "20"),
        (RoundingMode.HALF_UP, 3 * DAY, 2, "20"),
        (RoundingMode.UP, DAY, 0, "20"),
        (RoundingMode.DOWN, DAY, 1, "20"),
    ],
)
def test_no_late_day_is_taken_where_rounding_gives_the_same_mark(
    mode: RoundingMode, late: timedelta, used: int, adjusted: str
) -> None:
    terms, two_percent = LateTerms(late_days=3), PercentPerDay(Decimal(2))
    result = mark(late, two_percent, raw="20", terms=terms, rounding=Rounding(0, mode))
    assert (result.bank_used, result.adjusted) == (used, Decimal(adjusted))


def test_after_the_cut_off_nothing_can_be_had_and_no_late_day_is_taken() -> None:
    terms = LateTerms(grace=3 * DAY, late_days=9, cut_off=DUE + DAY)
    assert mark(DAY, terms=terms).adjusted == 15
    after = mark(DAY + SECOND, terms=terms)
    assert (after.adjusted, after.cap, after.bank_used) == (Decimal(0), Decimal(0), 0)
    assert after.steps[2] == "That is after the cut-off, 2026-03-21 17:00:00 CET: no marks are left."
    assert mark(DAY + SECOND, None, terms=terms).adjusted == 0


def test_an_extension_past_the_cut_off_moves_it() -> None:
    allowance = LateAllowance(LateTerms(cut_off=DUE))
    due = DUE + 2 * DAY
    marks = [
        mark_with_lateness(FULL, FULL, None, time, due, allowance=allowance).adjusted
        for time in (DUE + DAY, due, due + SECOND)
    ]
    assert marks == [20, 20, 0]


def test_a_waiver_leaves_nothing_to_pay() -> None:
    result = mark(40 * DAY, terms=LateTerms(cut_off=DUE, late_days=2), granted=StudentExtension(waived=True))
    assert (result.adjusted, result.late, result.bank_used) == (Decimal(15), 40 * DAY, 0)
    assert "The penalty for lateness is waived." in result.steps


@pytest.mark.parametrize(
    ("mode", "up", "half", "down"),
    [
        (RoundingMode.HALF_UP, "11.3", "11.3", "11.2"),
        (RoundingMode.HALF_EVEN, "11.3", "11.2", "11.2"),
        (RoundingMode.UP, "11.3", "11.3", "11.3"),
        (RoundingMode.DOWN, "11.2", "11.2", "11.2"),
    ],
)
def test_rounding(mode: RoundingMode, up: str, half: str, down: str) -> None:
    marks = [mark(timedelta(0), raw=raw, rounding=Rounding(1, mode)).adjusted for raw in ("11.26", "11.25", "11.24")]
    assert marks == [Decimal(text) for text in (up, half, down)]


def test_nobody_is_rounded_beyond_the_full_mark_and_the_exact_mark_is_kept() -> None:
    full = Decimal("12.5")
    result = mark_with_lateness(full, full, None, DUE, DUE, final=FinalStep(Rounding(0, RoundingMode.HALF_UP)))
    assert result.adjusted == full
    halves = mark(HOUR, raw="11.1", rounding=Rounding(0, RoundingMode.HALF_UP))
    assert (halves.unrounded, halves.adjusted) == (Decimal("9.99"), Decimal(10))


def test_every_step_of_the_calculation_is_told() -> None:
    terms = LateTerms(grace=15 * MINUTE, late_days=3, max_late_days=1)
    result = mark(2 * DAY, raw="15.55", terms=terms, rounding=Rounding(1, RoundingMode.HALF_UP))
    assert result.steps == (
        "Points: 15.55 of 20.",
        "Due 2026-03-20 17:00:00 CET, handed in 2026-03-22 17:00:00 CET: 2 d late.",
        "That is more than the grace period of 15 min: all of it counts.",
        "This assignment takes 1 of 3 late days in the bank, 2 left: counted as 1 d late.",
        "1 started day late: 1 × 10 % of 15.55 = 1.555 is taken off.",
        "15.55 - 1.555 = 13.995.",
        "Rounded to 1 decimal place (half-up): 13.995 becomes 14.",
        "Mark: 14.",
    )


@pytest.mark.parametrize(
    ("policy", "late", "said"),
    [
        (None, DAY, ("Lateness costs nothing.",)),
        (TEN_PERCENT, timedelta(0), ()),
        (TEN_PERCENT, 11 * DAY, ("11 started days late: all of 15 (11 × 10 %) = 15 is taken off.", "15 - 15 = 0.")),
        (
            FallingCap(Decimal(5), 5),
            5 * DAY + SECOND,
            ("6 started days late, more than 5 days: no marks are left.", "The smaller of 0 and 15 is 0."),
        ),
        (
            FallingCap(Decimal(5), 5),
            2 * DAY,
            (
                "2 started days late: the highest possible mark is 20 - 2 × 5 % of 20 = 18.",
                "The smaller of 18 and 15 is 15.",
            ),
        ),
        (
            PointsPerHour(Decimal("0.5")),
            40 * HOUR,
            ("40 started hours late: 40 × 0.5 = 20 is taken off.", "15 - 20 is less than 0, so 0 is left."),
        ),
    ],
)
def test_the_words_of_each_policy(policy: LatePolicy | None, late: timedelta, said: tuple[str, ...]) -> None:
    assert mark(late, policy).steps[2:-1] == said
