"""Which tests count, what groups earn, and that nothing is lost when points are added."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.marks.counting import counted, earned_points
from grader.model.amount import amount, as_decimal, settled
from grader.model.counting import Counting, GroupCount, TestGroup
from grader.model.general_causes import NEEDS_REVIEW, REQUIRED_TEST
from grader.model.judgement import Judgement, Verdict
from grader.model.mark import InstructorDecision, VerdictOverride
from grader.model.results import GradedSubmission, Overridden, TestResult
from grader.model.submission import Submission, TimeSource
from grader.text.words import format_decimal
from tests.building import TEST

UNHURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
PASSED, FAILED, OPEN = Verdict.PASSED, Verdict.WRONG_OUTPUT, Verdict.INTERNAL_ERROR
SHARES = st.fractions(0, 1, max_denominator=1000)


def result(
    name: str,
    verdict: Verdict = PASSED,
    *,
    score: Fraction | None = None,
    points: str = "1",
    group: str | None = None,
    weight: Decimal = Counting().weight,
    requires: tuple[str, ...] = (),
) -> TestResult:
    counting = Counting(group=group, weight=weight, requires=requires)
    test = replace(TEST, id=name, points=Decimal(points), counting=counting)
    judgement = Judgement(verdict=verdict, score=score)
    if verdict is OPEN:
        judgement = Judgement.without_verdict(NEEDS_REVIEW, "A person must decide.")
    return TestResult(test=test, judgement=judgement, outcome=None, expected="")


def group(count: GroupCount, points: str = "3") -> TestGroup:
    return TestGroup(id="g", title="", part=TEST.part, points=Decimal(points), count=count)


def graded(*results: TestResult, groups: tuple[TestGroup, ...] = ()) -> GradedSubmission:
    submission = Submission(student="s", files=(), submitted=None, time_source=TimeSource.NONE, notes=())
    return counted(GradedSubmission(submission=submission, results=results, variants={}), groups)


def decided(one: TestResult, verdict: Verdict) -> TestResult:
    override = VerdictOverride(one.test.id, verdict, None, InstructorDecision("because", "a tutor"))
    return replace(
        one, judgement=replace(one.judgement, verdict=verdict), overruled=Overridden(override, one.judgement)
    )


def test_a_test_earns_nothing_when_a_required_one_failed() -> None:
    found = graded(result("start", FAILED), result("game", requires=("start",)), result("other"))
    assert [one.points for one in found.results] == [0, 0, 1]
    assert found.results[1].why_not_counted == "Does not count: the test start did not pass."
    assert found.results[1].verdict is PASSED, "what came of it is still shown"
    assert found.raw == found.part_points(TEST.part) == 1


def test_a_test_counts_when_the_required_ones_passed_or_were_not_run() -> None:
    found = graded(result("start"), result("game", requires=("start", "elsewhere")))
    assert found.raw == 2
    assert found.results[1].why_not_counted is None


def test_required_tests_are_required_along_the_way() -> None:
    found = graded(result("build", FAILED), result("start", requires=("build",)), result("game", requires=("start",)))
    assert [one.barred_by for one in found.results] == [(), ("build",), ("build",)]
    assert found.raw == 0


def test_all_failed_tests_are_named() -> None:
    found = graded(result("a", FAILED), result("b", FAILED), result("game", requires=("a", "b")))
    assert found.results[2].why_not_counted == "Does not count: the tests a, b did not pass."


def test_what_has_no_verdict_bars_nothing_and_leaves_open_what_requires_it() -> None:
    found = graded(result("start", OPEN), result("game", requires=("start",)))
    game = found.results[1]
    assert (game.verdict, game.barred_by) == (OPEN, ())
    assert game.judgement.diagnosis is not None
    assert game.judgement.diagnosis.cause == REQUIRED_TEST
    assert game.judgement.waits_for_another
    assert found.needs_rerun, "so there is no mark that it could lower"


def test_a_failed_required_test_settles_it_whatever_else_is_open() -> None:
    found = graded(result("a", OPEN), result("b", FAILED), result("game", requires=("a", "b")))
    assert (found.results[2].verdict, found.results[2].barred_by) == (PASSED, ("b",))


def test_a_decision_on_a_required_test_holds_for_those_that_require_it() -> None:
    start = decided(result("start", FAILED, requires=("build",)), PASSED)
    found = graded(result("build", FAILED), start, result("game", requires=("start",)))
    assert [one.points for one in found.results] == [0, 1, 1]


def test_counting_twice_changes_nothing() -> None:
    once = graded(result("start", FAILED), result("game", requires=("start",)))
    assert counted(once, ()) == once


def test_a_missing_program_is_told_once() -> None:
    found = graded(result("start", Verdict.MISSING_FILE), result("game", Verdict.MISSING_FILE, requires=("start",)))
    assert found.results[1].why_not_counted is None
    assert found.results[1].points == 0


def test_a_long_net_of_required_tests_is_walked_once() -> None:
    levels = [
        result(f"{level}{side}", requires=(f"{level - 1}a", f"{level - 1}b") if level else ())
        for level in range(60)
        for side in "ab"
    ]
    assert graded(*levels).raw == 120


@pytest.mark.parametrize(
    ("count", "points"),
    [(GroupCount.ALL, "0"), (GroupCount.SUM, "2"), (GroupCount.LEAST, "0"), (GroupCount.BEST, "3")],
)
def test_how_a_group_counts(count: GroupCount, points: str) -> None:
    own = [
        result(name, verdict, points="0", group="g") for name, verdict in (("a", PASSED), ("b", PASSED), ("c", FAILED))
    ]
    found = graded(*own, result("alone"), groups=(group(count),))
    assert found.groups[0].points == Decimal(points)
    assert (found.groups[0].tests, found.groups[0].passed) == (("a", "b", "c"), 2)
    assert found.raw == found.part_points(TEST.part) == Decimal(points) + 1


@pytest.mark.parametrize(("count", "share"), [("all", "0"), ("sum", "5/8"), ("least", "1/4"), ("best", "1")])
def test_shares_in_a_group(count: str, share: str) -> None:
    own = result("a", FAILED, score=Fraction(1, 4), points="0", group="g"), result("b", points="0", group="g")
    assert graded(*own, groups=(group(GroupCount(count)),)).groups[0].share == Fraction(share)


def test_a_test_that_passes_with_a_part_of_its_points_passes_in_a_group() -> None:
    own = result("a", PASSED, score=Fraction(4, 5), points="0", group="g"), result("b", points="0", group="g")
    found = graded(*own, groups=(group(GroupCount.ALL),)).groups[0]
    assert (found.passed, found.share) == (2, Fraction(1))


def test_weights_in_a_group() -> None:
    heavy = result("a", points="0", group="g", weight=Decimal("2.5"))
    light = result("b", FAILED, points="0", group="g", weight=Decimal("0.5"))
    assert graded(heavy, light, groups=(group(GroupCount.SUM),)).raw == Decimal("2.5")


def test_a_test_that_does_not_count_earns_nothing_in_its_group() -> None:
    own = result("a", points="0", group="g"), result("b", points="0", group="g", requires=("start",))
    found = graded(result("start", FAILED, points="0"), *own, groups=(group(GroupCount.ALL),))
    assert found.raw == 0
    assert found.groups[0].passed == 1


def test_a_group_without_tests_here_is_not_shown() -> None:
    assert graded(result("a"), groups=(group(GroupCount.BEST),)).groups == ()


@UNHURRIED
@given(points=st.decimals("0.0001", 1000, places=4), count=st.integers(1, 200), data=st.data())
def test_equal_shares_add_up_exactly(points: Decimal, count: int, data: st.DataObject) -> None:
    passing = data.draw(st.integers(0, count))
    each = amount(Fraction(points) / count)
    results = [
        replace(one, test=replace(one.test, points=each))
        for one in (result(f"t{index}", PASSED if index < passing else FAILED) for index in range(count))
    ]
    assert earned_points(results, ()) == Fraction(points) * passing / count
    assert passing < count or graded(*results).raw == points


@UNHURRIED
@given(
    count=st.sampled_from(GroupCount),
    shares=st.lists(SHARES, min_size=1, max_size=8),
    weights=st.lists(st.decimals("0.0001", 100, places=4), min_size=8, max_size=8),
    points=st.decimals("0.0001", 1000, places=4),
)
def test_groups_earn_between_nothing_and_their_points(
    count: GroupCount, shares: list[Fraction], weights: list[Decimal], points: Decimal
) -> None:
    def earned(given_shares: list[Fraction]) -> Fraction:
        own = (
            result(f"t{index}", FAILED, score=share, points="0", group="g", weight=weight)
            for index, (share, weight) in enumerate(zip(given_shares, weights, strict=False))
        )
        return earned_points(list(own), (group(count, str(points)),))

    assert 0 <= earned(shares) <= Fraction(points)
    assert earned([Fraction(1)] * len(shares)) == Fraction(points)
    assert earned([Fraction(0)] * len(shares)) == 0
    better = [*shares[:-1], Fraction(1)]
    assert earned(better) >= earned(shares), "a better test never costs points"
    in_order = [GroupCount.ALL, GroupCount.LEAST, count, GroupCount.BEST]
    own = [result(f"t{index}", FAILED, score=share, points="0", group="g") for index, share in enumerate(shares)]
    sums = [earned_points(own, (group(one, str(points)),)) for one in in_order]
    assert sums[0] <= sums[1] <= sums[3]
    assert sums[0] <= sums[2] <= sums[3]


@given(st.fractions(0, 10_000))
def test_a_decimal_is_as_close_as_rounding_can_see(value: Fraction) -> None:
    assert abs(Fraction(as_decimal(value)) - value) < Fraction(1, 10**19)


@given(st.decimals(0, 10_000, places=12))
def test_what_has_an_end_stays_as_it_is(value: Decimal) -> None:
    assert as_decimal(Fraction(value)) == settled(value) == value


@pytest.mark.parametrize(
    ("value", "text"), [("1/3", "0.3333"), ("2/3", "0.6667"), ("1/8", "0.125"), ("20/7", "2.8571")]
)
def test_shares_are_told_to_four_places(value: str, text: str) -> None:
    assert format_decimal(Fraction(value)) == format_decimal(as_decimal(Fraction(value))) == text
