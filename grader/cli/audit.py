"""`grader audit`: how good the tests of an assignment are."""

import random
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from rich.console import Console

from grader.authoring.audit.audit_file import AuditSettings, read_audit_settings, read_reference
from grader.authoring.audit.mutants import AuditError, Mutant, MutationSite, mutants_at, spots
from grader.authoring.audit.soundness import broken_samples, changing_tests
from grader.authoring.audit.trial import AuditReport, audit, try_mutants
from grader.cli.find import course_for
from grader.cli.progress import progress_bar
from grader.expected.transcripts import ExpectedTranscripts, load_transcripts
from grader.grading.backend import LocalBackend
from grader.grading.result_cache import OutcomeSource, ResultCache
from grader.model.assignment import Assignment
from grader.model.limits import SandboxKind
from grader.reports.terminal.audit import audit_lines
from grader.run.core_slots import cores
from grader.store.database import default_store, open_store
from grader.store.provenance import harness_identity

_TIMES = 3


def run_audit(
    assignment_id: str,
    course_folder: Path | None,
    *,
    sample: int | None,
    seed: int,
    least: float,
    jobs: int | None,
    sandbox: SandboxKind,
) -> int:
    """Audit the tests of an assignment; returns the exit code: 1 when something is wrong with them.

    `sample` is the number of mutants made by operators that are tried, chosen by `seed`; None means all. `least` is the
    share of the mutants, in percent, that must be caught.
    """
    course = course_for(course_folder, Path.cwd())
    assignment = course.assignment(assignment_id)
    machine = LocalBackend(sandbox, jobs or cores(), (course.folder.resolve(),))
    machine.check()
    catalogue = read_audit_settings(assignment)
    mutants = [*catalogue.mutants, *_by_operators(assignment, catalogue.leave, sample, seed)]
    with open_store(default_store(course.folder)) as store, machine.bench() as bench:
        outcomes = OutcomeSource(bench, ResultCache(store, harness_identity(sandbox)))
        faults = list(changing_tests(assignment, bench, times=_TIMES, jobs=machine.tests_at_a_time))
        samples = course.folder / "submissions" / assignment.id
        transcripts = load_transcripts(assignment, assignment.tests)
        faults += broken_samples(assignment, samples, transcripts, outcomes)
        found = _audit(assignment, mutants, catalogue, transcripts, outcomes, machine, everything=sample is None)
    console = Console(highlight=False)
    for line in audit_lines(assignment, found, catalogue.equivalent, faults):
        console.print(line, soft_wrap=True)
    bad = faults or found.wrongly_marked or found.stale_marks or found.share * 100 < least
    return 1 if bad else 0


def _by_operators(assignment: Assignment, leave: Sequence[str], sample: int | None, seed: int) -> list[Mutant]:
    found: list[MutationSite] = []
    for program in assignment.programs:
        if program.reference.suffix != ".py":
            raise AuditError(f"{program.reference.name} is not in Python; only references in Python can be mutated.")
        found += spots(program.file, read_reference(program.reference), leave)
    if sample is not None and sample < len(found):
        found = random.Random(seed).sample(found, sample)
    return list(mutants_at(found))


def _audit(
    assignment: Assignment,
    mutants: list[Mutant],
    catalogue: AuditSettings,
    transcripts: ExpectedTranscripts,
    outcomes: OutcomeSource,
    machine: LocalBackend,
    *,
    everything: bool,
) -> AuditReport:
    with progress_bar("mutants") as progress:
        task = progress.add_task(assignment.id, total=len(mutants))
        trials = list(
            try_mutants(
                assignment,
                mutants,
                transcripts,
                outcomes,
                jobs=machine.submissions_at_a_time,
                tick=partial(progress.advance, task),
            )
        )
    known = {mutant.id for mutant in mutants} if everything else None
    return audit(assignment, trials, catalogue.equivalent, known)
