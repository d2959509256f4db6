"""What is different between two runs."""

from dataclasses import replace

import pytest

from grader.grading.result_changes import changes, failure_sign
from grader.judge.causes.text import TEXT
from grader.judge.judge import judge
from grader.model.judgement import Diagnosis, Verdict
from grader.model.results import TestResult
from tests.judge.sessions import exited, game
from tests.reports.graded_example import CLASS

(PASSED,) = CLASS.rows[0].graded.results
(FAILED,) = CLASS.rows[1].graded.results


def with_diagnosis(result: TestResult, diagnosis: Diagnosis) -> TestResult:
    return replace(result, judgement=replace(result.judgement, diagnosis=diagnosis))


OTHERWISE = with_diagnosis(FAILED, Diagnosis(TEXT, "Line 9 is `x`."))


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        (FAILED, PASSED, "newly_passing"),
        (PASSED, FAILED, "newly_failing"),
        (FAILED, OTHERWISE, "otherwise"),
        (FAILED, replace(FAILED, judgement=replace(FAILED.judgement, verdict=Verdict.TIMEOUT)), "otherwise"),
        (FAILED, replace(FAILED, judgement=replace(FAILED.judgement, differences=("x",))), "otherwise"),
    ],
)
def test_a_change_is_of_one_kind(before: TestResult, after: TestResult, kind: str) -> None:
    found = changes({before.test.id: failure_sign(before)}, [after])
    assert {name: value for name, value in vars(found).items() if value} == {kind: (after,)}


def test_what_is_let_pass_and_the_time_it_took_are_no_change() -> None:
    assert PASSED.outcome is not None
    noted = replace(PASSED, judgement=replace(PASSED.judgement, notes=()))
    slower = replace(PASSED, outcome=replace(PASSED.outcome, wall_seconds=9))
    assert not changes({PASSED.test.id: failure_sign(PASSED)}, [noted, slower])
    assert not changes({FAILED.test.id: failure_sign(FAILED)}, [FAILED])


def stopped_in(line: int, code: str) -> TestResult:
    """The failed result of a program that raises an exception in a line."""
    traceback = (
        f'Traceback (most recent call last):\n  File "solitaire_1.py", line {line}, in play\n    {code}\nKeyError: 4\n'
    )
    judgement = judge(game("0"), "Won\n", exited(game("0"), traceback, 1))
    assert judgement.diagnosis
    return with_diagnosis(FAILED, judgement.diagnosis)


def test_lines_added_above_a_crash_are_no_change_but_another_crash_is() -> None:
    before = {FAILED.test.id: failure_sign(stopped_in(12, "wins[4]"))}
    assert not changes(before, [stopped_in(13, "wins[4]")])
    assert changes(before, [stopped_in(12, "deck[4]")]).otherwise


def test_a_test_that_was_not_run_before_has_not_changed() -> None:
    assert not changes({}, [PASSED])
    assert not changes({}, [FAILED])
