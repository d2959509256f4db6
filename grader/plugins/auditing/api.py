"""Audits the tests of an assignment: puts mistakes into correct programs and checks which tests notice them."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random

from grader.api.course import course_for
from grader.api.environment import local_backend
from grader.api.grade import grade_classes
from grader.api.request import FilePath, GradeOptions, GradeRequest, Progress, no_progress
from grader.authoring.generate import answered
from grader.expected.transcripts import load_transcripts
from grader.intake.class_folder import beside
from grader.model.assignment import Assignment
from grader.model.program import SandboxKind
from grader.model.results import ClassResult
from grader.plugins.auditing.audit_file import AuditSettings, read_audit_settings
from grader.plugins.auditing.base_program import AcceptedPrograms, BaseProgram, accepted_programs, references
from grader.plugins.auditing.base_run import TrialSetting, run_bases
from grader.plugins.auditing.mutants import (
    AuditError,
    Mutant,
    in_any_order,
    in_turn,
    mutants_at,
    mutation_sites,
    paired,
)
from grader.plugins.auditing.outcomes import open_outcomes
from grader.plugins.auditing.report import AuditReport, sum_up
from grader.plugins.auditing.samples import broken_samples, samples_in
from grader.plugins.auditing.trial import MutantTrial, TrialDepth, stale_expected_files, try_mutants
from grader.run.environment import RunEnvironment
from grader.store.database import default_store, open_store

_PAIRS = 2


@dataclass(frozen=True, kw_only=True)
class AuditOptions:
    """The options of an audit.

    `sample` is the number of operator mutants to try, drawn evenly from the programs using `seed`; None means all.
    `order` is the number of mistakes in each mutant, 1 or 2. With `matrix`, every test is tried on each mutant.
    Otherwise, testing a mutant stops once a test catches it. `jobs` is the number of sessions to run in parallel, two
    per core by default.
    """

    sample: int | None = None
    seed: int = 1
    order: int = 1
    matrix: bool = False
    jobs: int | None = None
    sandbox: SandboxKind = SandboxKind.BWRAP


@dataclass(frozen=True, kw_only=True)
class AuditedTests:
    """The results of an audit: the trials of mutants, the reasons why some are equivalent, and faults in the tests.

    `notes` lists the programs that could not be mutated.
    """

    assignment: Assignment
    report: AuditReport
    settings: AuditSettings
    faults: tuple[str, ...]
    notes: tuple[str, ...] = ()

    def is_good(self, min_percent: float) -> bool:
        """Return whether the tests have no faults and catch at least `min_percent` of the mutants."""
        bad = self.faults or self.report.wrongly_marked or self.report.stale_marks
        return not bad and self.report.share * 100 >= min_percent


def audit(
    assignment_id: str,
    submissions: FilePath | None = None,
    *,
    course: FilePath | None = None,
    options: AuditOptions = AuditOptions(),
    progress: Progress = no_progress,
) -> AuditedTests:
    """Audit the tests of an assignment: put mistakes into correct programs and see which tests notice.

    The correct programs are the references, and the `submissions` that pass all tests. Raises AuditError if a program
    cannot be mutated or no submission passes, or another GraderError if the assignment cannot be graded.
    """
    course_of_tests = course_for(Path(course) if course is not None else None, Path.cwd())
    assignment = course_of_tests.assignment(assignment_id)
    hidden = (course_of_tests.folder.resolve(), *([] if submissions is None else [beside(Path(submissions)).resolve()]))
    backend = local_backend(options.sandbox, hidden, options.jobs)
    with ExitStack() as stack:
        store = stack.enter_context(open_store(default_store(course_of_tests.folder)))
        accepted = AcceptedPrograms((), ())
        if submissions is not None:
            graded_as = GradeOptions(sandbox=options.sandbox, jobs=options.jobs)
            request = GradeRequest(
                folder=Path(submissions), assignment=assignment.id, course=course_of_tests.folder, options=graded_as
            )
            # The files of an archive are deleted when the next class is requested.
            classes = grade_classes(request, store=store, progress=progress)
            accepted = _accepted_programs(assignment, request, next(classes))
        environment, outcomes = stack.enter_context(open_outcomes(assignment, backend, store, progress))
        with progress("Making mutants", 0):
            base_programs = _references(assignment)
            settings = read_audit_settings(assignment, base_programs)
            mutants = [*settings.mutants, *_operator_mutants([*base_programs, *accepted.bases], settings, options)]
        transcripts = load_transcripts(assignment, assignment.tests)
        setting = TrialSetting(assignment, transcripts, outcomes, backend.submissions_at_a_time)
        samples = samples_in(course_of_tests.folder / "submissions" / assignment.id)
        faults = _faults_in_tests(setting, environment, samples, progress)
        depth = TrialDepth.EVERY_TEST if options.matrix else TrialDepth.UNTIL_CAUGHT
        trials = _trials(setting, mutants, depth, progress)
    all_made = options.sample is None and options.order == 1
    names = {mutant.id for mutant in mutants} if all_made else None
    report = sum_up(assignment, trials, settings.equivalent, names, depth)
    return AuditedTests(
        assignment=assignment, report=report, settings=settings, faults=tuple(faults), notes=accepted.unreadable
    )


def _accepted_programs(assignment: Assignment, request: GradeRequest, graded: ClassResult) -> AcceptedPrograms:
    """Return the programs in a class that pass all tests."""
    if not graded.accepted:
        raise AuditError(f"No submission in {request.folder} passes all tests of {assignment.id}: audit without them.")
    return accepted_programs(assignment, graded.accepted)


def _references(assignment: Assignment) -> list[BaseProgram]:
    for program in assignment.programs:
        if program.reference.suffix != ".py":
            raise AuditError(f"{program.reference.name} is not in Python; only references in Python can be mutated.")
    return list(references(assignment))


def _operator_mutants(bases: Sequence[BaseProgram], settings: AuditSettings, options: AuditOptions) -> list[Mutant]:
    if options.sample is None and options.order == 1:
        return list(mutants_at([site for base in bases for site in mutation_sites(base, settings.leave)]))
    shuffled = Random(options.seed).sample(bases, len(bases))
    pools = [in_any_order(base, settings.leave, options.seed) for base in shuffled]
    if options.order == _PAIRS:
        # A mutant that is paired with an equivalent one would still contain only one mistake.
        pools = [paired(mutant for mutant in pool if mutant.id not in settings.equivalent) for pool in pools]
    return list(islice(in_turn(pools), options.sample))


def _faults_in_tests(
    setting: TrialSetting, environment: RunEnvironment, samples: Sequence[Path], progress: Progress
) -> list[str]:
    """List faults in the tests before trying any mutants."""
    assignment = setting.assignment
    with progress("Running the references", len(list(answered(assignment, assignment.tests)))) as tick:
        faults = list(stale_expected_files(assignment, environment, jobs=setting.jobs, tick=tick))
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
