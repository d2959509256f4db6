"""How each test works in a class: how hard it is, how well it tells strong from weak submissions, what it takes."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import StatisticsError, correlation, median

from grader.model.judgement import Verdict
from grader.model.results import GradedSubmission, TestResult


@dataclass(frozen=True, kw_only=True)
class TestStatistics:
    """Statistics of one test over `count` submissions.

    `passed` is the share that passed it (the item's difficulty). `discrimination` is the correlation, from -1 to 1,
    of its points with the points of all other tests (corrected item-total correlation): near 0, the test says nothing
    of how good a submission is otherwise; below 0, the better ones fail it. None when all got the same. Times are in
    seconds; None when it was never run.
    """

    test: str
    count: int
    passed: float
    discrimination: float | None
    median_seconds: float | None
    longest_seconds: float | None


def item_statistics(submissions: Sequence[GradedSubmission]) -> tuple[TestStatistics, ...]:
    """The statistics of each test, in the order of the tests.

    Submissions without any file, and those of which a test must be run again, are left out.
    """
    counted = [one for one in submissions if one.submission.files and not one.needs_rerun and one.results]
    if not counted:
        return ()
    totals = [float(sum(result.points for result in one.results)) for one in counted]
    columns = zip(*(one.results for one in counted), strict=True)
    return tuple(_item(results, totals) for results in columns)


def _item(results: Sequence[TestResult], totals: Sequence[float]) -> TestStatistics:
    own = [float(result.points) for result in results]
    # A test without points still tells something: whether it was passed.
    scores = own if any(own) else [float(result.verdict is Verdict.PASSED) for result in results]
    others = [total - points for total, points in zip(totals, own, strict=True)]
    seconds = [result.outcome.wall_seconds for result in results if result.outcome]
    return TestStatistics(
        test=results[0].test.id,
        count=len(results),
        passed=sum(result.verdict is Verdict.PASSED for result in results) / len(results),
        discrimination=_correlation(scores, others),
        median_seconds=median(seconds) if seconds else None,
        longest_seconds=max(seconds, default=None),
    )


def _correlation(first: Sequence[float], second: Sequence[float]) -> float | None:
    try:
        return correlation(first, second)
    except StatisticsError:
        return None
