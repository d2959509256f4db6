"""Judges one session against one expected transcript."""

from grader.judge.diagnose import diagnose
from grader.judge.divergence import Divergence, find_divergence
from grader.judge.evidence import Evidence
from grader.judge.judgement import Judgement
from grader.judge.traceback import find_traceback
from grader.judge.verdict import Verdict
from grader.run.outcome import Ending, Outcome
from grader.spec.assignment import Test

_BY_ENDING = {
    Ending.TIMED_OUT: Verdict.TIMEOUT,
    Ending.OUTPUT_LIMIT: Verdict.OUTPUT_LIMIT,
    Ending.SIGNALLED: Verdict.CRASH,
    Ending.CANCELLED: Verdict.INTERNAL_ERROR,
}


def judge(test: Test, expected: str, outcome: Outcome) -> Judgement:
    """The verdict on `outcome`; the whole transcript must equal `expected`, character by character."""
    divergence = find_divergence(expected, outcome.transcript)
    traceback = None if expected == outcome.transcript else find_traceback(outcome.transcript, test.program)
    evidence = Evidence(test, expected, outcome, divergence, traceback)
    verdict = _verdict(evidence, divergence)
    return Judgement(verdict, divergence, None if verdict is Verdict.PASSED else diagnose(evidence))


def _verdict(evidence: Evidence, divergence: Divergence | None) -> Verdict:
    outcome = evidence.outcome
    if outcome.ending in _BY_ENDING:
        return _BY_ENDING[outcome.ending]
    if evidence.traceback:
        return Verdict.MEMORY_LIMIT if evidence.traceback.error == "MemoryError" else Verdict.CRASH
    if divergence is not None:
        return Verdict.WRONG_OUTPUT
    if outcome.ending is Ending.KEEPS_READING or outcome.exit_code != evidence.test.exit_status:
        return Verdict.EXIT_STATUS
    return Verdict.PASSED
