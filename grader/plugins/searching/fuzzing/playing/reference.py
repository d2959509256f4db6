"""Answers of the reference to sessions, in every accepted variant."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from grader.authoring.generate import ReferenceFaultError, RunReference, expected_text, reference_outcome
from grader.expected.rationale import RuleReasons
from grader.expected.transcripts import ExpectedTranscripts
from grader.grading.grade_submission import possible_isolation
from grader.judge.side_output import ExpectedSideOutput
from grader.model.assignment import Assignment, Isolation
from grader.model.outcome import Outcome
from grader.model.program import Limits
from grader.model.test import Test
from grader.plugins.searching.fuzzing.playing.sessions import PlayedTest, RandomSession, SessionPlan, played_test
from grader.run.environment import RunEnvironment
from grader.run.interface import SubmissionFiles, TestRunner


@dataclass(frozen=True)
class VariantAnswer:
    """The expected output of submissions that are read as one variant."""

    text: str
    side_output: ExpectedSideOutput
    # The time at which input is read may differ between runs.
    reasons: RuleReasons = field(compare=False)


@dataclass(frozen=True)
class AnsweredTest:
    """A test and the reference's answers, by variant."""

    played: PlayedTest
    answers: Mapping[str, VariantAnswer]

    def transcripts(self) -> ExpectedTranscripts:
        """Return the reference's answers as the test's expected transcripts."""
        name = self.played.test.id
        return ExpectedTranscripts(
            {(name, variant): answer.text for variant, answer in self.answers.items()},
            reasons={(name, variant): answer.reasons for variant, answer in self.answers.items()},
            side_outputs={(name, variant): answer.side_output for variant, answer in self.answers.items()},
        )


@dataclass(frozen=True)
class DroppedSession:
    """A session that the reference does not handle, and why."""

    session: RandomSession
    fault: str


@dataclass(frozen=True)
class LeftOpenSession:
    """A session for which the reference prints output that the handout leaves open."""

    session: RandomSession


Answer: TypeAlias = AnsweredTest | DroppedSession | LeftOpenSession


@dataclass(frozen=True)
class ReferencePlayer:
    """A player of sessions with the reference of a plan; not thread-safe."""

    assignment: Assignment
    plan: SessionPlan
    run: RunReference

    def answers(self, played: PlayedTest) -> Iterator[Answer]:
        """Yield the answers of the reference to the sessions of a test.

        If it does not handle a test of several calls, the calls are split up; if it ends before it has read every line,
        the session is played without the unread lines.
        """
        try:
            answered = self._answered(played)
            open_to_all = self._is_left_open(answered)
            yield LeftOpenSession(played.drawn or played.sessions[0]) if open_to_all else answered
        except ReferenceFaultError as error:
            first, *others = played.sessions
            if others:
                half = len(played.sessions) // 2
                for part in (played.sessions[:half], played.sessions[half:]):
                    yield from self.answers(played_test(self.plan, part))
            elif error.unsent:
                read = replace(first, texts=first.texts[: -error.unsent])
                shorter = played_test(self.plan, (read,))
                yield from self.answers(replace(shorter, drawn=played.drawn or first))
            else:
                yield DroppedSession(played.drawn or first, error.fault)

    def answer(self, session: RandomSession) -> Answer:
        """Return the reference's answer to one session."""
        return next(self.answers(played_test(self.plan, (session,))))

    def _is_left_open(self, answered: AnsweredTest) -> bool:
        texts = [answer.text for answer in answered.answers.values()]
        return any(pattern.search(text) for pattern in self.plan.left_open_output for text in texts)

    def _answered(self, played: PlayedTest) -> AnsweredTest:
        """Run the reference in every variant. Raises ReferenceFaultError."""
        test = played.test
        answers = {}
        for variant in self.plan.program.variants:
            outcome, reasons = reference_outcome(self.assignment, test, variant, self.run)
            written = {name: content or "" for name, content in outcome.written.items()}
            side_output = ExpectedSideOutput(outcome.errors if test.side_output.errors else "", written)
            answers[variant] = VariantAnswer(expected_text(test, outcome), side_output, reasons)
        return AnsweredTest(played, answers)


@contextmanager
def open_reference(
    assignment: Assignment, plan: SessionPlan, environment: RunEnvironment, isolation: Isolation
) -> Iterator[ReferencePlayer]:
    """Open a player of the reference, with forks of a prepared interpreter where `isolation` and the test allow it."""
    with ExitStack() as stack:
        runners: list[TestRunner] = []

        def run(test: Test, files: SubmissionFiles, limits: Limits, variables: Mapping[str, str]) -> Outcome:
            if not runners:
                runners.append(stack.enter_context(environment.runner(files)))
            possible = possible_isolation(test, isolation, has_forks=environment.has_forks)
            return runners[0].run(test, limits, possible, variables)

        yield ReferencePlayer(assignment, plan, run)
