"""Looks for a proved repair of each failing program of a class."""

import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from threading import Event, current_thread, main_thread
from types import FrameType

from grader.api.course import course_for
from grader.api.environment import hidden_folders, local_backend
from grader.api.request import GradeRequest, Progress
from grader.expected.transcripts import load_transcripts
from grader.grading.result_cache import OutcomeSource, ResultCache
from grader.model.results import ClassResult
from grader.plugins.locating.repairing.failing import MendedProgram, accepted_programs, failing_programs
from grader.plugins.locating.repairing.finding import Repairs, SearchResult, with_others
from grader.plugins.locating.repairing.kept import kept_result
from grader.plugins.locating.repairing.languages import PYTHON, language_of
from grader.plugins.locating.repairing.repairer import MAX_SECONDS, Repairer, read_accepted
from grader.plugins.locating.repairing.same_mistakes import with_shared_words
from grader.run.environment import RunEnvironment
from grader.run.run_slots import cores, thread_pool
from grader.run.student_python import student_python
from grader.store.database import default_store, open_store
from grader.store.provenance import harness_identity
from grader.text.words import some_of

_MAX_NAMED = 12
_SESSIONS = "fuzz.yaml"


def find_repairs(
    graded: ClassResult, request: GradeRequest, progress: Progress, cancelled: Event
) -> Mapping[str, Repairs]:
    """Return the repairs of the programs of a class, by student. Raises GraderError if nothing can be run."""
    assignment = graded.assignment
    programs = {row.student: list(failing_programs(assignment, row.graded)) for row in graded.rows}
    failing = {student: of_student for student, of_student in programs.items() if of_student}
    if not failing or graded.not_graded:
        return {}
    with _open_outcomes(graded, request, progress, cancelled) as (environment, archive):
        transcripts = load_transcripts(assignment, assignment.tests)
        outcomes = OutcomeSource(environment, archive)
        repairer = Repairer(assignment=assignment, transcripts=transcripts, outcomes=outcomes)
        accepted = accepted_programs(assignment, graded)
        versions = {name: read_accepted(texts, language_of(name) or PYTHON) for name, texts in accepted.items()}
        jobs = request.options.jobs or cores()
        sessions = list(assignment.folder.glob(_SESSIONS))
        distinct = {_key(program): program for of_student in failing.values() for program in of_student}
        with (
            _terminated_by(cancelled),
            progress(f"Looking for repairs of {assignment.id}", len(distinct)) as tick,
            thread_pool(jobs, cancelled.set) as pool,
        ):

            def search(program: MendedProgram) -> SearchResult:
                texts = accepted[program.name]
                result = kept_result(
                    archive, program, texts, lambda: repairer.repair(program, versions[program.name]), sessions
                )
                tick()
                return result

            results = dict(zip(distinct, pool.map(search, distinct.values()), strict=True))
    repairs = {student: _repairs(of_student, results) for student, of_student in failing.items()}
    return with_others(with_shared_words(_with_remark(repairs, is_cancelled=cancelled.is_set()), graded))


def _with_remark(repairs: Mapping[str, Repairs], *, is_cancelled: bool) -> Mapping[str, Repairs]:
    """Add to each unfinished search for which students the searches are not finished."""
    names = some_of([student for student, of_student in repairs.items() if of_student.out_of_time], _MAX_NAMED)
    if is_cancelled:
        remark = f"the search for repairs was interrupted, and is not finished for {names}: the same command goes on"
    else:
        remark = f"the search for repairs ended at its limit of {MAX_SECONDS:g} s for {names}"
    return {
        student: replace(of_student, remark=remark) if of_student.out_of_time else of_student
        for student, of_student in repairs.items()
    }


@contextmanager
def _terminated_by(cancelled: Event) -> Iterator[None]:
    """Make the first SIGTERM cancel the search, so that the reports are written as far as it got."""
    if current_thread() is not main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGTERM)

    def cancel(_number: int, _frame: FrameType | None) -> None:
        cancelled.set()
        signal.signal(signal.SIGTERM, before)

    signal.signal(signal.SIGTERM, cancel)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _key(program: MendedProgram) -> object:
    """Return the same value for equal programs of submissions with equal files."""
    return program.name, program.graded.digest


def _repairs(programs: Sequence[MendedProgram], results: Mapping[object, SearchResult]) -> Repairs:
    of_programs = [(program.name, results[_key(program)]) for program in programs]
    return Repairs(
        programs=tuple(result.repair for _, result in of_programs if result.repair),
        out_of_time=tuple(name for name, result in of_programs if result.out_of_time),
    )


@contextmanager
def _open_outcomes(
    graded: ClassResult, request: GradeRequest, progress: Progress, cancelled: Event
) -> Iterator[tuple[RunEnvironment, ResultCache]]:
    course = course_for(request.course, request.folder)
    hidden = hidden_folders(course.folder, request.folder)
    backend = local_backend(request.options.sandbox, hidden, request.options.jobs)
    python = student_python(graded.assignment.python, lambda task: progress(task, 0))
    with (
        open_store(request.options.store or default_store(course.folder)) as store,
        backend.open_environment(python, cancelled) as environment,
    ):
        yield environment, ResultCache(store, harness_identity(backend.sandbox), request.options.no_cache).of(python)
