"""Searches for repairs on the student's machine with public tests, in forks; `hint_proof` proves them."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from pathlib import Path

from grader.files.source_text import NoSourceError, source_text
from grader.grading.grade_submission import SubmissionGrading, files_of_runs
from grader.model.results import TestResult
from grader.model.submission import SubmittedFile
from grader.plugins.locating.repairing.candidates import Candidates
from grader.plugins.locating.repairing.edited_source import edited_source
from grader.plugins.locating.repairing.edits import Edit, LineEdit
from grader.plugins.locating.repairing.failing import MendedProgram, cause_of, usual_seconds, wrong_line
from grader.plugins.locating.repairing.forked_trial import Forks
from grader.plugins.locating.repairing.forked_versions import can_be_forked, fork_server, is_harmless
from grader.plugins.locating.repairing.hint_proof import HintProof, ProvedEdits
from grader.plugins.locating.repairing.search import Repair, RepairSearch
from grader.plugins.locating.repairing.trial import Budget, ProgramTrial, seconds_of_a_run
from grader.plugins.locating.stand_ins import right_until
from grader.run.interface import RunnerFactory

_MAX_RUNS = 5_000
_MAX_CAUSES, _MAX_PROOFS = 3, 2
_AT_ONCE = 8
_SECONDS_UNTIL_KILLED = 60.0
_MAX_SECONDS_OF_A_RUN = 0.5
_MAX_FAILED = 6
_MAX_COMPARED = 6
_TIMES_LONGER = 4
"""A version that the machine starves may take this much longer than its processor time."""

_SHARE_OF_A_CAUSE = 0.6
"""The part of the remaining time that the search for a cause may take if there are others."""


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
        causes = self._causes()
        if not causes or not self._is_harmless():
            return
        cancelled = self.runners.cancelled
        with fork_server(self.runners.python, self._files, _SECONDS_UNTIL_KILLED, cancelled) as server:
            forks = Forks(server, self._seconds_of_run, times_longer=_TIMES_LONGER)
            mended: set[str] = set()
            for place, failed in enumerate(causes):
                if not mended.issuperset(map(_id, failed)):
                    share = 1.0 if place + 1 == len(causes) else _SHARE_OF_A_CAUSE
                    proved = self._of_cause(failed, forks, share)
                    if proved is not None:
                        mended.update(proved.tests)
                        yield proved

    def _is_harmless(self) -> bool:
        """Return whether the student's files can do no harm; modules of the course can do none."""
        modules = frozenset(Path(file.name).stem for file in self._files if file.name.endswith(".py"))
        own = [file for file in self.grading.submission.files if file.name.endswith(".py")]
        with suppress(NoSourceError):
            return all(is_harmless(source_text(file.path), modules) for file in own)
        return False

    def _causes(self) -> Sequence[Sequence[TestResult]]:
        """Return the failed tests of the first causes of which some tests can be forked."""
        of_cause: dict[str, list[TestResult]] = {}
        for result in self.program.failed:
            of_cause.setdefault(cause_of(result), []).append(result)
        forked = (failed for failed in of_cause.values() if any(can_be_forked(result.test) for result in failed))
        return list(islice(forked, _MAX_CAUSES))

    @property
    def _files(self) -> Sequence[SubmittedFile]:
        return files_of_runs(self.grading.assignment, self.grading.submission)

    @cached_property
    def _passed(self) -> Sequence[TestResult]:
        return [result for result in self.program.sample()[1] if can_be_forked(result.test)]

    @property
    def _seconds_of_run(self) -> float:
        return min(seconds_of_a_run(usual_seconds(self._passed)), _MAX_SECONDS_OF_A_RUN)

    def _of_cause(self, failed: Sequence[TestResult], forks: Forks, share: float) -> ProvedEdits | None:
        """Return a proved repair of a cause, for which the search takes a share of the time that is left."""
        proof = HintProof(
            program=self.program,
            public=self.public,
            grading=self.grading,
            runners=self.runners,
            end=self.end,
            clock=self.clock,
        )
        seconds = (self.end - self.clock() - proof.seconds(failed)) * share
        if seconds <= 0:
            return None
        trial = ProgramTrial(
            variant=self.program.graded.variants[self.program.name],
            grading=self.grading,
            open_versions=forks.versions,
            cancelled=self.runners.cancelled,
            budget=Budget(_MAX_RUNS, seconds, self.clock),
            at_once=_AT_ONCE,
        )
        repairs = self._repairs([result for result in failed if can_be_forked(result.test)], forks, trial)
        trial = replace(trial, budget=Budget(_MAX_RUNS, self.end - self.clock(), self.clock))
        proofs = (proof.of(edits, failed, trial) for edits in self._most_telling(repairs, trial))
        return next(filter(None, proofs), None)

    def _repairs(self, failed: Sequence[TestResult], forks: Forks, trial: ProgramTrial) -> Sequence[Repair]:
        """Return the repairs of these failed tests."""
        program, failed = self.program, failed[:_MAX_FAILED]
        search = RepairSearch(
            text=program.text,
            failed=list(map(_id, failed)),
            passed=list(map(_id, self._passed)),
            right={result.test.id: right_until(result) for result in failed},
            candidates=Candidates(
                text=program.text,
                others=(),
                texts=(),
                wrong=wrong_line(failed[0]),
                ranks=forks.ranks(program, failed[0], self._passed),
            ),
            try_programs=trial.attempts,
            enough=_MAX_COMPARED,
        )
        return [repair for repair in search.repairs() if repair.mends >= set(search.failed)]

    def _most_telling(self, repairs: Sequence[Repair], trial: ProgramTrial) -> Sequence[Sequence[Edit]]:
        """Return the repairs that mend most tests, of these the smallest.

        If they change different lines, none of them can be trusted.
        """
        others = [result.test.id for result in self.program.failed if can_be_forked(result.test)]
        texts = {edited_source(self.program.text, repair.edits): repair for repair in repairs}
        attempts = list(trial.attempts(texts, (), others)) if len(texts) > 1 else []
        mended = {texts[text]: len(attempt.passes) for text, attempt in attempts}
        ranked = {repair: (-mended.get(repair, 0), repair.cost) for repair in repairs}
        best = [repair for repair in repairs if ranked[repair] == min(ranked.values())]
        places = {tuple(_place(edit) for edit in repair.edits) for repair in best}
        return [repair.edits for repair in best][:_MAX_PROOFS] if len(places) == 1 else ()


def _id(result: TestResult) -> str:
    return result.test.id


def _place(edit: Edit) -> int:
    return edit.start if isinstance(edit, LineEdit) else edit.line
