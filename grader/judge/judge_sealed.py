"""Judges a session of which only the seal of the expected transcript is known."""

from grader.judge.diagnose import diagnose
from grader.judge.diagnosis import Cause, Diagnosis
from grader.judge.divergence import lines_of
from grader.judge.evidence import Evidence
from grader.judge.judge import verdict_of
from grader.judge.judgement import Judgement
from grader.judge.quote import quote
from grader.judge.seal import Seal, WrongLine, first_wrong_line
from grader.judge.traceback import Traceback, find_traceback, first_traceback
from grader.judge.verdict import Verdict
from grader.run.outcome import Outcome
from grader.spec.assignment import Start, Test


def judge_sealed(test: Test, sealed: Seal, outcome: Outcome) -> Judgement:
    """The verdict on `outcome`: how it ended first, then which line is the first wrong one.

    Unlike with an expected transcript, output that an echoing `input` of the student's own doubled is wrong.
    """
    wrong = first_wrong_line(sealed, outcome.transcript, test.comparison)
    traceback = _traceback(test, outcome, wrong) if wrong else None
    # As far as the other causes are concerned, the output is what was expected.
    evidence = Evidence(test, outcome.transcript, outcome, None, traceback)
    verdict = verdict_of(evidence)
    if wrong is None:
        return Judgement(verdict, None, None if verdict is Verdict.PASSED else diagnose(evidence))
    if verdict not in (Verdict.PASSED, Verdict.EXIT_STATUS):
        return Judgement(verdict, None, diagnose(evidence), wrong_line=wrong.number)
    diagnosis = Diagnosis(Cause.SEALED, _sentence(wrong, outcome.transcript))
    return Judgement(Verdict.WRONG_OUTPUT, None, diagnosis, wrong_line=wrong.number)


def _traceback(test: Test, outcome: Outcome, wrong: WrongLine) -> Traceback | None:
    """The traceback that tells most; python's prompt goes on after one, and may be expected to show some."""
    if test.start is not Start.PROMPT:
        return find_traceback(outcome.errors or outcome.transcript, test.program)
    before = lines_of(outcome.transcript)[: wrong.number - 1]
    return first_traceback(outcome.transcript, test.program, sum(len(line) + 1 for line in before))


def _sentence(wrong: WrongLine, transcript: str) -> str:
    if wrong.is_missing:
        return f"All lines are right, but line {wrong.number} is missing; what is expected is sealed."
    line = quote(lines_of(transcript)[wrong.number - 1])
    if wrong.is_too_much:
        return f"All lines before line {wrong.number}, {line}, are right; nothing is expected after them."
    return f"Line {wrong.number}, {line}, is the first wrong one; what is expected is sealed."
