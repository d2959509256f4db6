"""Judges one session against one expected transcript."""

from dataclasses import replace

from grader.judge.diagnose import diagnose
from grader.judge.divergence import find_divergence, start_of_differing_line
from grader.judge.echo import NOTE, without_doubled_echo
from grader.judge.evidence import Evidence
from grader.judge.forgive import forgive
from grader.judge.judgement import Judgement
from grader.judge.limits import limit_reached
from grader.judge.traceback import Traceback, find_traceback, first_traceback
from grader.judge.verdict import Verdict
from grader.run.outcome import Ending, Outcome
from grader.spec.assignment import Start, Test

_BY_ENDING = {
    Ending.TIMED_OUT: Verdict.TIMEOUT,
    Ending.OUTPUT_LIMIT: Verdict.OUTPUT_LIMIT,
    Ending.SIGNALLED: Verdict.CRASH,
    Ending.CANCELLED: Verdict.INTERNAL_ERROR,
}


def judge(test: Test, expected: str, outcome: Outcome) -> Judgement:
    """The verdict on `outcome`; the whole transcript must equal `expected`, as far as the test compares it.

    What a compiler says is not compared with anything.
    """
    if outcome.in_build or outcome.transcript == expected:
        return _judge(test, expected, outcome)
    once = without_doubled_echo(test, expected, outcome)
    forgiven = forgive(expected, once or outcome, test.comparison)
    judgement = _judge(test, expected, forgiven.outcome)
    notes = ((NOTE,) if once else ()) + forgiven.notes
    mended = forgiven.outcome
    if not notes and mended.transcript == outcome.transcript:
        return judgement
    return replace(judgement, notes=notes, mended=mended.transcript, mended_typed=mended.typed)


def _judge(test: Test, expected: str, outcome: Outcome) -> Judgement:
    """The verdict on a transcript that must equal `expected`, character by character."""
    divergence = None if outcome.in_build else find_divergence(expected, outcome.transcript)
    traceback = None if divergence is None else _unexpected_traceback(test, expected, outcome)
    evidence = Evidence(test, expected, outcome, divergence, traceback)
    verdict = verdict_of(evidence)
    return Judgement(verdict, divergence, None if verdict is Verdict.PASSED else diagnose(evidence))


def _unexpected_traceback(test: Test, expected: str, outcome: Outcome) -> Traceback | None:
    """The traceback that tells most, out of those after the first difference.

    A program ends with its last one. Python's prompt goes on, and the first one brings about others.
    """
    if outcome.errors:
        return find_traceback(outcome.errors, test.program)
    transcript = outcome.transcript
    start = start_of_differing_line(expected, transcript)
    if test.start is Start.PROMPT:
        return first_traceback(transcript, test.program, start)
    found = find_traceback(transcript, test.program)
    return found if found and found.offset >= start else None


def verdict_of(evidence: Evidence) -> Verdict:
    """The verdict that the ending of the program and the first difference give."""
    outcome = evidence.outcome
    if outcome.in_build and outcome.ending is not Ending.CANCELLED:
        return Verdict.BUILD_ERROR
    limit = limit_reached(evidence)
    if limit is not None:
        return limit
    if outcome.ending in _BY_ENDING:
        return _BY_ENDING[outcome.ending]
    if evidence.uncaught:
        return Verdict.CRASH
    if evidence.divergence is not None:
        return Verdict.WRONG_OUTPUT
    if outcome.ending is Ending.KEEPS_READING or evidence.test.exit_status not in (None, outcome.exit_code):
        return Verdict.EXIT_STATUS
    return Verdict.PASSED
