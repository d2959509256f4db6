"""Looks for a proved repair of each failing program of a class."""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from grader.api.course import course_for
from grader.api.environment import local_backend
from grader.api.request import GradeRequest, Progress
from grader.expected.transcripts import load_transcripts
from grader.grading.result_cache import OutcomeSource, ResultCache
from grader.intake.class_folder import beside
from grader.model.results import ClassResult
from grader.plugins.locating.repairing.failing import MendedProgram, accepted_programs, failing_programs
from grader.plugins.locating.repairing.finding import ProgramRepair, Repairs, code_diff, with_others
from grader.plugins.locating.repairing.repairer import ProvedRepair, Repairer, SearchEnd, read_accepted
from grader.plugins.locating.repairing.words import repair_changes
from grader.run.run_slots import cores
from grader.run.student_python import student_python
from grader.store.database import default_store, open_store
from grader.store.provenance import harness_identity, run_identity


def find_repairs(graded: ClassResult, request: GradeRequest, progress: Progress) -> Mapping[str, Repairs]:
    """Return the repairs of the programs of a class, by student. Raises GraderError if nothing can be run."""
    assignment = graded.assignment
    programs = {row.student: list(failing_programs(assignment, row.graded)) for row in graded.rows}
    failing = {student: of_student for student, of_student in programs.items() if of_student}
    if not failing or graded.not_graded:
        return {}
    with _open_outcomes(graded, request, progress) as outcomes:
        repairer = Repairer(
            assignment=assignment,
            transcripts=load_transcripts(assignment, assignment.tests),
            outcomes=outcomes,
        )
        accepted = {name: read_accepted(texts) for name, texts in accepted_programs(assignment, graded).items()}
        jobs = request.options.jobs or cores()
        distinct = {_key(program): program for of_student in failing.values() for program in of_student}
        with (
            progress(f"Looking for repairs of {assignment.id}", len(distinct)) as tick,
            ThreadPoolExecutor(jobs) as pool,
        ):

            def end(program: MendedProgram) -> SearchEnd:
                found = repairer.repair(program, accepted[program.name])
                tick()
                return found

            ends = dict(zip(distinct, pool.map(end, distinct.values()), strict=True))
    return with_others({student: _repairs(of_student, ends) for student, of_student in failing.items()})


def _key(program: MendedProgram) -> object:
    """Return the same value for equal programs of submissions with equal files."""
    return program.name, program.graded.digest


def _repairs(programs: Sequence[MendedProgram], ends: Mapping[object, SearchEnd]) -> Repairs:
    ends_of_programs = [(program, ends[_key(program)]) for program in programs]
    return Repairs(
        programs=tuple(_described(program, end.repair) for program, end in ends_of_programs if end.repair),
        out_of_time=tuple(program.name for program, end in ends_of_programs if end.out_of_time),
    )


@contextmanager
def _open_outcomes(graded: ClassResult, request: GradeRequest, progress: Progress) -> Iterator[OutcomeSource]:
    course = course_for(request.course, request.folder)
    hidden = (course.folder.resolve(), beside(request.folder).resolve())
    backend = local_backend(request.options.sandbox, hidden, request.options.jobs)
    python = student_python(graded.assignment.python, lambda task: progress(task, 0))
    harness = run_identity(harness_identity(backend.sandbox), python.identity())
    with (
        open_store(request.options.store or default_store(course.folder)) as store,
        backend.open_environment(python) as environment,
    ):
        yield OutcomeSource(environment, ResultCache(store, harness))


def _described(program: MendedProgram, repair: ProvedRepair) -> ProgramRepair:
    return ProgramRepair(
        program=program.name,
        changes=repair_changes(program.text, repair.edits),
        tokens=repair.tokens,
        diff=code_diff(program.name, program.text, repair.text),
        repaired_tests=repair.mended,
        failing=len(program.failed) - len(repair.mended),
    )
