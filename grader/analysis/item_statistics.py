"""Statistics for each test in a class: how hard it is, how well it separates submissions, and how long it takes.

Also computes the confidence interval of a proportion observed in a small sample.
"""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from operator import sub
from statistics import NormalDist, StatisticsError, correlation, median

from grader.model.judgement import Verdict
from grader.model.results import GradedSubmission, TestResult

_CONFIDENCE = 0.95


@dataclass(frozen=True, kw_only=True)
class TestStatistics:
    """Statistics for one test over `count` submissions.

    `passed` is the proportion of submissions that passed it (the item's difficulty). `discrimination` is the
    correlation, from -1 to 1, between its points and the points for all other tests (corrected item-total correlation).
    Near 0, the test says nothing about the rest of a submission. Below 0, better submissions fail it more often. It is
    None if all submissions have the same points. Times are in seconds, and None if the test was never run.
    """

    test: str
    count: int
    passed: float
    discrimination: float | None
    median_seconds: float | None
    longest_seconds: float | None


def _empty_array() -> "array[float]":
    return array("d")


@dataclass(frozen=True)
class _Column:
    """The data for one test, with a number per submission; `seconds` only covers submissions that ran the test."""

    test: str
    points: "array[float]" = field(default_factory=_empty_array)
    passed: bytearray = field(default_factory=bytearray)
    seconds: "array[float]" = field(default_factory=_empty_array)

    def add(self, result: TestResult, points: float) -> None:
        """Add a submission."""
        self.points.append(points)
        self.passed.append(result.verdict is Verdict.PASSED)
        if result.outcome:
            self.seconds.append(result.outcome.wall_seconds)


def item_statistics(submissions: Iterable[GradedSubmission]) -> tuple[TestStatistics, ...]:
    """Return statistics for each test, in the order of the tests.

    Submissions that have no files, or a test that must be run again, are left out.
    """
    counted = (
        submission
        for submission in submissions
        if submission.submission.files and not submission.needs_rerun and submission.results
    )
    columns: list[_Column] = []
    totals = array("d")
    worth: Mapping[str, float] = {}
    for submission in counted:
        if not columns:
            worth = _worth_in_groups(submission)
            columns = [_Column(result.test.id) for result in submission.results]
        points = [_points(result, worth) for result in submission.results]
        totals.append(sum(points))
        for column, result, points_of_test in zip(columns, submission.results, points, strict=True):
            column.add(result, points_of_test)
    return tuple(_test_statistics(column, totals) for column in columns)


def _worth_in_groups(graded: GradedSubmission) -> dict[str, float]:
    """Return the points for each test of a group by id, as if the tests shared the group's points equally."""
    return {test: float(group.group.points) / len(group.tests) for group in graded.groups for test in group.tests}


def _points(result: TestResult, worth: Mapping[str, float]) -> float:
    share_of_group = worth.get(result.test.id)
    return float(result.earned) if share_of_group is None else share_of_group * float(result.share)


def _test_statistics(column: _Column, totals: Sequence[float]) -> TestStatistics:
    # For a test without points, use whether it was passed.
    scores = column.points if any(column.points) else array("d", map(float, column.passed))
    others = array("d", map(sub, totals, column.points))
    return TestStatistics(
        test=column.test,
        count=len(totals),
        passed=sum(column.passed) / len(totals),
        discrimination=_correlation(scores, others),
        median_seconds=median(column.seconds) if column.seconds else None,
        longest_seconds=max(column.seconds, default=None),
    )


def _correlation(first: Sequence[float], second: Sequence[float]) -> float | None:
    try:
        return correlation(first, second)
    except StatisticsError:
        return None


@dataclass(frozen=True)
class ProportionInterval:
    """The 95 % confidence interval of a proportion, with bounds from 0 to 1."""

    low: float
    high: float


def wilson_interval(count: int, total: int) -> ProportionInterval:
    """Return Wilson's score interval for `count` out of `total` cases; without cases, the interval from 0 to 1.

    Assumes that the cases were drawn independently.
    """
    if not total:
        return ProportionInterval(0.0, 1.0)
    z, share = NormalDist().inv_cdf((1 + _CONFIDENCE) / 2), count / total
    weight = 1 + z * z / total
    middle = (share + z * z / (2 * total)) / weight
    margin = z * sqrt(share * (1 - share) / total + z * z / (4 * total**2)) / weight
    # A bound of 0 or 1 is exact, without rounding errors.
    return ProportionInterval(middle - margin if count else 0.0, middle + margin if count < total else 1.0)
