"""The verdicts that come of a checker's answer, and of how the program ended."""

from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from grader.checkers.ask import ask
from grader.judge.judge import judge_by_checker
from grader.model.interaction import StdinRun
from grader.model.judgement import Verdict
from grader.model.outcome import Outcome, Termination
from grader.model.test import CheckerSettings
from tests.building import TEST

CHECKED = replace(
    TEST,
    program="x.py",
    points=Decimal(4),
    interaction=StdinRun("in.txt", "question"),
)
TRACEBACK = 'Traceback (most recent call last):\n  File "x.py", line 3, in <module>\n    f()\nKeyError: 3\n'


def ended(output: str, errors: str = "", ending: Termination = Termination.EXITED, code: int | None = 0) -> Outcome:
    return Outcome(
        transcript=output,
        typed=(),
        ending=ending,
        exit_code=code,
        signal=None,
        unsent=0,
        wall_seconds=0.1,
        cpu_seconds=0.1,
        errors=errors,
    )


@pytest.mark.parametrize(
    ("answer", "verdict", "cause", "score"),
    [
        ("passed()", Verdict.PASSED, None, None),
        ("passed('slow', 0.5)", Verdict.PASSED, "checker", Decimal("0.5")),
        ("wrong('no')", Verdict.WRONG_OUTPUT, "checker", None),
        ("wrong('nearly', 0.25)", Verdict.WRONG_OUTPUT, "checker", Decimal("0.25")),
        ("unknown('hard')", Verdict.INTERNAL_ERROR, "needs-review", None),
        ("1 / 0", Verdict.INTERNAL_ERROR, "internal-error", None),
        ("passed() if input + actual.stdout == 'questionanswer' else wrong('')", Verdict.PASSED, None, None),
    ],
)
def test_what_comes_of_an_answer(
    tmp_path: Path, answer: str, verdict: Verdict, cause: str | None, score: Decimal | None
) -> None:
    file = tmp_path / "c.py"
    file.write_text(
        f"from grader.checkers import passed, unknown, wrong\ndef check(input, expected, actual):\n return {answer}\n"
    )
    judgement = judge_by_checker(CHECKED, CheckerSettings("c", file, ()), "", ended("answer"), ask)
    assert judgement.verdict is verdict
    assert (judgement.diagnosis.cause.id if judgement.diagnosis else None) == cause
    assert judgement.score == score
    assert judgement.needs_review == (cause == "needs-review")


@pytest.mark.parametrize(
    ("outcome", "verdict"),
    [
        (ended("", TRACEBACK, code=1), Verdict.CRASH),
        (ended("", ending=Termination.TIMED_OUT, code=None), Verdict.TIMEOUT),
        (ended("", ending=Termination.OUTPUT_LIMIT, code=None), Verdict.OUTPUT_LIMIT),
        (ended("", code=3), Verdict.EXIT_STATUS),
    ],
)
def test_a_program_that_ends_badly_is_not_shown_to_the_checker(outcome: Outcome, verdict: Verdict) -> None:
    judgement = judge_by_checker(CHECKED, CheckerSettings("missing", Path("missing.py"), ()), "", outcome, ask)
    assert judgement.verdict is verdict
    assert judgement.diagnosis is not None
