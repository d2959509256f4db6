"""Tries versions of a student's program: runs its tests on each, and judges them as they are judged in grading."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice

from grader.grading.grade_submission import SubmissionGrading, TestOutcome, files_of_runs
from grader.model.judgement import Verdict
from grader.model.outcome import Termination
from grader.model.program import Limits
from grader.model.results import TestResult
from grader.model.test import Test
from grader.plugins.locating.repairing.search import TriedVersion
from grader.plugins.locating.stand_ins import StandIn, most_at_once, right_until, stand_ins
from grader.run.interface import RunnerFactory

_RUNS_OF_A_TIMEOUT = 40
"""The number of runs that a run counts as if it reaches the time limit."""

_RUNS_OF_A_BUILD = 2
"""The number of runs that the build of a version counts as."""

_LEAST_SECONDS, _MOST_SECONDS = 0.25, 2.0
_TIMES_LONGER = 10
"""A version may take this much longer than the tests that the program passes."""


class Budget:
    """The number of `runs` that a search may still make; after `end`, which the clock tells, it may make none."""

    def __init__(self, runs: int, seconds: float, clock: Callable[[], float]) -> None:
        self.runs = runs
        self.out_of_time = False
        self._clock = clock
        self._end = clock() + seconds

    def allows_more(self) -> bool:
        """Return whether more may be run."""
        self.out_of_time = self.out_of_time or self._clock() > self._end
        return self.runs > 0 and not self.out_of_time

    def spend(self, ending: Termination) -> None:
        """Count a run with this ending."""
        self.runs -= 1 if ending is Termination.EXITED else _RUNS_OF_A_TIMEOUT


@dataclass(frozen=True, kw_only=True)
class ProgramTrial:
    """The trial of versions of `program`, which is judged as `variant`, within a budget.

    Tests of the program take `usual_seconds` of processor time.
    """

    program: str
    variant: str
    grading: SubmissionGrading
    environment: RunnerFactory
    budget: Budget
    usual_seconds: float
    results: dict[tuple[str, str], TestResult] = field(default_factory=dict)

    def attempts(
        self, texts: Iterable[str], must: Sequence[str], may: Sequence[str] = ()
    ) -> Iterator[tuple[str, TriedVersion]]:
        """Yield the tests that each version passes, see `TryPrograms`. Raises GraderError and OSError."""
        files = files_of_runs(self.grading.assignment, self.grading.submission)
        waiting = iter(texts)
        while batch := list(islice(waiting, most_at_once(self.program))):
            with stand_ins(self.program, batch, files, self.environment, self._limits) as versions:
                for text, version in zip(batch, versions, strict=True):
                    if not self.budget.allows_more() or self.environment.cancelled.is_set():
                        return
                    if version.name == self.program:
                        self.budget.runs -= _RUNS_OF_A_BUILD
                    yield text, self._attempt(text, version, must, may)

    def _attempt(self, text: str, version: StandIn, must: Sequence[str], may: Sequence[str]) -> TriedVersion:
        passes = set[str]()
        for test in must:
            result = self._result(text, version, test)
            if result.verdict is not Verdict.PASSED:
                return TriedVersion(frozenset(passes), right_until(result))
            passes.add(test)
        passes.update(test for test in may if self._result(text, version, test).verdict is Verdict.PASSED)
        return TriedVersion(frozenset(passes))

    def _result(self, text: str, version: StandIn, test: str) -> TestResult:
        if (text, test) not in self.results:
            outcome = version.outcome(self._tests[test])
            self.budget.spend(outcome.ending)
            grading = replace(self.grading, judged={})
            self.results[text, test] = grading.result(TestOutcome(self._tests[test], outcome), self.variant)
        return self.results[text, test]

    @cached_property
    def _tests(self) -> Mapping[str, Test]:
        return {test.id: test for test in self.grading.tests}

    @cached_property
    def _limits(self) -> Limits:
        seconds = min(max(self.usual_seconds * _TIMES_LONGER, _LEAST_SECONDS), _MOST_SECONDS)
        return replace(self.grading.assignment.limits, wall_seconds=seconds)
