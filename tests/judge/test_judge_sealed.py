"""Sealed tests: verdicts, and what the student is told."""

from dataclasses import replace

import pytest

from grader.judge.causes.ending import EXIT_STATUS
from grader.judge.causes.exceptions import CRASH
from grader.judge.judge import judge_sealed
from grader.judge.seal import seal
from grader.model.cause import Cause
from grader.model.general_causes import SEALED
from grader.model.judgement import Judgement, Verdict
from grader.model.outcome import Termination
from grader.plugins.error_reports.causes import UNDEFINED_BEHAVIOUR
from tests.judge.sessions import exited, game

EXPECTED = "Number: 4\nDouble: 8\n"
SEAL = seal(EXPECTED, game().comparison)


def judged(transcript: str, **changes: object) -> Judgement:
    outcome = exited(game(), transcript)
    return judge_sealed(game(), SEAL, replace(outcome, **changes))  # type: ignore[arg-type]


def said(judgement: Judgement) -> tuple[Verdict, Cause, str]:
    assert judgement.diagnosis is not None
    return judgement.verdict, judgement.diagnosis.cause, judgement.diagnosis.sentence


def test_a_right_transcript_passes() -> None:
    assert judged(EXPECTED) == Judgement(verdict=Verdict.PASSED)


@pytest.mark.parametrize(
    ("transcript", "sentence"),
    [
        ("Number: 4\nDouble: 9\n", "Line 2, `Double: 9`, is the first wrong one; what is expected is sealed."),
        ("Number: 4\n", "All lines are right, but line 2 is missing; what is expected is sealed."),
        (f"{EXPECTED}\n", "All lines before line 3, a blank line, are right; nothing is expected after them."),
    ],
)
def test_the_first_wrong_line_is_named(transcript: str, sentence: str) -> None:
    assert said(judged(transcript)) == (Verdict.WRONG_OUTPUT, SEALED, sentence)


def test_the_wrong_line_counts_where_another_variant_is_looked_for() -> None:
    assert judged("Number: 4\nDouble: 9\n").wrong_line == 2


def test_how_it_ended_comes_first() -> None:
    trace = 'Number: 4\nTraceback (most recent call last):\n  File "game.py", line 1, in <module>\nKeyError: 1\n'
    verdict, cause, sentence = said(judged(trace, exit_code=1))
    assert (verdict, cause) == (Verdict.CRASH, CRASH)
    assert "KeyError" in sentence
    assert judged("", ending=Termination.TIMED_OUT, exit_code=None).verdict is Verdict.TIMEOUT


def test_an_error_that_a_sanitizer_found_comes_before_what_is_printed() -> None:
    report = "sort.c:9:18: runtime error: division by zero\n"
    for transcript in (EXPECTED, "Number: 5\n"):
        verdict, cause, sentence = said(judged(transcript, error_report=report))
        assert (verdict, cause) == (Verdict.RUNTIME_ERROR, UNDEFINED_BEHAVIOUR)
        assert sentence == "The program does what is undefined (division by zero), in line 9 of `sort.c`."


def test_the_exit_status_counts_when_the_output_is_right() -> None:
    assert said(judged(EXPECTED, exit_code=3))[:2] == (Verdict.EXIT_STATUS, EXIT_STATUS)
    assert judged("Number: 5\n", exit_code=3).verdict is Verdict.WRONG_OUTPUT
