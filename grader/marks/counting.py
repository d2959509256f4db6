"""Determines which tests of a submission count, and how much its groups of tests earn.

A test that requires another test earns nothing if that test failed, and has no verdict while that test has none. Every
report recalculates this, so a person's decision on a required test also affects the tests that require it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from grader.model.counting import GroupCount, GroupResult, TestGroup
from grader.model.general_causes import REQUIRED_TEST
from grader.model.judgement import Judgement, NoteKind, Verdict
from grader.model.results import GradedSubmission, TestResult
from grader.text.sentence import say


def counted(graded: GradedSubmission, groups: Sequence[TestGroup]) -> GradedSubmission:
    """Return `graded` with required tests and the results of `groups` applied."""
    graded = graded.with_results(with_required_tests)
    return replace(graded, groups=group_results(graded.results, groups)) if groups or graded.groups else graded


def earned_points(results: Sequence[TestResult], groups: Sequence[TestGroup]) -> Fraction:
    """Return the exact points of `results`; groups only count the tests in `results`."""
    counting = with_required_tests(results)
    earned = (*(result.earned for result in counting), *(result.earned for result in group_results(counting, groups)))
    return sum(earned, Fraction(0))


def with_required_tests(results: Sequence[TestResult]) -> tuple[TestResult, ...]:
    """Return the results, each with the required tests that block it. A test that was not run does not block others."""
    by_id = {result.test.id: result for result in results}
    return tuple(_gated(result, by_id) if result.test.counting.requires else result for result in results)


def _gated(result: TestResult, by_id: Mapping[str, TestResult]) -> TestResult:
    if result.overruled is not None or result.verdict in (Verdict.MISSING_FILE, Verdict.NOT_RUN):
        return result
    required = [by_id[test] for test in _required(result, by_id)]
    open_tests = [other.test.id for other in required if other.verdict is Verdict.INTERNAL_ERROR]
    failed = tuple(other.test.id for other in required if other.verdict not in (Verdict.PASSED, Verdict.INTERNAL_ERROR))
    if failed:
        # The note about partial credit mentions points that are not earned.
        notes = tuple(note for note in result.judgement.notes if note.kind is not NoteKind.PARTIAL_CREDIT)
        return replace(result, barred_by=failed, judgement=replace(result.judgement, notes=notes))
    if not open_tests:
        return replace(result, barred_by=())
    if result.verdict is Verdict.INTERNAL_ERROR:
        return result
    sentence = say(
        "This test counts only when {test} passes, and whether it does is not known yet.", test=open_tests[0]
    )
    return replace(result, judgement=Judgement.without_verdict(REQUIRED_TEST, sentence), because=None)


def _required(result: TestResult, by_id: Mapping[str, TestResult]) -> list[str]:
    """Return the tests that must pass for this test to count, nearest first, if they were run."""
    required: dict[str, None] = {}
    waiting = [result]
    for item in waiting:
        new = [test for test in item.test.counting.requires if test in by_id and test not in required]
        required.update(dict.fromkeys(new))
        # A person's decision on a test applies regardless of its required tests.
        waiting += (by_id[test] for test in new if by_id[test].overruled is None)
    return list(required)


def group_results(results: Sequence[TestResult], groups: Sequence[TestGroup]) -> tuple[GroupResult, ...]:
    """Return the results of the groups that have tests in `results`."""
    by_group = ((group, [result for result in results if result.test.counting.group == group.id]) for group in groups)
    return tuple(_group_result(group, members) for group, members in by_group if members)


def _group_result(group: TestGroup, results: Sequence[TestResult]) -> GroupResult:
    tests = tuple(result.test.id for result in results)
    passed = sum(result.verdict is Verdict.PASSED and not result.barred_by for result in results)
    return GroupResult(group, tests, passed, _share(group.count, results))


def _share(count: GroupCount, results: Sequence[TestResult]) -> Fraction:
    shares = [result.share for result in results]
    match count:
        case GroupCount.ALL:
            # A checker can pass a test that earns less than full points.
            passed = (result.verdict is Verdict.PASSED and not result.barred_by for result in results)
            return Fraction(all(ok or share == 1 for ok, share in zip(passed, shares, strict=True)))
        case GroupCount.LEAST:
            return min(shares)
        case GroupCount.BEST:
            return max(shares)
        case GroupCount.SUM:
            weights = [Fraction(result.test.counting.weight) for result in results]
            return sum((weight * share for weight, share in zip(weights, shares, strict=True)), Fraction(0)) / sum(
                weights
            )
