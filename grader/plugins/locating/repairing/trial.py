"""Tries versions of a student's program: runs its tests on each, and judges them as they are judged in grading."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from grader.errors import GraderError
from grader.grading.grade_submission import SubmissionGrading, TestOutcome, files_of_runs
from grader.model.interaction import PluginInteraction
from grader.model.judgement import Verdict
from grader.model.results import TestResult
from grader.model.test import Test
from grader.plugins.locating.repairing.search import Passes
from grader.plugins.locating.stand_ins import MOST_AT_ONCE, StandIn, stand_ins
from grader.run.interface import RunnerFactory


@dataclass(frozen=True, kw_only=True)
class ProgramTrial:
    """The trial of versions of `program`, which is judged as `variant`, until the clock says `end`.

    `tests` are those of the program, the one that a repair must mend first at the front.
    """

    program: str
    variant: str
    tests: Sequence[Test]
    grading: SubmissionGrading
    environment: RunnerFactory
    clock: Callable[[], float]
    end: float

    def passes(self, texts: Sequence[str]) -> Iterator[Passes]:
        """Yield the tests that each version passes; none if it fails the first. Ends early when the time is over."""
        assignment = self.grading.assignment
        files = files_of_runs(assignment, self.grading.submission)
        for start in range(0, len(texts), MOST_AT_ONCE):
            batch = texts[start : start + MOST_AT_ONCE]
            with stand_ins(self.program, batch, files, self.environment, assignment.limits) as versions:
                for version in versions:
                    if self.clock() > self.end or self.environment.cancelled.is_set():
                        return
                    yield frozenset(self._passed(version))

    def _passed(self, version: StandIn) -> Iterator[str]:
        grading = replace(self.grading, judged={})
        for place, test in enumerate(self.tests):
            if self._result(grading, version, test).verdict is Verdict.PASSED:
                yield test.id
            elif not place:
                return

    def _result(self, grading: SubmissionGrading, version: StandIn, test: Test) -> TestResult:
        return grading.result(TestOutcome(test, version.outcome(test)), self.variant)


def can_be_tried(result: TestResult) -> bool:
    """Return whether versions of the program can be run under other names: a Python program that is not built."""
    test = result.test
    plays_alone = not isinstance(test.interaction, PluginInteraction)
    return plays_alone and test.recipe is None and test.program.endswith(".py") and result.outcome is not None


RepairError = (GraderError, OSError, SyntaxError)
"""The errors for which a program has no repair."""
