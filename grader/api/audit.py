"""Audits the tests of an assignment: puts mistakes into right programs and sees which test notices."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.api.course import course_for
from grader.api.environment import local_backend
from grader.api.request import FilePath, Progress, no_progress
from grader.authoring.audit.audit_file import AuditSettings, read_audit_settings
from grader.authoring.audit.base_program import BaseProgram, references
from grader.authoring.audit.base_run import TrialSetting, run_bases
from grader.authoring.audit.mutants import AuditError, Mutant, mutants_at, spots
from grader.authoring.audit.report import AuditReport, sum_up
from grader.authoring.audit.soundness import broken_samples, changing_tests, samples_in
from grader.authoring.audit.trial import MutantTrial, TrialDepth, try_mutants
from grader.authoring.generate import answered
from grader.expected.transcripts import load_transcripts
from grader.grading.result_cache import OutcomeSource, ResultCache
from grader.model.assignment import Assignment
from grader.model.program import SandboxKind
from grader.run.environment import RunEnvironment
from grader.run.student_python import student_python
from grader.store.database import default_store, open_store
from grader.store.provenance import harness_identity, run_identity

_TIMES = 3
"""How often the references are run to see whether their output changes."""


@dataclass(frozen=True, kw_only=True)
class AuditOptions:
    """How tests are audited.

    `sample` is the number of mutants made by operators that are tried, chosen by `seed`; None stands for all. With
    `matrix`, every test is tried on each mutant; otherwise one that is caught is left alone. `jobs` is the number of
    sessions at a time, by default one per core.
    """

    sample: int | None = None
    seed: int = 1
    matrix: bool = False
    jobs: int | None = None
    sandbox: SandboxKind = SandboxKind.BWRAP


_DEFAULT_AUDIT = AuditOptions()


@dataclass(frozen=True, kw_only=True)
class AuditedTests:
    """What an audit found: the trials of mutants, why some are equivalent, and what is wrong with the tests."""

    assignment: Assignment
    report: AuditReport
    settings: AuditSettings
    faults: tuple[str, ...]

    def is_good(self, min_percent: float) -> bool:
        """Whether nothing is wrong with the tests, and they catch at least so many of 100 mutants."""
        bad = self.faults or self.report.wrongly_marked or self.report.stale_marks
        return not bad and self.report.share * 100 >= min_percent


def audit(
    assignment_id: str,
    *,
    course: FilePath | None = None,
    options: AuditOptions = _DEFAULT_AUDIT,
    progress: Progress = no_progress,
) -> AuditedTests:
    """Audit the tests of an assignment: put mistakes into its references and see which test notices.

    Raises AuditError when a reference cannot be mutated, another GraderError when the assignment cannot be graded.
    """
    found = course_for(Path(course) if course is not None else None, Path.cwd())
    assignment = found.assignment(assignment_id)
    backend = local_backend(options.sandbox, (found.folder.resolve(),), options.jobs)
    with progress("Making mutants", 0):
        bases = _references(assignment)
        settings = read_audit_settings(assignment, bases)
        mutants = [*settings.mutants, *_by_operators(bases, settings.leave, options)]
    python = student_python(assignment.python, lambda task: progress(task, 0))
    with open_store(default_store(found.folder)) as store, backend.open_environment(python) as environment:
        harness = run_identity(harness_identity(options.sandbox), python.identity())
        outcomes = OutcomeSource(environment, ResultCache(store, harness))
        transcripts = load_transcripts(assignment, assignment.tests)
        setting = TrialSetting(assignment, transcripts, outcomes, backend.submissions_at_a_time)
        samples = samples_in(found.folder / "submissions" / assignment.id)
        faults = _faults(setting, environment, samples, progress)
        depth = TrialDepth.EVERY_TEST if options.matrix else TrialDepth.UNTIL_CAUGHT
        trials = _trials(setting, mutants, depth, progress)
    known = {mutant.id for mutant in mutants} if options.sample is None else None
    report = sum_up(assignment, trials, settings.equivalent, known, depth)
    return AuditedTests(assignment=assignment, report=report, settings=settings, faults=tuple(faults))


def _references(assignment: Assignment) -> list[BaseProgram]:
    for program in assignment.programs:
        if program.reference.suffix != ".py":
            raise AuditError(f"{program.reference.name} is not in Python; only references in Python can be mutated.")
    return list(references(assignment))


def _by_operators(bases: Sequence[BaseProgram], leave: Sequence[str], options: AuditOptions) -> list[Mutant]:
    found = [site for base in bases for site in spots(base, leave)]
    if options.sample is not None and options.sample < len(found):
        found = random.Random(options.seed).sample(found, options.sample)
    return list(mutants_at(found))


def _faults(
    setting: TrialSetting, environment: RunEnvironment, samples: Sequence[Path], progress: Progress
) -> list[str]:
    """What is wrong with the tests whatever mutants come to."""
    assignment = setting.assignment
    with progress("Running the references", _TIMES * len(list(answered(assignment, assignment.tests)))) as tick:
        faults = list(changing_tests(assignment, environment, times=_TIMES, jobs=setting.jobs, tick=tick))
    with progress("Grading the samples", len(samples) * len(assignment.tests)) as tick:
        return [*faults, *broken_samples(setting, samples, tick)]


def _trials(
    setting: TrialSetting, mutants: Sequence[Mutant], depth: TrialDepth, progress: Progress
) -> list[MutantTrial]:
    bases = list(dict.fromkeys(mutant.base for mutant in mutants))
    steps = sum(test.program == base.file for base in bases for test in setting.assignment.tests)
    with progress("Seeing what tests reach", steps) as tick:
        runs = run_bases(setting, bases, tick)
    with progress("Trying mutants", len(mutants)) as tick:
        return list(try_mutants(setting, mutants, runs, depth, tick))
