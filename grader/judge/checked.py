"""Judges a run by what a checker says of its output."""

from collections.abc import Callable
from decimal import Decimal
from typing import TypeAlias

from grader.checkers import Actual, Answer, Say
from grader.checkers.ask import CheckerError
from grader.judge.characters import harmless
from grader.judge.diagnose import diagnose
from grader.judge.diagnosis import Cause, Diagnosis
from grader.judge.evidence import Evidence
from grader.judge.judge import verdict_of
from grader.judge.judgement import Judgement
from grader.judge.traceback import find_traceback
from grader.judge.verdict import Verdict
from grader.run.outcome import Outcome
from grader.spec.assignment import Checker, Test

AskChecker: TypeAlias = Callable[[Checker, str, str, Actual], Answer]
"""Gives what a checker says, from the input, what is expected and what was printed. Raises CheckerError."""


def judge_by_checker(test: Test, checker: Checker, expected: str, outcome: Outcome, ask: AskChecker) -> Judgement:
    """The verdict on `outcome`: how it ended first, as in every test; then what the checker says of the output.

    A checker that fails, takes too long or cannot tell leaves the test without a verdict (internal-error).
    """
    traceback = find_traceback(outcome.errors or outcome.transcript, test.program)
    # The checker judges the output: as far as the other causes are concerned, it is what was expected.
    evidence = Evidence(test, outcome.transcript, outcome, None, traceback)
    verdict = verdict_of(evidence)
    if verdict is not Verdict.PASSED:
        return Judgement(verdict, None, diagnose(evidence))
    assert outcome.exit_code is not None
    question = test.stdin.text if test.stdin else "".join(f"{line}\n" for line in test.lines)
    actual = Actual(outcome.transcript, outcome.errors, outcome.exit_code)
    try:
        return _judgement(ask(checker, question, expected, actual))
    except CheckerError as error:
        return Judgement(Verdict.INTERNAL_ERROR, None, Diagnosis(Cause.INTERNAL_ERROR, str(error)))


def _judgement(answer: Answer) -> Judgement:
    reason = harmless(answer.reason)
    match answer.say:
        case Say.UNKNOWN:
            return Judgement(
                Verdict.INTERNAL_ERROR, None, Diagnosis(Cause.UNDECIDED, f"A person must decide: {reason}")
            )
        case Say.WRONG:
            return Judgement(Verdict.WRONG_OUTPUT, None, Diagnosis(Cause.CHECKER, reason), score=answer.score)
        case Say.PASSED:
            partly = answer.score is not None and answer.score < Decimal(1)
            return Judgement(
                Verdict.PASSED, None, Diagnosis(Cause.CHECKER, reason) if partly else None, score=answer.score
            )
