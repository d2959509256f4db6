"""A called function that prints its input instead of reading it."""

from dataclasses import replace

import pytest

from grader.model.expected_call import ExpectedCall, ExpectedStep
from grader.model.interaction import CallCheck, FunctionCall
from grader.model.judgement import Judgement
from grader.model.outcome import CallResult, Outcome, StepResult, TypedLine
from grader.plugins.function_calls.judge import judge_call
from grader.spec.tests_file import USUAL_CHECKS
from tests.building import TEST
from tests.judge.sessions import exited

ALL = frozenset(USUAL_CHECKS)


def judged(*, unsent: int, checks: frozenset[CallCheck] = ALL) -> Judgement:
    call = FunctionCall(variables={}, setup=(), calls=("ask()",), lines=("x",), checks=checks, cards=None)
    test = replace(TEST, interaction=call)
    session: Outcome = exited(test, "a? x\n")
    typed = () if unsent else (TypedLine(3, "x"),)
    called = CallResult(reached=True, asked=False, steps=(StepResult("x"),), given={})
    outcome = replace(session, typed=typed, unsent=unsent, call=called)
    return judge_call(test, call, ExpectedCall((ExpectedStep("x"),), "a? x\n", {}), outcome)


@pytest.mark.parametrize(("unsent", "verdict"), [(0, "passed"), (1, "wrong-output")])
def test_what_should_be_typed_must_be_read(unsent: int, verdict: str) -> None:
    assert str(judged(unsent=unsent).verdict) == verdict


def test_the_cause_is_told() -> None:
    diagnosis = judged(unsent=1).diagnosis
    assert diagnosis is not None
    assert (diagnosis.cause.id, "never asks for the input `x`" in diagnosis.sentence) == ("unread-input", True)


def test_where_only_the_value_counts_it_need_not_be_read() -> None:
    assert str(judged(unsent=1, checks=frozenset({CallCheck.RETURN_VALUE})).verdict) == "passed"
