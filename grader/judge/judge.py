"""Judges a session by the expected transcript, a checker, or the seal of the expected transcript."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from decimal import Decimal
from typing import TypeAlias

from grader.checkers import ActualOutput, CheckResult, CheckStatus
from grader.checkers.ask import CheckerError
from grader.judge.causes.diagnose import diagnose
from grader.judge.causes.limits import limit_reached
from grader.judge.causes.reading import is_out_of_input, prints_input
from grader.judge.echoed_input import ECHO_NOTE, without_echoed_input
from grader.judge.evidence import FailureEvidence
from grader.judge.found_errors import found_errors
from grader.judge.normalize import normalize
from grader.judge.seal import TranscriptSeal, WrongLine, first_wrong_line
from grader.judge.stack_trace import telling_traceback, traceback_of
from grader.judge.traceback import Traceback, find_traceback, first_traceback, with_frames_of
from grader.model.cause import Cause
from grader.model.general_causes import CHECKER, INTERNAL_ERROR, NEEDS_REVIEW, SEALED
from grader.model.interaction import FunctionCall, is_repl, program_input
from grader.model.judgement import Diagnosis, Judgement, MendedTranscripts, Verdict
from grader.model.outcome import Outcome, Termination
from grader.model.test import CheckerSettings, Test
from grader.text.difference import find_first_difference, lines_of, start_of_differing_line
from grader.text.escape import escape_controls, quote
from grader.text.pattern_words import stands_for
from grader.text.sentence import Sentence, joined, say

_BY_ENDING = {
    Termination.TIMED_OUT: Verdict.TIMEOUT,
    Termination.OUTPUT_LIMIT: Verdict.OUTPUT_LIMIT,
    Termination.SIGNALLED: Verdict.CRASH,
    Termination.CANCELLED: Verdict.INTERNAL_ERROR,
}


def judge(test: Test, expected: str, outcome: Outcome) -> Judgement:
    """Judge `outcome`, whose whole transcript must equal `expected` except for ignored differences.

    Compiler messages are not compared, nor are the stack frames of an exception at Python's prompt.
    """
    is_plain = not test.comparison.patterns
    if outcome.in_build or (is_plain and outcome.transcript == expected):
        return _judge_exactly(test, expected, outcome)
    once = without_echoed_input(test, expected, outcome)
    framed = with_frames_of(expected, outcome.transcript) if is_repl(test.interaction) else expected
    normalized = normalize(framed, once or outcome, test.comparison)
    judgement = _judge_exactly(test, normalized.expected, normalized.outcome)
    judgement = _with_marks_explained(judgement, test.comparison.patterns)
    notes = ((ECHO_NOTE,) if once else ()) + normalized.notes
    mended = normalized.outcome
    is_as_it_was = (normalized.expected, mended.transcript) == (expected, outcome.transcript)
    if is_as_it_was and not notes and not normalized.open_texts:
        return judgement
    compared = MendedTranscripts(normalized.expected, mended.transcript, mended.typed, normalized.open_texts)
    return replace(judgement, notes=notes, mended=compared)


def _with_marks_explained(judgement: Judgement, patterns: Mapping[str, str]) -> Judgement:
    """Return the judgement with an explanation of the pattern names in the expected line that differs."""
    divergence, diagnosis = judgement.divergence, judgement.diagnosis
    if divergence is None or diagnosis is None or divergence.expected is None:
        return judgement
    marks = {f"<<{name}>>": pattern for name, pattern in patterns.items() if f"<<{name}>>" in divergence.expected}
    if not marks:
        return judgement
    meanings = [say("{mark} stands for {words}", mark=mark, words=stands_for(marks[mark])) for mark in marks]
    sentence = say("{said:clause} ({meanings}).", said=diagnosis.sentence, meanings=joined(", ", meanings))
    return replace(judgement, diagnosis=replace(diagnosis, sentence=sentence))


def _judge_exactly(test: Test, expected: str, outcome: Outcome) -> Judgement:
    """Judge a transcript that must equal `expected`, character by character."""
    divergence = None if outcome.in_build else find_first_difference(expected, outcome.transcript)
    # An exception on standard error is not part of the transcript, and its exit status is never the required one.
    traceback = _unexpected_traceback(test, expected, outcome) if divergence or outcome.errors else None
    evidence = FailureEvidence(
        test=test, expected=expected, outcome=outcome, divergence=divergence, traceback=traceback
    )
    verdict = _verdict_on_transcript(evidence)
    return Judgement(verdict=verdict, divergence=divergence, diagnosis=_diagnosis_of(verdict, evidence))


def _diagnosis_of(verdict: Verdict, evidence: FailureEvidence) -> Diagnosis | None:
    return None if verdict is Verdict.PASSED else Diagnosis.deferred(lambda: diagnose(evidence))


def _unexpected_traceback(test: Test, expected: str, outcome: Outcome) -> Traceback | None:
    """Return the most informative traceback after the first difference.

    A program ends with its last traceback. Python's prompt continues, so its first traceback causes later ones.
    """
    if outcome.errors:
        return traceback_of(test, outcome.errors)
    transcript = outcome.transcript
    start = start_of_differing_line(expected, transcript)
    if is_repl(test.interaction):
        return first_traceback(transcript, test.program, start, test.provided)
    traceback = traceback_of(test, transcript)
    return traceback if traceback and traceback.offset >= start else None


def _verdict_on_transcript(evidence: FailureEvidence) -> Verdict:
    """Return the verdict if the transcript determines it; a program must not print text that should be typed."""
    verdict = verdict_of(evidence)
    return Verdict.WRONG_OUTPUT if verdict is Verdict.PASSED and prints_input(evidence) else verdict


def verdict_of(evidence: FailureEvidence) -> Verdict:
    """Return the verdict determined by how the program ended and by the first difference."""
    outcome = evidence.outcome
    if outcome.in_build and outcome.ending is not Termination.CANCELLED:
        return Verdict.BUILD_ERROR
    limit = limit_reached(evidence)
    if limit is not None:
        return Verdict(limit.id)
    if found_errors(outcome.error_report):
        return Verdict.RUNTIME_ERROR
    if outcome.ending in _BY_ENDING and not evidence.test.ending.fits(outcome):
        return _BY_ENDING[outcome.ending]
    if evidence.uncaught:
        return _verdict_of_asking_on(evidence) if is_out_of_input(evidence) else Verdict.CRASH
    if evidence.divergence is not None:
        return Verdict.WRONG_OUTPUT
    if not evidence.test.ending.fits(outcome):
        return Verdict.EXIT_STATUS
    return Verdict.PASSED


def _verdict_of_asking_on(evidence: FailureEvidence) -> Verdict:
    """Return the verdict for a program whose only fault is that it asks for more input after all expected output."""
    traceback = evidence.uncaught
    if evidence.divergence is None or isinstance(evidence.test.interaction, FunctionCall):
        # The expected output is not known here, or a function does not return.
        return Verdict.CRASH
    if traceback is None or not evidence.actual.startswith(evidence.expected):
        return Verdict.CRASH
    if evidence.outcome.errors or evidence.actual[: traceback.offset].strip("\n") == evidence.expected.strip("\n"):
        return Verdict.EXIT_STATUS
    return Verdict.WRONG_OUTPUT


AskChecker: TypeAlias = Callable[[CheckerSettings, str, str, ActualOutput], CheckResult]
"""A function that asks a checker about the input, expected output and actual output. Raises CheckerError."""


def judge_by_checker(
    test: Test, checker: CheckerSettings, expected: str, outcome: Outcome, ask: AskChecker
) -> Judgement:
    """Judge how `outcome` ended, as in every test, then ask the checker about the output.

    If the checker fails, takes too long or cannot decide, the test has no verdict (internal-error).
    """
    judgement = judge_ending(test, expected, outcome)
    if judgement.verdict is not Verdict.PASSED or outcome.exit_code is None:
        return judgement
    actual = ActualOutput(outcome.transcript, outcome.errors, outcome.exit_code)
    return ask_about(test, checker, expected, actual, ask)


def judge_ending(test: Test, expected: str, outcome: Outcome) -> Judgement:
    """Judge how `outcome` ended, regardless of its output."""
    # At Python's prompt, an exception may be the right answer.
    allowed = is_repl(test.interaction) and find_traceback(expected, test.program)
    traceback = None if allowed else telling_traceback(test, outcome.errors or outcome.transcript)
    evidence = FailureEvidence(
        test=test, expected=outcome.transcript, outcome=outcome, divergence=None, traceback=traceback, is_compared=False
    )
    verdict = verdict_of(evidence)
    return Judgement(verdict=verdict, diagnosis=_diagnosis_of(verdict, evidence))


def ask_about(test: Test, checker: CheckerSettings, expected: str, actual: ActualOutput, ask: AskChecker) -> Judgement:
    """Ask the checker about `actual` and turn its answer into a judgement."""
    try:
        return judge_answer(ask(checker, program_input(test.interaction), expected, actual), CHECKER)
    except CheckerError as error:
        return Judgement.without_verdict(INTERNAL_ERROR, str(error))


def judge_answer(answer: CheckResult, cause: Cause) -> Judgement:
    """Turn the answer of a checker or interactor, identified by `cause`, into a judgement."""
    reason = escape_controls(answer.reason)
    match answer.status:
        case CheckStatus.UNKNOWN:
            return Judgement.without_verdict(NEEDS_REVIEW, say("A person must decide: {reason}", reason=reason))
        case CheckStatus.WRONG:
            return Judgement(verdict=Verdict.WRONG_OUTPUT, diagnosis=Diagnosis(cause, reason), score=answer.score)
        case CheckStatus.PASSED:
            partly = answer.score is not None and answer.score < Decimal(1)
            return Judgement(
                verdict=Verdict.PASSED, diagnosis=Diagnosis(cause, reason) if partly else None, score=answer.score
            )


def judge_sealed(test: Test, sealed: TranscriptSeal, outcome: Outcome) -> Judgement:
    """Judge how `outcome` ended, then use the seal to find the first wrong line.

    Echoed input counts as wrong here, because the expected transcript is not known.
    """
    wrong = first_wrong_line(sealed, outcome.transcript, test.comparison)
    traceback = _traceback_near(test, outcome, wrong) if wrong else traceback_of(test, outcome.errors)
    # For other causes, the output is treated as expected.
    evidence = FailureEvidence(
        test=test, expected=outcome.transcript, outcome=outcome, divergence=None, traceback=traceback
    )
    verdict = verdict_of(evidence) if wrong else _verdict_on_transcript(evidence)
    if wrong is None:
        return Judgement(verdict=verdict, diagnosis=_diagnosis_of(verdict, evidence))
    if verdict not in (Verdict.PASSED, Verdict.EXIT_STATUS):
        return Judgement(verdict=verdict, diagnosis=_diagnosis_of(verdict, evidence), wrong_line=wrong.number)
    diagnosis = Diagnosis(SEALED, _sealed_sentence(wrong, outcome.transcript))
    return Judgement(verdict=Verdict.WRONG_OUTPUT, diagnosis=diagnosis, wrong_line=wrong.number)


def _traceback_near(test: Test, outcome: Outcome, wrong: WrongLine) -> Traceback | None:
    """Return the most informative traceback, which at Python's prompt is the first one from the wrong line onwards."""
    if not is_repl(test.interaction):
        return traceback_of(test, outcome.errors or outcome.transcript)
    before = lines_of(outcome.transcript)[: wrong.number - 1]
    start = sum(len(line) + 1 for line in before)
    return first_traceback(outcome.transcript, test.program, start, test.provided)


def _sealed_sentence(wrong: WrongLine, transcript: str) -> Sentence:
    if wrong.is_missing:
        return say("All lines are right, but line {line} is missing; what is expected is sealed.", line=wrong.number)
    values = {"line": wrong.number, "text": quote(lines_of(transcript)[wrong.number - 1])}
    if wrong.is_too_much:
        return say("All lines before line {line}, {text}, are right; nothing is expected after them.", **values)
    return say("Line {line}, {text}, is the first wrong one; what is expected is sealed.", **values)
