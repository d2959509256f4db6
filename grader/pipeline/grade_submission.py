"""Grades one submission: runs its tests, chooses the variant, judges."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from threading import Event

from grader.errors import GraderError
from grader.expected.transcripts import Transcripts
from grader.intake.submission import Submission
from grader.judge.checked import judge_by_checker
from grader.judge.diagnosis import Cause, Diagnosis
from grader.judge.judge import judge
from grader.judge.judgement import Judgement
from grader.judge.verdict import Verdict
from grader.pipeline.results import GradedSubmission, TestResult
from grader.run.bench import Bench
from grader.run.outcome import Outcome
from grader.run.run_test import run_test
from grader.spec.assignment import Assignment, Program, Test


@dataclass(frozen=True)
class Session:
    """A test that was run, or the judgement that says why it was not."""

    test: Test
    outcome: Outcome | None
    settled: Judgement | None


def grade_submission(
    assignment: Assignment,
    tests: Sequence[Test],
    transcripts: Transcripts,
    submission: Submission,
    bench: Bench,
    tick: Callable[[], None],
) -> GradedSubmission:
    """Run `tests` on `submission` and judge them; `tick` is called after each test.

    A failure of ours becomes an internal-error verdict of that test and goes no further.
    """
    sessions = []
    for test in tests:
        sessions.append(_hold_session(assignment, submission, test, bench))
        tick()
    results: dict[str, TestResult] = {}
    variants: dict[str, str] = {}
    for program in assignment.programs:
        own = [session for session in sessions if session.test.program == program.file]
        if own:
            variant, judged = _best_variant(program, own, transcripts, bench.cancelled)
            variants[program.file] = variant
            results.update((result.test.id, result) for result in judged)
    return GradedSubmission(submission, tuple(results[test.id] for test in tests), variants)


def ungraded(submission: Submission, tests: Sequence[Test], error: Exception) -> GradedSubmission:
    """What is left of a submission that could not be graded because of a fault of ours: no test has a verdict yet."""
    sentence = f"The grader failed on this submission: {type(error).__name__}: {error}"
    judgement = Judgement(Verdict.INTERNAL_ERROR, None, Diagnosis(Cause.INTERNAL_ERROR, sentence))
    return GradedSubmission(submission, tuple(TestResult(test, judgement, None, "") for test in tests), {})


def _hold_session(assignment: Assignment, submission: Submission, test: Test, bench: Bench) -> Session:
    missing = _missing(submission, test.program)
    if missing:
        return Session(test, None, Judgement(Verdict.MISSING_FILE, None, Diagnosis(Cause.MISSING_FILE, missing)))
    files = tuple((file.path, file.name) for file in submission.files if os.access(file.path, os.R_OK))
    try:
        return Session(test, run_test(bench, test, files, assignment.limits), None)
    except (GraderError, OSError) as error:
        diagnosis = Diagnosis(Cause.INTERNAL_ERROR, f"The grader could not run this test: {error}")
        return Session(test, None, Judgement(Verdict.INTERNAL_ERROR, None, diagnosis))


def _missing(submission: Submission, program: str) -> str | None:
    file = submission.file(program)
    if file is None:
        return f"There is no file {program} in the submission."
    if not os.access(file.path, os.R_OK):
        return f"The file {program} cannot be read."
    return None


def _best_variant(
    program: Program, sessions: Sequence[Session], transcripts: Transcripts, cancelled: Event
) -> tuple[str, list[TestResult]]:
    """The variant with the most points, one for all tests of the program; the first listed among equals.

    When points are equal, the one whose transcripts agree for longer is taken, so that the report shows the
    student's real mistake.
    """
    judged = {variant: _judge_all(sessions, variant, transcripts, cancelled) for variant in program.variants}
    best = max(program.variants, key=lambda variant: _merit(judged[variant]))
    return best, judged[best]


def _judge_all(
    sessions: Sequence[Session], variant: str, transcripts: Transcripts, cancelled: Event
) -> list[TestResult]:
    results = []
    for session in sessions:
        expected = transcripts.text(session.test, variant)
        judgement = session.settled
        if judgement is None:
            assert session.outcome is not None
            judgement = _judge(session.test, expected, session.outcome, cancelled)
        results.append(TestResult(session.test, judgement, session.outcome, expected))
    return results


def _judge(test: Test, expected: str, outcome: Outcome, cancelled: Event) -> Judgement:
    if test.checker is None:
        return judge(test, expected, outcome)
    return judge_by_checker(test, test.checker, expected, outcome, cancelled)


def _merit(results: Sequence[TestResult]) -> tuple[Decimal, int]:
    points = sum((result.points for result in results), Decimal(0))
    agreeing = sum(result.judgement.divergence.line for result in results if result.judgement.divergence)
    return points, agreeing
