"""Plays random sessions with a single submission, for plugins that change programs."""

from collections.abc import Iterator
from time import monotonic

from grader.errors import GraderError
from grader.expected.transcripts import load_transcripts
from grader.grading.result_cache import OutcomeSource
from grader.model.assignment import Assignment
from grader.model.results import GradedSubmission
from grader.plugins.searching.fuzzing.playing.field import PlayingField
from grader.plugins.searching.fuzzing.probe import AcceptedSubmission, passing_variants
from grader.plugins.searching.fuzzing.search import PlanFindings, PlanSearch, refuse_without_hypothesis
from grader.plugins.searching.fuzzing.session_plan import read_plans
from grader.run.environment import RunEnvironment

_SEED = 1
_SECONDS = 30.0
"""The time for the sessions of a plan on a slow machine."""


def sessions_until_difference(
    assignment: Assignment, graded: GradedSubmission, outcomes: OutcomeSource, most: int
) -> tuple[int, bool]:
    """Play up to `most` random sessions of each plan with a submission that passes all tests.

    Return how many were played, and whether the submission differs from the reference in one of them. Without a plan,
    or without Hypothesis, none is played.
    """
    played = 0
    try:
        for findings in _findings(assignment, graded, outcomes, most):
            played += findings.played
            if findings.differences:
                return played, True
    except GraderError:
        return played, False
    return played, False


def _findings(
    assignment: Assignment, graded: GradedSubmission, outcomes: OutcomeSource, most: int
) -> Iterator[PlanFindings]:
    refuse_without_hypothesis()
    environment = outcomes.environment
    if not isinstance(environment, RunEnvironment):
        return
    transcripts = load_transcripts(assignment, assignment.tests)
    submission = graded.submission
    for plan in read_plans(assignment):
        if submission.file(plan.program.file) is None:
            continue
        variants = passing_variants(assignment, plan.program, transcripts, graded, outcomes)
        start = monotonic()
        yield PlanSearch(
            plan=plan,
            place=PlayingField(assignment, plan, environment),
            accepted=[AcceptedSubmission(submission=submission, students=(submission.student,), variants=variants)],
            most=most,
            seed=_SEED,
            jobs=1,
            clock=monotonic,
            start=start,
            last_start=start + _SECONDS,
            tick=lambda: None,
        ).run()
