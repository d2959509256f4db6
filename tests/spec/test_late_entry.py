"""`late` and `rounding` in assignment.yaml."""

from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from grader.errors import SpecError
from grader.model.assignment import Assignment
from grader.model.policy import LatePolicy, LateTerms, Rounding, RoundingMode
from grader.plugins.late_policies.falling_cap import FallingCap
from grader.plugins.late_policies.percent_per_day import PercentOf, PercentPerDay
from grader.plugins.late_policies.points_per_hour import PointsPerHour
from grader.spec.load import load_assignment
from tests.conftest import SmallCourse

WAS = "late: {policy: falling-cap, percent_per_day: 10, max_days_late: 3}"


def load(course: SmallCourse, late: str) -> Assignment:
    folder: Path = course.folder / "test_specs" / "doubles"
    file = folder / "assignment.yaml"
    text = file.read_text()
    assert WAS in text
    file.write_text(text.replace(WAS, late))
    return load_assignment(folder, course.folder / "reference")


@pytest.mark.parametrize(
    ("late", "policy"),
    [
        ("{policy: falling-cap, percent_per_day: 10, max_days_late: 3}", FallingCap(Decimal(10), 3)),
        ("{policy: points-per-hour, points: 0.5}", PointsPerHour(Decimal("0.5"))),
        ("{policy: percent-per-day, percent_per_day: 5}", PercentPerDay(Decimal(5), PercentOf.EARNED, None)),
        (
            "{policy: percent-per-day, percent_per_day: 5, of: full, max_days_late: 5}",
            PercentPerDay(Decimal(5), PercentOf.FULL, 5),
        ),
        ("{policy: none}", None),
    ],
)
def test_policies(late: str, policy: LatePolicy | None, small_course: SmallCourse) -> None:
    assignment = load(small_course, f"late: {late}")
    assert assignment.late == policy
    assert assignment.late_terms == LateTerms()
    assert assignment.rounding is None


def test_terms_and_rounding(small_course: SmallCourse) -> None:
    terms = "grace_minutes: 15, late_days: 4, max_late_days: 2, cut_off: 2025-11-10 12:00"
    assignment = load(small_course, f"late: {{policy: none, {terms}}}\nrounding: {{places: 1, mode: half-even}}")
    cut_off = datetime(2025, 11, 10, 12, tzinfo=assignment.zone)
    assert assignment.late_terms == LateTerms(timedelta(minutes=15), 4, 2, cut_off)
    assert assignment.rounding == Rounding(1, RoundingMode.HALF_EVEN)


@pytest.mark.parametrize(
    ("late", "message"),
    [
        ("{policy: percent-per-day}", "the key `percent_per_day` is missing here"),
        ("{policy: none, max_days_late: 3}", "unknown key `max_days_late`; did you mean `max_late_days`?"),
        ("{policy: points-per-hour, points: 1, of: full}", "unknown key `of`; expected one of: cut_off, grace_minutes"),
        ("{policy: points-per-hour, points: 0}", "found `0`; expected more than 0"),
        ("{policy: points-per-hour, points: 0.00001}", "found `0.00001`; expected at most 4 decimal places"),
        ("{policy: none, cut_off: 2025-10-27 11:58}", "expected a time that is not before the due date"),
    ],
)
def test_slips(late: str, message: str, small_course: SmallCourse) -> None:
    with pytest.raises(SpecError) as caught:
        load(small_course, f"late: {late}")
    assert message in str(caught.value)
