"""Laws that hold for every policy, with every allowance, in every time zone."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.config.scalars import latest_moment
from grader.marks.lateness import LateAllowance, mark_with_lateness, rounded
from grader.model.mark import Mark, StudentExtension
from grader.model.policy import FinalStep, LatePolicy, LateTerms, Rounding, RoundingMode
from grader.plugins.late_policies.falling_cap import FallingCap
from grader.plugins.late_policies.percent_per_day import PercentOf, PercentPerDay
from grader.plugins.late_policies.points_per_hour import PointsPerHour

UNHURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
DAY = timedelta(days=1)
# Clocks there change by an hour, by half an hour, at midnight, in the other half of the year, and not at all.
ZONES = [
    ZoneInfo(name)
    for name in ("Europe/Vienna", "Australia/Lord_Howe", "America/Havana", "Australia/Sydney", "Asia/Kolkata")
]
CHANGES = [datetime(2026, month, day) for month, day in ((3, 8), (3, 29), (4, 5), (10, 4), (10, 25), (11, 1))]

PLACES = st.integers(1, 1_000_000).map(lambda number: Decimal(number) / 10_000)
PERCENT = st.integers(1, 1_000_000).map(lambda number: Decimal(number) / 10_000)
DAYS = st.integers(1, 30)
POLICIES = st.one_of(
    st.none(),
    st.builds(FallingCap, PERCENT, DAYS),
    st.builds(PointsPerHour, PLACES),
    st.builds(PercentPerDay, PERCENT, st.sampled_from(PercentOf), st.none() | DAYS),
)
DUES = st.builds(
    lambda change, offset, zone: latest_moment(change + offset, zone),
    st.sampled_from(CHANGES),
    st.timedeltas(-2 * DAY, 2 * DAY),
    st.sampled_from(ZONES),
)
LATENESS = st.timedeltas(-DAY, 40 * DAY)
TERMS = st.builds(
    LateTerms,
    grace=st.timedeltas(timedelta(0), DAY),
    late_days=st.integers(0, 5),
    max_late_days=st.none() | st.integers(0, 5),
    cut_off=st.none() | DUES,
)
GRANTED = st.builds(
    StudentExtension,
    late_days=st.none() | st.integers(0, 5),
    extra_late_days=st.integers(0, 3),
    waived=st.booleans(),
)
LEEWAYS = st.builds(LateAllowance, TERMS, GRANTED)
ROUNDINGS = st.none() | st.builds(Rounding, st.integers(0, 4), st.sampled_from(RoundingMode))


def handed_in(late: timedelta, due: datetime) -> datetime:
    """The moment `late` after `due`, in real time."""
    return (due.astimezone(UTC) + late).astimezone(due.tzinfo)


@UNHURRIED
@given(
    full=PLACES,
    share=st.integers(0, 100),
    policy=POLICIES,
    due=DUES,
    lates=st.tuples(LATENESS, LATENESS),
    allowance=LEEWAYS,
    rounding=ROUNDINGS,
)
def test_no_mark_is_negative_or_more_than_was_earned_and_later_never_pays(
    full: Decimal,
    share: int,
    policy: LatePolicy | None,
    due: datetime,
    lates: tuple[timedelta, timedelta],
    allowance: LateAllowance,
    rounding: Rounding | None,
) -> None:
    raw = full * share / 100
    marks = [
        mark_with_lateness(raw, full, policy, handed_in(late, due), due, allowance=allowance, final=FinalStep(rounding))
        for late in sorted(lates)
    ]
    for mark in marks:
        assert 0 <= mark.unrounded <= mark.raw == raw
        assert 0 <= mark.adjusted <= rounded(raw, full, rounding) <= full
        assert 0 <= mark.bank_used <= allowance.usable
        assert mark.bank_used + mark.bank_left == allowance.bank
        assert mark.steps[-1].startswith("Mark: ")
    # What is not rounded yet may be higher for the later work: late days were used where rounding was enough before.
    assert rounding or marks[1].unrounded <= marks[0].unrounded
    assert marks[1].adjusted <= marks[0].adjusted


@UNHURRIED
@given(policy=POLICIES, dues=st.tuples(DUES, DUES), late=LATENESS, allowance=LEEWAYS)
def test_the_same_lateness_costs_the_same_on_both_sides_of_a_clock_change(
    policy: LatePolicy | None, dues: tuple[datetime, datetime], late: timedelta, allowance: LateAllowance
) -> None:
    without_cut_off = LateAllowance(LateTerms(allowance.terms.grace, allowance.terms.late_days), allowance.granted)

    def numbers(mark: Mark) -> list[object]:
        return [mark.late, mark.late_days, mark.late_hours, mark.cap, mark.deduction, mark.adjusted, mark.bank_used]

    first, second = (
        mark_with_lateness(Decimal(7), Decimal(10), policy, handed_in(late, due), due, allowance=without_cut_off)
        for due in dues
    )
    assert numbers(first) == numbers(second)


@UNHURRIED
@given(policy=POLICIES, due=DUES, late=LATENESS, allowance=LEEWAYS, more=st.integers(1, 3))
def test_more_leeway_never_costs(
    policy: LatePolicy | None, due: datetime, late: timedelta, allowance: LateAllowance, more: int
) -> None:
    granted = allowance.granted
    softer = (
        StudentExtension(
            late_days=granted.late_days, extra_late_days=granted.extra_late_days + more, waived=granted.waived
        ),
        StudentExtension(late_days=granted.late_days, extra_late_days=granted.extra_late_days, waived=True),
    )
    submitted = handed_in(late, due)
    usual = mark_with_lateness(Decimal(7), Decimal(10), policy, submitted, due, allowance=allowance)
    for other in softer:
        mark = mark_with_lateness(
            Decimal(7), Decimal(10), policy, submitted, due, allowance=LateAllowance(allowance.terms, other)
        )
        assert mark.adjusted >= usual.adjusted
    extended = mark_with_lateness(
        Decimal(7), Decimal(10), policy, submitted, handed_in(timedelta(days=more), due), allowance=allowance
    )
    assert extended.adjusted >= usual.adjusted
