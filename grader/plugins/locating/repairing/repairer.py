"""Looks for the repair of a failing program, and proves it: grades the repaired submission with all tests."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from types import FunctionType

from grader.errors import GraderError
from grader.expected.transcripts import ExpectedTranscripts
from grader.extensions import RANDOM_SESSIONS, find_extension
from grader.grading.grade_submission import SubmissionGrading, files_of_runs, grade_submission, open_grading
from grader.grading.result_cache import OutcomeSource
from grader.model.assignment import Assignment, Isolation
from grader.model.judgement import Verdict
from grader.model.results import GradedSubmission, TestResult
from grader.model.submission import Submission
from grader.plugins.locating.locate import recorded_tests, traced
from grader.plugins.locating.ranking import parsed
from grader.plugins.locating.repairing.candidates import Candidates
from grader.plugins.locating.repairing.failing import MendedProgram, usual_seconds, wrong_line
from grader.plugins.locating.repairing.finding import ProgramRepair, SearchResult, code_diff
from grader.plugins.locating.repairing.fork_session import with_forks
from grader.plugins.locating.repairing.forked_trial import Forks
from grader.plugins.locating.repairing.forked_versions import ForkServer, can_be_forked
from grader.plugins.locating.repairing.languages import PYTHON, language_of
from grader.plugins.locating.repairing.renaming import NamedProgram, corresponding_names
from grader.plugins.locating.repairing.repairable_language import RepairableLanguage
from grader.plugins.locating.repairing.search import SMALL, Repair, RepairSearch
from grader.plugins.locating.repairing.suspicion import suspicious_lines
from grader.plugins.locating.repairing.syntax import MendedSyntax, mended_syntax
from grader.plugins.locating.repairing.trial import (
    Budget,
    ProgramTrial,
    opened_stand_ins,
    seconds_of_a_fork,
    seconds_of_a_run,
)
from grader.plugins.locating.repairing.words import mistake_words, repair_changes
from grader.plugins.locating.stand_ins import most_at_once, right_until

_MAX_RUNS, _MAX_FORKS = 450, 900
MAX_SECONDS = 120.0
"""The limits of a search: the runs decide on every machine alike, the time only on one that is very slow."""

_RUNS_OF_A_BUILD = 2
"""The number of runs that the build of a version counts as."""

_MAX_CAUSES = 2
_MAX_PROOFS, _MAX_MENDED = 3, 6

CANNOT_BE_TRIED = (GraderError, OSError, SyntaxError, ValueError, RecursionError)
"""The errors with which a program has no repair."""


@dataclass(frozen=True)
class AcceptedVersions:
    """The accepted versions of a program, read for the search."""

    programs: Sequence[NamedProgram]
    texts: Sequence[frozenset[str]]


def read_accepted(texts: Sequence[str], language: RepairableLanguage = PYTHON) -> AcceptedVersions:
    """Read the programs that can be parsed."""
    programs = []
    for text in texts:
        with suppress(SyntaxError, ValueError, RecursionError):
            programs.append((language.named(text), language.texts(text)))
    return AcceptedVersions([program for program, _ in programs], [text for _, text in programs])


@dataclass(frozen=True, kw_only=True)
class Repairer:
    """The search for repairs in a class, each of which is tried on so many random `sessions`."""

    assignment: Assignment
    transcripts: ExpectedTranscripts
    outcomes: OutcomeSource
    sessions: int = 40
    clock: Callable[[], float] = monotonic

    def repair(self, program: MendedProgram, accepted: AcceptedVersions) -> SearchResult:
        """Return the best proved repair; if the work is cancelled or takes too long, the search is not finished."""
        budget = Budget(_MAX_RUNS, MAX_SECONDS, self.clock)
        repair = None
        with suppress(*CANNOT_BE_TRIED):
            if not self.outcomes.cancelled.is_set():
                repair = _best(self._repairs(program, accepted, budget))
        return SearchResult(repair, budget.out_of_time or self.outcomes.cancelled.is_set())

    def _repairs(self, program: MendedProgram, accepted: AcceptedVersions, budget: Budget) -> Iterator[ProgramRepair]:
        if _language(program) is PYTHON and parsed(program.text) is None:
            versions = mended_syntax(program.text)[:_MAX_MENDED]
            repairs = [repair for version in versions for repair in self._with_syntax(program, version)]
            yield from sorted(repairs, key=lambda repair: (repair.failing, repair.tokens))
            return
        failed, passed = program.sample()
        with self._grading(program) as grading:
            environment = self.outcomes.environment
            trial = ProgramTrial(
                variant=program.graded.variants[program.name],
                grading=grading,
                open_versions=opened_stand_ins(program.name, grading, environment, usual_seconds(passed)),
                cancelled=environment.cancelled,
                budget=budget,
                at_once=most_at_once(program.name),
                runs_of_a_build=0 if _language(program) is PYTHON else _RUNS_OF_A_BUILD,
            )
            for place in range(min(program.causes, _MAX_CAUSES, len(failed))):
                ordered = [failed[place], *failed[:place], *failed[place + 1 :]]
                asked = _AskedSearch(program=program, accepted=accepted, trial=trial, failed=ordered, passed=passed)
                for repair in self._searched(asked)[:_MAX_PROOFS]:
                    yield from self._proved(program, repair, accepted)

    def _searched(self, asked: "_AskedSearch") -> list[Repair]:
        """Search in forks of one interpreter, or, if the program needs a terminal or a build, in ordinary runs."""
        if hasattr(os, "fork") and all(can_be_forked(result.test) for result in asked.results):
            with suppress(GraderError, OSError, ValueError, IndexError):
                repairs = self._in_forks(asked)
                if repairs is not None:
                    return repairs
        return asked.repairs(asked.trial, self._ranks(asked.program, asked.failed[0], asked.passed))

    def _in_forks(self, asked: "_AskedSearch") -> list[Repair] | None:
        """Return the repairs found in forks; None if the program behaves differently there."""

        def search(server: ForkServer) -> list[Repair] | None:
            forks = Forks(server, seconds_of_a_run(usual_seconds(asked.passed)))
            budget = asked.trial.budget.with_runs(_MAX_FORKS)
            trial = replace(asked.trial, open_versions=forks.versions, at_once=1, results={}, judged={}, budget=budget)
            if not trial.agrees(asked.program.text, asked.results):
                return None
            ranks = forks.ranks(asked.program, asked.failed[0], asked.passed)
            passed = [trial.results[asked.program.text, result.test.id] for result in asked.passed]
            quick = Forks(server, seconds_of_a_fork(usual_seconds(passed)) if passed else forks.seconds)
            also = [result for result in asked.program.not_in_sample() if can_be_forked(result.test)]
            repairs = replace(asked, also=also).repairs(replace(trial, open_versions=quick.versions), ranks)
            asked.trial.budget.allows_more()
            return repairs

        files = files_of_runs(self.assignment, asked.program.graded.submission)
        pairs = [(file.path, file.name) for file in files]
        return with_forks(self.outcomes.environment, pairs, asked.failed[0].test, self.assignment.limits, search)

    def _grading(self, program: MendedProgram) -> AbstractContextManager[SubmissionGrading]:
        tests = [result.test for result in program.results]
        return open_grading(self.assignment, tests, self.transcripts, program.graded.submission, self.outcomes)

    def _ranks(self, program: MendedProgram, failed: TestResult, passed: Sequence[TestResult]) -> Mapping[int, int]:
        """Record the lines that tests run, and return the order of suspicion; empty if they cannot be recorded."""
        submission, results = program.graded.submission, [failed, *passed]
        tests = recorded_tests(self.assignment, submission, [result.test for result in results])
        if len(tests) < len(results):
            return {}
        files = files_of_runs(self.assignment, submission)
        with self.outcomes.of(files, tests, self.assignment.limits) as ask:
            first, *others = [
                traced(result, ask(test, Isolation.FRESH_PROCESS).trace)
                for result, test in zip(results, tests, strict=True)
            ]
        return suspicious_lines(program.name, program.text, first, others)

    def _with_syntax(self, program: MendedProgram, mended: MendedSyntax) -> Iterator[ProgramRepair]:
        mistake = self._placed(program, ", ".join(mended.fixes))
        return self._proved_text(program, mended.text, mended.fixes, mistake, len(mended.fixes))

    def _proved(self, program: MendedProgram, repair: Repair, accepted: AcceptedVersions) -> Iterator[ProgramRepair]:
        language = _language(program)
        text = language.edited(program.text, repair.edits)
        changes = repair_changes(language.shown(program.text), repair.edits)
        mistake = self._mistake(program, repair, accepted)
        for proved in self._proved_text(program, text, changes, mistake, repair.cost):
            yield replace(proved, smaller_untried=repair.limited)

    def _proved_text(
        self, program: MendedProgram, text: str, changes: tuple[str, ...], mistake: str, tokens: int
    ) -> Iterator[ProgramRepair]:
        """Yield the repair if no test of the submission fails that passed, and a failed one passes."""
        with TemporaryDirectory(prefix="grader-repair-") as folder:
            submission = with_text(program.graded.submission, program.name, text, Path(folder))
            tests = self.assignment.tests
            graded = grade_submission(
                self.assignment, tests, self.transcripts, submission, self.outcomes, tick=lambda: None
            )
            before, after = _passes(program.graded.results), _passes(graded.results)
            sessions, differs = self._sessions(graded) if len(after) == len(tests) else (0, False)
        repaired = tuple(result.test.id for result in program.results if result.test.id in after - before)
        if before <= after and repaired:
            yield ProgramRepair(
                program=program.name,
                changes=changes,
                mistake=mistake,
                tokens=tokens,
                diff=code_diff(program.name, program.text, text),
                repaired_tests=repaired,
                failing=len(program.failed) - len(repaired),
                sessions=sessions,
                differs=differs,
            )

    def _sessions(self, graded: GradedSubmission) -> tuple[int, bool]:
        """Return how many random sessions are played with a submission, and whether it differs in one of them."""
        plays = find_extension(RANDOM_SESSIONS, "fuzz")
        played: tuple[int, bool] = (0, False)
        if plays is not None and self.sessions:
            played = plays.load(FunctionType)(self.assignment, graded, self.outcomes, self.sessions)
        return played

    def _mistake(self, program: MendedProgram, repair: Repair, accepted: AcceptedVersions) -> str:
        """Describe the mistake with the names of the first accepted version, so that all students share the words."""
        language = _language(program)
        own = language.named(program.text)
        names = corresponding_names(accepted.programs[0], own) if accepted.programs else {}
        return self._placed(program, mistake_words(language.shown(program.text), repair.edits, names))

    def _placed(self, program: MendedProgram, words: str) -> str:
        return words if len(self.assignment.programs) == 1 else f"{program.name}: {words}"


@dataclass(frozen=True, kw_only=True)
class _AskedSearch:
    """A search for a repair of `program`, which mends the first of the `failed` tests at least."""

    program: MendedProgram
    accepted: AcceptedVersions
    trial: ProgramTrial
    failed: Sequence[TestResult]
    passed: Sequence[TestResult]
    also: Sequence[TestResult] = ()

    @property
    def results(self) -> Sequence[TestResult]:
        """The results of all tests of the search."""
        return [*self.failed, *self.passed]

    def repairs(self, trial: ProgramTrial, ranks: Mapping[int, int]) -> list[Repair]:
        """Return the repairs found by a trial, with these places of lines in the order of suspicion."""
        candidates = Candidates(
            text=self.program.text,
            others=self.accepted.programs,
            texts=self.accepted.texts,
            wrong=wrong_line(self.failed[0]),
            ranks=ranks,
            language=_language(self.program),
        )
        search = RepairSearch(
            text=self.program.text,
            failed=[result.test.id for result in self.failed],
            passed=[result.test.id for result in self.passed],
            right={result.test.id: right_until(result) for result in self.failed},
            candidates=candidates,
            try_programs=trial.attempts,
            also=[result.test.id for result in self.also],
        )
        repairs = search.repairs()
        is_over = not trial.budget.allows_more()
        return [replace(repair, limited=is_over and repair.cost > SMALL) for repair in repairs]


def _best(repairs: Iterator[ProgramRepair]) -> ProgramRepair | None:
    """Return the first repair that agrees with the reference in random sessions, or else the first."""
    tried: list[ProgramRepair] = []
    for repair in repairs:
        if not repair.differs:
            return min([repair, *tried], key=lambda one: one.failing)
        tried.append(repair)
    return tried[0] if tried else None


def _language(program: MendedProgram) -> RepairableLanguage:
    return language_of(program.name) or PYTHON


def _passes(results: Sequence[TestResult]) -> frozenset[str]:
    return frozenset(result.test.id for result in results if result.verdict is Verdict.PASSED)


def with_text(submission: Submission, name: str, text: str, folder: Path) -> Submission:
    """Return the submission with another text of a program, which is written to `folder`."""
    path = folder / Path(name).name
    path.write_text(text, encoding="utf-8")
    files = tuple(replace(file, path=path) if file.name == name else file for file in submission.files)
    return replace(submission, files=files)
