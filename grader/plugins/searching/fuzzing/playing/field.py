"""Plays sessions with submissions, alongside the reference."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from functools import partial

from grader.expected.transcripts import ExpectedTranscripts
from grader.grading.grade_submission import SubmissionGrading, as_handed_in, open_grading
from grader.grading.result_cache import OutcomeSource
from grader.model.assignment import Assignment, Isolation
from grader.model.judgement import Verdict
from grader.model.results import TestResult
from grader.model.submission import Submission
from grader.plugins.searching.fuzzing.playing.reference import AnsweredTest, ReferencePlayer, open_reference
from grader.plugins.searching.fuzzing.playing.sessions import SessionPlan
from grader.run.environment import RunEnvironment


@dataclass(frozen=True)
class SubmissionPlayer:
    """A player of sessions with one submission; not thread-safe."""

    grading: SubmissionGrading

    def failures(self, answered: AnsweredTest) -> dict[str, Callable[[], TestResult]]:
        """Return functions for the results that differ from the reference's answers, by variant.

        The result is empty if the grader failed or a person would have to decide, because these cases are not
        differences.
        """
        grading = replace(self.grading, transcripts=answered.transcripts(), judged={})
        [test] = as_handed_in(grading.assignment, grading.submission, [answered.played.test])
        session = grading.run(test)
        verdicts = {variant: grading.judged_as(session, variant).verdict for variant in answered.answers}
        if Verdict.INTERNAL_ERROR in verdicts.values():
            return {}
        failed = [variant for variant, verdict in verdicts.items() if verdict is not Verdict.PASSED]
        return {variant: partial(grading.result, session, variant) for variant in failed}


@dataclass(frozen=True)
class PlayingField:
    """The assignment and the environment in which the sessions of a plan are played."""

    assignment: Assignment
    plan: SessionPlan
    environment: RunEnvironment

    def reference(self, isolation: Isolation | None = None) -> AbstractContextManager[ReferencePlayer]:
        """Open the player of the reference; by default, it is isolated as the assignment specifies."""
        return open_reference(self.assignment, self.plan, self.environment, isolation or self.assignment.isolation)

    @contextmanager
    def player(self, submission: Submission) -> Iterator[SubmissionPlayer]:
        """Open the player of a submission."""
        tests, nothing = [like.test for like in self.plan.templates], ExpectedTranscripts({})
        with open_grading(self.assignment, tests, nothing, submission, OutcomeSource(self.environment)) as grading:
            yield SubmissionPlayer(grading)
