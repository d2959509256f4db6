"""Proves a repair on the student's machine with public tests."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from grader.grading.grade_submission import SubmissionGrading, TestOutcome, open_grading
from grader.grading.result_cache import OutcomeSource
from grader.model.judgement import Verdict
from grader.model.results import TestResult
from grader.plugins.locating.repairing.edited_source import edited_source
from grader.plugins.locating.repairing.edits import Edit
from grader.plugins.locating.repairing.failing import MendedProgram
from grader.plugins.locating.repairing.forked_versions import can_be_forked
from grader.plugins.locating.repairing.repairer import with_text
from grader.plugins.locating.repairing.trial import ProgramTrial
from grader.run.interface import RunnerFactory
from grader.run.run_slots import cores

_TAKES_LONGER = 1.5


@dataclass(frozen=True)
class ProvedEdits:
    """Edits with which `tests` pass, including every test that fails for one cause, and no other test breaks."""

    edits: Sequence[Edit]
    tests: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class HintProof:
    """The proof of a repair of `program`, which must end before the clock shows `end`.

    Failed tests run as in a self-check. Tests that passed run in forks; a test that fails there both with the repair
    and without it runs as in a self-check too.
    """

    program: MendedProgram
    public: Sequence[TestResult]
    grading: SubmissionGrading
    runners: RunnerFactory
    end: float
    clock: Callable[[], float]

    def seconds(self, failed: Sequence[TestResult]) -> float:
        """Estimate how long the proof takes, from the ordinary runs of its tests."""
        slow = [*failed, *(result for result in self._passed if not self._can_be_forked(result))]
        seconds = sum(result.outcome.wall_seconds for result in slow if result.outcome)
        return seconds * _TAKES_LONGER / cores()

    def of(self, edits: Sequence[Edit], failed: Sequence[TestResult], trial: ProgramTrial) -> ProvedEdits | None:
        """Return the edits if they mend these failed tests, and those of other causes that they mend too."""
        text = edited_source(self.program.text, edits)
        passing = self._in_forks(text, list(filter(self._can_be_forked, self._passed)), trial)
        unknown = [result for result in self._passed if result.test.id not in passing]
        if self._in_forks(self.program.text, list(filter(self._can_be_forked, unknown)), trial) or self._is_over():
            return None
        others = [result for result in self.program.failed if result not in failed and self._can_be_forked(result)]
        in_fork = self._in_forks(text, others, trial)
        must = [*failed, *unknown]
        may = [result for result in others if result.test.id in in_fork]
        with self._opened(text) as passes, ThreadPoolExecutor(cores()) as pool:
            if not all(pool.map(passes, must)):
                return None
            also = {result.test.id for result, passed in zip(may, pool.map(passes, may), strict=True) if passed}
        mended = also | {result.test.id for result in failed}
        return ProvedEdits(edits, tuple(result.test.id for result in self.public if result.test.id in mended))

    @property
    def _passed(self) -> Sequence[TestResult]:
        return [result for result in self.public if result.verdict is Verdict.PASSED]

    def _can_be_forked(self, result: TestResult) -> bool:
        return result.test.program == self.program.name and can_be_forked(result.test)

    def _in_forks(self, text: str, results: Sequence[TestResult], trial: ProgramTrial) -> frozenset[str]:
        """Return the tests that pass in forks."""
        tests = [result.test.id for result in results]
        return frozenset().union(*(attempt.passes for _, attempt in trial.attempts([text], (), tests)))

    def _is_over(self) -> bool:
        return self.clock() >= self.end or self.runners.cancelled.is_set()

    @contextmanager
    def _opened(self, text: str) -> Iterator[Callable[[TestResult], bool]]:
        """Yield a function that tells whether a test of the version passes in time, run as in a self-check."""
        assignment = self.grading.assignment
        tests = {test.id: test for test in self.grading.tests}
        with TemporaryDirectory(prefix="grader-repair-") as folder:
            submission = with_text(self.grading.submission, self.program.name, text, Path(folder))
            with open_grading(
                assignment, self.grading.tests, self.grading.transcripts, submission, OutcomeSource(self.runners)
            ) as grading:

                def passes(result: TestResult) -> bool:
                    if self._is_over():
                        return False
                    test = tests[result.test.id]
                    limits = test.limits or assignment.limits
                    limited = replace(limits, wall_seconds=min(limits.wall_seconds, self.end - self.clock()))
                    session = grading.run(replace(test, limits=limited))
                    variant = self.program.graded.variants[test.program]
                    return (
                        isinstance(session, TestOutcome) and grading.result(session, variant).verdict is Verdict.PASSED
                    )

                yield passes
