"""Runs mutants through the tests of an assignment."""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from grader.audit.mutant import Mutant
from grader.expected.transcripts import Transcripts
from grader.intake.submission import Submission, SubmittedFile, TimeSource
from grader.judge.verdict import Verdict
from grader.pipeline.grade_submission import grade_submission
from grader.pipeline.outcomes import Outcomes
from grader.pipeline.results import GradedSubmission
from grader.spec.assignment import Assignment

_SECONDS = 3.0
"""A mutant that takes so long loops for ever: references need a fraction of it."""


@dataclass(frozen=True)
class Trial:
    """A mutant and the tests that it failed; none means that it survived. `unsettled` failed for a fault of ours."""

    mutant: Mutant
    failed: tuple[str, ...]
    unsettled: tuple[str, ...] = ()


def try_mutants(
    assignment: Assignment,
    mutants: Sequence[Mutant],
    transcripts: Transcripts,
    outcomes: Outcomes,
    *,
    jobs: int,
    tick: Callable[[], None],
) -> Iterator[Trial]:
    """Run every test of its program on each mutant, `jobs` mutants at a time; `tick` is called after each mutant.

    A mutant is judged like a submission, so it is caught only when it loses a test under the variant that suits it
    best.
    """
    seconds = min(_SECONDS, assignment.limits.wall_seconds)
    hurried = replace(assignment, limits=replace(assignment.limits, wall_seconds=seconds), rules=())

    with tempfile.TemporaryDirectory(prefix="grader-audit-") as folder, ThreadPoolExecutor(jobs) as pool:

        def trial(mutant: Mutant) -> Trial:
            graded = _grade(hurried, mutant, transcripts, outcomes, Path(folder))
            tick()
            return _trial(mutant, graded)

        try:
            yield from pool.map(trial, mutants)
        except BaseException:
            outcomes.cancel()
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def _grade(
    assignment: Assignment, mutant: Mutant, transcripts: Transcripts, outcomes: Outcomes, folder: Path
) -> GradedSubmission:
    own = folder / mutant.id
    own.mkdir(exist_ok=True)
    file = own / mutant.program
    file.write_text(mutant.source, encoding="utf-8")
    submission = Submission(mutant.id, (SubmittedFile(mutant.program, file),), None, TimeSource.NONE, ())
    tests = [test for test in assignment.tests if test.program == mutant.program]
    return grade_submission(assignment, tests, transcripts, submission, outcomes, lambda: None)


def _trial(mutant: Mutant, graded: GradedSubmission) -> Trial:
    failed = [result for result in graded.results if result.verdict is not Verdict.PASSED]
    return Trial(
        mutant,
        tuple(result.test.id for result in failed if result.verdict is not Verdict.INTERNAL_ERROR),
        tuple(result.test.id for result in failed if result.verdict is Verdict.INTERNAL_ERROR),
    )
