"""Each cause is named where it should be, and only there, in words that a student understands."""

from dataclasses import replace

import pytest

from grader.model.judgement import Judgement
from grader.plugins.own_tests.causes import BAD_ACCEPTED, GOOD_REFUSED, TESTS_NOT_RUN
from grader.plugins.own_tests.entry import TestOfOwnTests
from grader.plugins.own_tests.interaction import OwnTests, TrialProgram
from grader.plugins.own_tests.judge import judge_own_tests
from grader.plugins.own_tests.trial_result import TrialEnd, TrialResult, reported
from tests.judge.causes.examples import Example
from tests.judge.causes.test_examples import cause_of, refuse_long_words
from tests.judge.sessions import exited, game

TRIED = OwnTests("double.py", (TrialProgram("right.py", ""),), TrialProgram("wrong.py", ""))
TEST_OF_TESTS = replace(game(), title="numbers are squared", interaction=TRIED)


def tried(*ends: TrialEnd) -> Judgement:
    """The judgement on tests that come to these ends with a good program and a bad one."""
    results = [
        TrialResult(number=number, end=end, tests=1, test="test_two", line=5, code="assert double(2) == 5", error="No")
        for number, end in enumerate(ends)
    ]
    return judge_own_tests(TEST_OF_TESTS, TRIED, replace(exited(TEST_OF_TESTS, ""), reported=reported(tuple(results))))


OF_TESTS = (
    Example(
        GOOD_REFUSED,
        tried(TrialEnd.FAILED, TrialEnd.FAILED),
        tried(TrialEnd.PASSED, TrialEnd.FAILED),
        "passed",
    ),
    Example(
        BAD_ACCEPTED,
        tried(TrialEnd.PASSED, TrialEnd.PASSED),
        tried(TrialEnd.PASSED, TrialEnd.ENDLESS),
        "passed",
    ),
    Example(
        TESTS_NOT_RUN,
        tried(TrialEnd.NO_TESTS, TrialEnd.NO_TESTS),
        tried(TrialEnd.FAILED, TrialEnd.NO_TESTS),
        "good-refused",
    ),
)


@pytest.mark.parametrize("example", OF_TESTS, ids=lambda example: example.cause.id)
def test_tests_show_the_cause_and_close_ones_do_not(example: Example) -> None:
    assert (cause_of(example.shows), cause_of(example.close)) == (example.cause.id, example.instead)
    assert example.shows.diagnosis is not None
    refuse_long_words(example.shows.diagnosis.sentence)


def test_every_cause_has_one_example() -> None:
    assert {example.cause for example in OF_TESTS} == set(TestOfOwnTests.causes)
