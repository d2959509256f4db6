"""Runs mutants through the tests of an assignment, which must be repeatable and give the samples the right verdicts."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import assert_never

from grader.authoring.generate import generate
from grader.authoring.stale_files import findings
from grader.grading.grade_submission import SubmissionGrading, TestSession, open_grading
from grader.grading.result_cache import OutcomeSource
from grader.model.assignment import Assignment
from grader.model.judgement import Verdict
from grader.model.submission import SubmittedFile
from grader.plugins.auditing.base_run import BaseRun, TrialSetting
from grader.plugins.auditing.mutants import Mutant
from grader.run.environment import RunEnvironment
from grader.run.run_slots import thread_pool

_OVERHEAD_SECONDS = 0.02
_SECONDS = 3.0
"""The number of seconds after which a mutant is assumed to loop for ever, if the original program is much faster."""
_SOON = 1.0


class KillOrder:
    """A thread-safe count of how often each test has caught a mutant so far."""

    def __init__(self) -> None:
        """Start without any trials."""
        self._tried: Counter[str] = Counter()
        self._caught: Counter[str] = Counter()
        self._lock = Lock()

    def note(self, test: str, *, caught: bool) -> None:
        """Count a test that was tried on a mutant."""
        with self._lock:
            self._tried[test] += 1
            self._caught[test] += caught

    def sorted(self, seconds: Mapping[str, float]) -> list[str]:
        """Sort the tests by mistakes caught per second, best first; `seconds` holds the time of each."""
        with self._lock:
            chance = {test: (self._caught[test] + 1) / (self._tried[test] + 2) for test in seconds}
        return sorted(seconds, key=lambda test: -chance[test] / (seconds[test] + _OVERHEAD_SECONDS))


class TrialDepth(StrEnum):
    """The tests to try on a mutant: until one catches it, or all of them."""

    UNTIL_CAUGHT = "until-caught"
    EVERY_TEST = "every-test"


@dataclass(frozen=True)
class MutantTrial:
    """A mutant and the tests known to catch it; none if it survived.

    The tests in `unsettled` failed because of a fault in the grader. `reached` says whether a test may reach the
    change.
    """

    mutant: Mutant
    failed: tuple[str, ...]
    unsettled: tuple[str, ...] = ()
    reached: bool = True


def try_mutants(
    setting: TrialSetting,
    mutants: Sequence[Mutant],
    runs: Sequence[BaseRun],
    depth: TrialDepth,
    tick: Callable[[], None],
) -> Iterator[MutantTrial]:
    """Try the mutants of the programs in `runs`; `tick` is called after each mutant.

    A mutant is judged like a submission, so it is caught only when it fails a test in every variant. A test that
    does not reach the change has the same result as with the original program, so it is not run.
    """
    by_base = {run.base: run for run in runs}
    order = KillOrder()
    outcomes = setting.outcomes
    with TemporaryDirectory(prefix="grader-audit-") as folder, thread_pool(setting.jobs, outcomes.cancel) as pool:

        def trial(number: int, mutant: Mutant) -> MutantTrial:
            run = by_base[mutant.base]
            submission = mutant.base.submission(mutant.source, Path(folder) / str(number))
            assignment = _with_short_limit(setting.assignment, run)
            tests = [test for test in assignment.tests if test.program == mutant.base.file]
            with open_grading(assignment, tests, setting.transcripts, submission, outcomes) as grading:
                mutant_trial = _Trial(mutant=mutant, run=run, grading=grading, outcomes=outcomes, order=order)
                result = mutant_trial.tried(depth)
            tick()
            return result

        yield from pool.map(trial, range(len(mutants)), mutants)


def _with_short_limit(assignment: Assignment, run: BaseRun) -> Assignment:
    """Return the assignment without rules, and with a shorter time limit if all tests of the program are quick."""
    limits = assignment.limits
    if max(map(run.seconds, run.sessions), default=0.0) <= _SOON:
        limits = replace(limits, wall_seconds=min(_SECONDS, limits.wall_seconds))
    return replace(assignment, limits=limits, rules=())


@dataclass(frozen=True, kw_only=True)
class _Trial:
    """The trial of one mutant."""

    mutant: Mutant
    run: BaseRun
    grading: SubmissionGrading
    outcomes: OutcomeSource
    order: KillOrder

    def tried(self, depth: TrialDepth) -> MutantTrial:
        """Run the necessary tests, and return the trial."""
        reaching = self.run.reaching(self.mutant.source)
        unreached_sessions = [session for test, session in self.run.sessions.items() if test not in reaching]
        judged = {key: result for key, result in self.run.judged.items() if key[0] not in reaching}
        self.grading.judged.update(judged)
        match depth:
            case TrialDepth.UNTIL_CAUGHT:
                trial_result = self._until_caught(chain(unreached_sessions, self._run_new_tests(reaching)), reaching)
            case TrialDepth.EVERY_TEST:
                trial_result = self._with_all(
                    {session.test.id: session for session in chain(unreached_sessions, self._run_new_tests(reaching))}
                )
            case _:
                assert_never(depth)
        return replace(trial_result, reached=bool(reaching))

    def _run_new_tests(self, reaching: frozenset[str]) -> Iterator[TestSession]:
        """Run the tests one by one: first the tests in the store, then the ones that catch the most per second."""
        by_id = {test.id: test for test in self.grading.tests if test.id in reaching}
        assignment, submission = self.grading.assignment, self.grading.submission
        files = (*(SubmittedFile(name, path) for path, name in assignment.provided_files), *submission.files)
        stored = self.outcomes.stored(files, list(by_id.values()), assignment.limits)
        order = self.order.sorted({name: self.run.seconds(name) for name in by_id})
        for name in sorted(order, key=lambda name: name not in stored):
            yield self.grading.run(by_id[name])

    def _until_caught(self, sessions: Iterable[TestSession], reaching: frozenset[str]) -> MutantTrial:
        variants = self.grading.assignment.program_of[self.mutant.base.file].variants
        # The variants in which no test has failed yet, with their unsettled tests.
        open_variants: dict[str, tuple[str, ...]] = dict.fromkeys(variants, ())
        for session in sessions:
            open_variants = self._variants_left(session, open_variants)
            if session.test.id in reaching:
                self.order.note(session.test.id, caught=not open_variants)
            if not open_variants:
                return MutantTrial(self.mutant, (session.test.id,))
        return MutantTrial(self.mutant, (), min(open_variants.values(), key=len))

    def _variants_left(
        self, session: TestSession, open_variants: Mapping[str, tuple[str, ...]]
    ) -> dict[str, tuple[str, ...]]:
        verdicts = {variant: self.grading.judged_as(session, variant).verdict for variant in open_variants}
        return {
            variant: (*unsettled, session.test.id) if verdicts[variant] is Verdict.INTERNAL_ERROR else unsettled
            for variant, unsettled in open_variants.items()
            if verdicts[variant] in (Verdict.PASSED, Verdict.INTERNAL_ERROR)
        }

    def _with_all(self, sessions: Mapping[str, TestSession]) -> MutantTrial:
        graded = self.grading.graded([sessions[test.id] for test in self.grading.tests])
        failed = [result for result in graded.results if result.verdict is not Verdict.PASSED]
        return MutantTrial(
            self.mutant,
            tuple(result.test.id for result in failed if result.verdict is not Verdict.INTERNAL_ERROR),
            tuple(result.test.id for result in failed if result.verdict is Verdict.INTERNAL_ERROR),
        )


def stale_expected_files(
    assignment: Assignment, environment: RunEnvironment, *, jobs: int, tick: Callable[[], None]
) -> Iterator[str]:
    """Run the references, and describe every expected file that is out of date; `tick` is called for each file.

    Raises NondeterministicReferenceError if a reference behaves differently in a second run.
    """
    generated = generate(assignment, assignment.tests, environment, jobs=jobs, tick=tick)
    for finding in findings(assignment.folder / "expected", generated):
        yield f"{finding.state}: {finding.file} (`grader generate` brings it up to date)"
