"""How each test works in a class: how hard it is, how well it tells strong from weak submissions, what it takes."""

from collections.abc import Mapping, Sequence
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
    worth = _worth_in_groups(counted[0])
    points = [[_points(result, worth) for result in one.results] for one in counted]
    totals = [sum(own) for own in points]
    columns = zip(zip(*(one.results for one in counted), strict=True), zip(*points, strict=True), strict=True)
    return tuple(_item(results, own, totals) for results, own in columns)


def _worth_in_groups(graded: GradedSubmission) -> dict[str, float]:
    """The points of a group's tests, as if they shared those of the group equally, by their ids."""
    return {test: float(group.group.points) / len(group.tests) for group in graded.groups for test in group.tests}


def _points(result: TestResult, worth: Mapping[str, float]) -> float:
    own = worth.get(result.test.id)
    return float(result.earned) if own is None else own * float(result.share)


def _item(results: Sequence[TestResult], own: Sequence[float], totals: Sequence[float]) -> TestStatistics:
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
