"""Tries versions of a student's program: runs its tests on each, and judges them as they are judged in grading."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from threading import Event
from typing import Protocol, TypeAlias

from grader.grading.grade_submission import SubmissionGrading, TestOutcome, files_of_runs
from grader.model.judgement import Verdict
from grader.model.outcome import Outcome, Termination
from grader.model.results import TestResult
from grader.model.test import Test
from grader.plugins.locating.repairing.search import TriedVersion
from grader.plugins.locating.stand_ins import right_until, stand_ins
from grader.run.interface import RunnerFactory

_RUNS_OF_A_TIMEOUT = 40
"""The number of runs that a run counts as if it reaches the time limit."""

_MIN_SECONDS, _MIN_SECONDS_OF_A_FORK, _MAX_SECONDS = 0.25, 0.1, 2.0
_TIMES_LONGER = 10
"""A version may take this much longer than the tests that the program passes."""


class Budget:
    """The number of `runs` that a search may still make; after `end`, which the clock tells, it may make none."""

    def __init__(self, runs: int, seconds: float, clock: Callable[[], float]) -> None:
        self.runs = runs
        self.out_of_time = False
        self._clock = clock
        self._end = clock() + seconds

    def with_runs(self, runs: int) -> "Budget":
        """Return a budget of so many runs that ends at the same time."""
        return Budget(runs, self._end - self._clock(), self._clock)

    def allows_more(self) -> bool:
        """Return whether more may be run."""
        self.out_of_time = self.out_of_time or self._clock() > self._end
        return self.runs > 0 and not self.out_of_time

    def spend(self, ending: Termination) -> None:
        """Count a run with this ending."""
        self.runs -= 1 if ending is Termination.EXITED else _RUNS_OF_A_TIMEOUT


class Version(Protocol):
    """A version of a program."""

    def outcome(self, test: Test, /) -> Outcome:
        """Run a test of the program on the version. Raises GraderError and OSError."""


OpenVersions: TypeAlias = Callable[[Sequence[str]], AbstractContextManager[Sequence[Version]]]
"""A function that makes versions from their texts. Raises GraderError and OSError."""


def opened_stand_ins(
    program: str, grading: SubmissionGrading, environment: RunnerFactory, usual_seconds: float
) -> OpenVersions:
    """Return a function that makes stand-ins of `program`, whose tests take `usual_seconds` of processor time."""
    files = files_of_runs(grading.assignment, grading.submission)
    limits = replace(grading.assignment.limits, wall_seconds=seconds_of_a_run(usual_seconds))
    return lambda texts: stand_ins(program, texts, files, environment, limits)


def seconds_of_a_run(usual_seconds: float) -> float:
    """Return how long a version may run if the tests that the program passes take `usual_seconds`."""
    return min(max(usual_seconds * _TIMES_LONGER, _MIN_SECONDS), _MAX_SECONDS)


def seconds_of_a_fork(usual_seconds: float) -> float:
    """Return the same for a version that runs in a fork, where no interpreter has to start."""
    return min(max(usual_seconds * _TIMES_LONGER, _MIN_SECONDS_OF_A_FORK), _MAX_SECONDS)


@dataclass(frozen=True, kw_only=True)
class ProgramTrial:
    """The trial of versions of a program, which is judged as `variant`, within a budget.

    `at_once` versions share a folder, and building one counts as `runs_of_a_build`.
    """

    variant: str
    grading: SubmissionGrading
    open_versions: OpenVersions
    cancelled: Event
    budget: Budget
    at_once: int
    runs_of_a_build: int = 0
    results: dict[tuple[str, str], TestResult] = field(default_factory=dict)
    judged: dict[str, list[tuple[Outcome, TestResult]]] = field(default_factory=dict)

    def attempts(
        self, texts: Iterable[str], must: Sequence[str], may: Sequence[str] = ()
    ) -> Iterator[tuple[str, TriedVersion]]:
        """Yield the tests that each version passes, see `TryPrograms`. Raises GraderError and OSError."""
        waiting = iter(texts)
        while batch := list(islice(waiting, self.at_once)):
            with self.open_versions(batch) as versions:
                for text, version in zip(batch, versions, strict=True):
                    if not self.budget.allows_more() or self.cancelled.is_set():
                        return
                    self.budget.runs -= self.runs_of_a_build
                    yield text, self._attempt(text, version, must, may)

    def agrees(self, text: str, results: Iterable[TestResult]) -> bool:
        """Return whether the program itself passes and fails the same tests here. Raises GraderError and OSError."""
        with self.open_versions([text]) as [version]:
            return all(self._passes(text, version, result.test.id) == _passed(result) for result in results)

    def _attempt(self, text: str, version: Version, must: Sequence[str], may: Sequence[str]) -> TriedVersion:
        passes = set[str]()
        for test in must:
            result = self._result(text, version, test)
            if not _passed(result):
                return TriedVersion(frozenset(passes), right_until(result))
            passes.add(test)
        passes.update(test for test in may if self._passes(text, version, test))
        return TriedVersion(frozenset(passes))

    def _passes(self, text: str, version: Version, test: str) -> bool:
        return _passed(self._result(text, version, test))

    def _result(self, text: str, version: Version, test: str) -> TestResult:
        if (text, test) not in self.results:
            outcome = version.outcome(self._tests[test])
            self.budget.spend(outcome.ending)
            self.results[text, test] = self._judged(test, outcome)
        return self.results[text, test]

    def _judged(self, test: str, outcome: Outcome) -> TestResult:
        """Judge an outcome; most versions print the same, which is judged once."""
        untimed = replace(outcome, wall_seconds=0, cpu_seconds=0)
        judged = self.judged.setdefault(test, [])
        for other, result in judged:
            if other == untimed:
                return result
        grading = replace(self.grading, judged={})
        result = grading.judged_as(TestOutcome(self._tests[test], outcome), self.variant)
        judged.append((untimed, result))
        return result

    @cached_property
    def _tests(self) -> Mapping[str, Test]:
        return {test.id: test for test in self.grading.tests}


def _passed(result: TestResult) -> bool:
    return result.verdict is Verdict.PASSED
