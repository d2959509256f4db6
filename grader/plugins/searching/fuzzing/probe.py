"""Plays random sessions with one submission, and finds the first session in which it differs from the reference."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from grader.expected.transcripts import ExpectedTranscripts
from grader.grading.grade_submission import SubmissionGrading, TestSession, open_grading
from grader.grading.result_cache import OutcomeSource
from grader.model.assignment import Assignment, Isolation
from grader.model.judgement import Verdict
from grader.model.program import Program
from grader.model.results import GradedSubmission, TestResult
from grader.model.submission import Submission
from grader.plugins.searching.fuzzing.playing.field import PlayingField, SubmissionPlayer
from grader.plugins.searching.fuzzing.playing.reference import AnsweredTest, ReferencePlayer
from grader.plugins.searching.fuzzing.playing.sessions import RandomSession, played_test


@dataclass(frozen=True, kw_only=True)
class AcceptedSubmission:
    """A submission that passes all tests, and its students.

    The program passes them when read as any of `variants`; it was graded as the first.
    """

    submission: Submission
    students: tuple[str, ...]
    variants: tuple[str, ...]


@dataclass(frozen=True)
class FoundDifference:
    """A session in which a submission differs from the reference, and the judge's result."""

    session: RandomSession
    result: TestResult


@dataclass(frozen=True, kw_only=True)
class ProbedSubmission:
    """The result of a round: the remaining variants, and the first difference, if there is one.

    `played` holds the sessions before it. `unsteady` counts the tests that differed at first, but not when they were
    run again or their calls were made one by one.
    """

    variants: tuple[str, ...]
    played: tuple[RandomSession, ...]
    found: FoundDifference | None
    unsteady: int


@dataclass(frozen=True)
class Probe:
    """A submission to play sessions with, and the reference for comparison."""

    field: PlayingField
    accepted: AcceptedSubmission
    player: SubmissionPlayer
    reference: ReferencePlayer

    def play(self, tests: Sequence[AnsweredTest], goes_on: Callable[[], bool]) -> ProbedSubmission:
        """Play tests until one differs repeatedly, or `goes_on` returns False."""
        variants, unsteady = self.accepted.variants, 0
        played: list[RandomSession] = []
        for test in tests:
            if not goes_on():
                break
            failures = self.player.failures(test)
            if set(variants) - set(failures):
                variants = self._agreeing_variants(test, variants) if set(variants) & set(failures) else variants
            else:
                differing = self._differing(test, variants)
                steady = next(filter(None, (self.again(difference, variants) for difference in differing)), None)
                if steady is not None:
                    return ProbedSubmission(variants=variants, played=tuple(played), found=steady, unsteady=unsteady)
                unsteady += 1
            played += test.played.sessions
        return ProbedSubmission(variants=variants, played=tuple(played), found=None, unsteady=unsteady)

    def _agreeing_variants(self, test: AnsweredTest, variants: tuple[str, ...]) -> tuple[str, ...]:
        """Return the variants in which the submission does not differ when the test is repeated, or else all."""
        failures = self.player.failures(test)
        return tuple(variant for variant in variants if variant not in failures) or variants

    def _differing(self, test: AnsweredTest, variants: Sequence[str]) -> Iterator[AnsweredTest]:
        """Yield the sessions of a test that differ, one by one: calls that are made together are split up."""
        sessions = test.played.sessions
        if len(sessions) == 1:
            yield test
            return
        half = len(sessions) // 2
        for part in (sessions[:half], sessions[half:]):
            for answered in self.reference.answers(played_test(self.field.plan, part)):
                if isinstance(answered, AnsweredTest) and self._differs(answered, variants):
                    yield from self._differing(answered, variants)

    def _differs(self, answered: AnsweredTest, variants: Sequence[str]) -> bool:
        return set(variants) <= set(self.player.failures(answered))

    def differs(self, session: RandomSession, variants: Sequence[str]) -> bool:
        """Return whether the submission differs from the reference in a session, in all of these variants."""
        answered = self.reference.answer(session)
        return isinstance(answered, AnsweredTest) and self._differs(answered, variants)

    def again(self, test: AnsweredTest, variants: Sequence[str]) -> FoundDifference | None:
        """Return the difference in a test of one session, if it is the same when both programs run two more times."""
        first, second = self._played_again(test, variants), self._played_again(test, variants)
        if first is None or second is None or not _is_same_failure(first, second):
            return None
        return FoundDifference(test.played.sessions[0], first)

    def _played_again(self, test: AnsweredTest, variants: Sequence[str]) -> TestResult | None:
        """Return the failure when both programs play a test again, or None if it vanished or the reference changed."""
        with ExitStack() as stack:
            reference = stack.enter_context(self.field.reference(Isolation.FRESH_PROCESS))
            answered = reference.answer(test.played.sessions[0])
            if not isinstance(answered, AnsweredTest) or answered.answers != test.answers:
                return None
            player = stack.enter_context(self.field.player(self.accepted.submission))
            failures = player.failures(answered)
        return failures[variants[0]]() if set(variants) <= set(failures) else None


def _is_same_failure(first: TestResult, second: TestResult) -> bool:
    """Return whether a program failed twice in the same way; outputs are only compared if the output is wrong."""
    causes = [result.judgement.diagnosis and result.judgement.diagnosis.cause.id for result in (first, second)]
    if first.verdict is not second.verdict or causes[0] != causes[1]:
        return False
    if first.verdict is not Verdict.WRONG_OUTPUT or first.outcome is None or second.outcome is None:
        return True
    return (first.outcome.transcript, first.outcome.call) == (second.outcome.transcript, second.outcome.call)


@contextmanager
def open_probe(field: PlayingField, accepted: AcceptedSubmission) -> Iterator[Probe]:
    """Open a probe that plays with a submission and the reference."""
    with field.player(accepted.submission) as player, field.reference() as reference:
        yield Probe(field, accepted, player, reference)


def passing_variants(
    assignment: Assignment,
    program: Program,
    transcripts: ExpectedTranscripts,
    graded: GradedSubmission,
    outcomes: OutcomeSource,
) -> tuple[str, ...]:
    """Return the variants in which an accepted submission passes all tests, its own variant first."""
    chosen = graded.variants[program.file]
    if len(program.variants) == 1:
        return (chosen,)
    [group] = (programs for programs in assignment.variant_groups if program in programs)
    files = {member.file for member in group}
    tests = [test for test in assignment.tests if test.program in files]
    with open_grading(assignment, tests, transcripts, graded.submission, outcomes) as grading:
        sessions = [grading.run(test) for test in grading.tests]
        others = [variant for variant in program.variants if variant != chosen]
        return (chosen, *(variant for variant in others if _passes(grading, sessions, variant)))


def _passes(grading: SubmissionGrading, sessions: Sequence[TestSession], variant: str) -> bool:
    return all(grading.judged_as(session, variant).verdict is Verdict.PASSED for session in sessions)
