"""The numbers behind the charts of a class."""

from collections import Counter
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.analysis.item_statistics import TestStatistics
from grader.model.judgement import Verdict
from grader.model.mark import ManualMarks
from grader.model.results import AttemptPoints, StudentResult
from grader.plugins.web.pages.charts import (
    attempts_chart,
    difficulty_chart,
    due_date_chart,
    mark_bars,
    time_bars,
    verdict_shares,
)
from tests.reports.site_example import CLASS, MARKED, row


def test_marks_fall_into_round_bins_the_full_mark_into_the_last() -> None:
    bars = mark_bars(map(Decimal, ("0", "0.9", "1", "12.35", "13")), Decimal(13))
    assert [bar.label for bar in bars] == [*(str(number) for number in range(12)), "12–13"]
    assert [bar.count for bar in bars] == [2, 1, *[0] * 10, 2]
    assert bars[0].title == "0 to below 1"
    assert bars[-1].title == "12 to 13"
    assert bars[0].height == 100
    assert [bar.members for bar in bars if bar.count] == [[0, 1], [2], [3, 4]]


@given(st.lists(st.decimals(0, 1, places=4), max_size=20), st.decimals("0.01", 100_000, places=2))
def test_every_mark_is_in_one_bin(shares: list[Decimal], full: Decimal) -> None:
    bars = mark_bars([share * full for share in shares], full)
    assert sum(bar.count for bar in bars) == len(shares)
    assert 1 <= len(bars) <= 14


def test_times_fall_into_bins() -> None:
    assert [bar.count for bar in time_bars([0.01, 0.03, 2.9, 30])] == [1, 1, 0, 0, 1, 0, 1]


@pytest.mark.parametrize("verdicts", [[], [Verdict.PASSED]])
def test_shares_of_little(verdicts: list[Verdict]) -> None:
    assert [share.percent for share in verdict_shares(Counter(verdicts))] == [100.0] * len(verdicts)


def test_shares_lie_side_by_side_the_passed_first() -> None:
    shares = verdict_shares(Counter([Verdict.CRASH, *[Verdict.TIMEOUT] * 2, Verdict.PASSED]))
    assert [(share.verdict, share.start, share.percent) for share in shares] == [
        (Verdict.PASSED, 0, 25),
        (Verdict.TIMEOUT, 25, 50),
        (Verdict.CRASH, 75, 25),
    ]


def statistics(test: str, passed: float, discrimination: float | None) -> TestStatistics:
    return TestStatistics(
        test=test,
        count=9,
        passed=passed,
        discrimination=discrimination,
        median_seconds=None,
        longest_seconds=None,
    )


def test_tests_by_difficulty_and_discrimination() -> None:
    chart = difficulty_chart([statistics("a", 0.5, 0.25), statistics("b", 1.0, None), statistics("c", 0.25, 1.0)])
    assert [(point.x, point.y, point.cells) for point in chart.points] == [
        (50.0, 25.0, ("a", "50 %", "0.25")),
        (25.0, 100.0, ("c", "25 %", "1.00")),
    ]
    assert [tick.label for tick in chart.y_ticks] == ["0", "0.25", "0.5", "0.75", "1"]
    below = difficulty_chart([statistics("a", 0.5, -1.0), statistics("b", 0.5, 0.0)])
    assert [point.y for point in below.points] == [0.0, 50.0]
    assert [tick.label for tick in below.y_ticks] == ["−1", "−0.5", "0", "0.5", "1"]


def handed_in(student: str, hours: float, manual: ManualMarks = MARKED) -> StudentResult:
    return row(student, late=timedelta(hours=hours), manual=manual)


def test_students_by_time_and_mark() -> None:
    rows = (handed_in("early", -30), handed_in("on-time", 0), handed_in("late", 2), handed_in("open", 1, ManualMarks()))
    chart = due_date_chart(replace(CLASS, rows=rows))
    assert [point.cells[:2] for point in chart.points] == [
        ("early", "1.2 d before"),
        ("on-time", "at the due date"),
        ("late", "2 h late"),
    ]
    places = {tick.label: tick.place for tick in chart.x_ticks}
    assert list(places) == ["−1 w", "−1 d", "−1 h", "due", "+1 h", "+1 d"]
    early, on_time, late = chart.points
    assert places["−1 w"] == 0.0 < early.x < places["−1 d"]
    assert on_time.x == places["due"]
    assert places["+1 h"] < late.x < places["+1 d"] == 100.0
    assert late.y < early.y == on_time.y


@given(st.lists(st.floats(-2000, 2000), min_size=2, max_size=4))
def test_no_label_of_the_times_is_over_another(hours: list[float]) -> None:
    rows = tuple(handed_in(f"student-{number}", late) for number, late in enumerate(hours))
    places = [tick.place for tick in due_date_chart(replace(CLASS, rows=rows)).x_ticks]
    assert all(after - before >= 9 for before, after in pairwise(places))


def test_attempts_of_a_student_are_joined() -> None:
    attempts = (AttemptPoints(1, Decimal(0)), AttemptPoints(3, Decimal("4.75")))
    rows = (replace(handed_in("ann", 0), attempts=attempts), handed_in("bob", 0))
    chart = attempts_chart(replace(CLASS, rows=rows))
    assert [(point.x, point.cells) for point in chart.points] == [
        (0.0, ("ann", "1", "0")),
        (100.0, ("ann", "3", "4.75")),
    ]
    assert chart.lines == [(0, 1)]
    assert [tick.label for tick in chart.x_ticks] == ["1", "2", "3"]


def test_a_class_without_marks_or_attempts_has_no_such_charts() -> None:
    graded = replace(CLASS, rows=(handed_in("open", 1, ManualMarks()),))
    assert not due_date_chart(graded).points
    assert not attempts_chart(graded).points
