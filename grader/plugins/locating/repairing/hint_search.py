"""Searches for repairs on the student's machine with public tests, and proves them by ordinary runs of these tests."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from grader.files.source_text import NoSourceError, source_text
from grader.grading.grade_submission import SubmissionGrading, TestOutcome, files_of_runs, open_grading
from grader.grading.result_cache import OutcomeSource
from grader.model.judgement import Verdict
from grader.model.results import TestResult
from grader.model.submission import SubmittedFile
from grader.model.test import Test
from grader.plugins.locating.repairing.candidates import Candidates
from grader.plugins.locating.repairing.edited_source import edited_source
from grader.plugins.locating.repairing.edits import Edit, LineEdit
from grader.plugins.locating.repairing.failing import MendedProgram, cause_of, usual_seconds, wrong_line
from grader.plugins.locating.repairing.forked_trial import Forks
from grader.plugins.locating.repairing.forked_versions import can_be_forked, fork_server, is_harmless
from grader.plugins.locating.repairing.repairer import with_text
from grader.plugins.locating.repairing.search import Repair, RepairSearch
from grader.plugins.locating.repairing.trial import Budget, ProgramTrial, seconds_of_a_run
from grader.plugins.locating.stand_ins import right_until
from grader.run.interface import RunnerFactory
from grader.run.run_slots import cores

_MAX_RUNS = 5_000
_MAX_CAUSES, _MAX_PROOFS = 2, 2
_AT_ONCE = 8
_SECONDS_UNTIL_KILLED = 60.0
_MAX_SECONDS_OF_A_RUN = 0.5
_MAX_FAILED = 6
_MAX_COMPARED = 6
_PROOF_TAKES_LONGER = 1.5


@dataclass(frozen=True)
class ProvedEdits:
    """Edits that make `tests`, which fail for one cause, pass without breaking another test."""

    edits: Sequence[Edit]
    tests: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class HintSearch:
    """The search for a repair of `program`, until the clock shows `end`; `public` holds the results of all programs."""

    program: MendedProgram
    public: Sequence[TestResult]
    grading: SubmissionGrading
    runners: RunnerFactory
    end: float
    clock: Callable[[], float]

    def proved(self) -> Iterator[ProvedEdits]:
        """Yield a proved repair for each of the first causes. Raises GraderError and OSError."""
        if not self._is_harmless():
            return
        for failed in islice(self._causes(), _MAX_CAUSES):
            proof = [*failed, *(result for result in self.public if result.verdict is Verdict.PASSED)]
            seconds = self.end - self.clock() - _seconds_of_proof(proof)
            if seconds > 0 and all(can_be_forked(result.test) for result in failed):
                repairs = self._repairs(failed, seconds)
                yield from islice(filter(None, (self._proof(edits, failed, proof) for edits in repairs)), 1)

    def _is_harmless(self) -> bool:
        """Return whether the student's files can do no harm; modules of the course can do none."""
        modules = frozenset(Path(file.name).stem for file in self._files if file.name.endswith(".py"))
        own = [file for file in self.grading.submission.files if file.name.endswith(".py")]
        with suppress(NoSourceError):
            return all(is_harmless(source_text(file.path), modules) for file in own)
        return False

    def _causes(self) -> Iterator[list[TestResult]]:
        """Yield the failed tests of each cause."""
        of_cause: dict[str, list[TestResult]] = {}
        for result in self.program.failed:
            of_cause.setdefault(cause_of(result), []).append(result)
        yield from of_cause.values()

    @property
    def _files(self) -> Sequence[SubmittedFile]:
        return files_of_runs(self.grading.assignment, self.grading.submission)

    def _repairs(self, failed: Sequence[TestResult], seconds: float) -> Sequence[Sequence[Edit]]:
        program, budget = self.program, Budget(_MAX_RUNS, seconds, self.clock)
        passed = [result for result in program.sample()[1] if can_be_forked(result.test)]
        failed = failed[:_MAX_FAILED]
        seconds_of_run = min(seconds_of_a_run(usual_seconds(passed)), _MAX_SECONDS_OF_A_RUN)
        cancelled = self.runners.cancelled
        with fork_server(self.runners.python, self._files, _SECONDS_UNTIL_KILLED, cancelled) as server:
            forks = Forks(server, seconds_of_run, times_longer=1)
            trial = ProgramTrial(
                variant=program.graded.variants[program.name],
                grading=self.grading,
                open_versions=forks.versions,
                cancelled=cancelled,
                budget=budget,
                at_once=_AT_ONCE,
            )
            search = RepairSearch(
                text=program.text,
                failed=[result.test.id for result in failed],
                passed=[result.test.id for result in passed],
                right={result.test.id: right_until(result) for result in failed},
                candidates=Candidates(
                    text=program.text,
                    others=(),
                    texts=(),
                    wrong=wrong_line(failed[0]),
                    ranks=forks.ranks(program, failed[0], passed),
                    goes_on=budget.allows_more,
                ),
                try_programs=trial.attempts,
                enough=_MAX_COMPARED,
            )
            repairs = search.repairs()
        full = [repair for repair in repairs if repair.mends >= set(search.failed)]
        return [repair.edits for repair in _smallest(full)][:_MAX_PROOFS]

    def _proof(
        self, edits: Sequence[Edit], failed: Sequence[TestResult], proof: Sequence[TestResult]
    ) -> ProvedEdits | None:
        """Run the tests on the edited program as in a self-check; return the edits if all of them pass in time."""
        text, assignment = edited_source(self.program.text, edits), self.grading.assignment
        tests = {test.id: test for test in self.grading.tests}
        with TemporaryDirectory(prefix="grader-repair-") as folder:
            submission = with_text(self.grading.submission, self.program.name, text, Path(folder))
            with (
                open_grading(
                    assignment, self.grading.tests, self.grading.transcripts, submission, OutcomeSource(self.runners)
                ) as grading,
                ThreadPoolExecutor(cores()) as pool,
            ):

                def passes(result: TestResult) -> bool:
                    variant = self.program.graded.variants[result.test.program]
                    return self._passes(grading, tests[result.test.id], variant)

                if not all(pool.map(passes, proof)):
                    return None
        return ProvedEdits(edits, tuple(result.test.id for result in failed))

    def _passes(self, grading: SubmissionGrading, test: Test, variant: str) -> bool:
        """Return whether a test passes before the time of the search is over."""
        seconds = self.end - self.clock()
        if seconds <= 0 or self.runners.cancelled.is_set():
            return False
        limits = test.limits or grading.assignment.limits
        limited = replace(limits, wall_seconds=min(limits.wall_seconds, seconds))
        session = grading.run(replace(test, limits=limited))
        return isinstance(session, TestOutcome) and grading.result(session, variant).verdict is Verdict.PASSED


def _smallest(repairs: Sequence[Repair]) -> Sequence[Repair]:
    """Return the smallest repairs, or nothing if they change different lines: then none of them can be trusted."""
    smallest = [repair for repair in repairs if repair.cost == repairs[0].cost]
    places = {tuple(_place(edit) for edit in repair.edits) for repair in smallest}
    return smallest if len(places) == 1 else ()


def _place(edit: Edit) -> int:
    return edit.start if isinstance(edit, LineEdit) else edit.line


def _seconds_of_proof(proof: Sequence[TestResult]) -> float:
    """Estimate how long the proof takes, from the ordinary runs of its tests."""
    seconds = sum(result.outcome.wall_seconds for result in proof if result.outcome)
    return seconds * _PROOF_TAKES_LONGER / cores()
