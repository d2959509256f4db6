"""The step `repair`: looks for a proved repair of each failing program of a class."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from grader.api.class_step import ClassStep
from grader.api.course import course_for
from grader.api.environment import local_backend
from grader.api.request import GradeRequest, Progress
from grader.expected.transcripts import load_transcripts
from grader.grading.result_cache import OutcomeSource, ResultCache
from grader.intake.class_folder import beside
from grader.model.results import ClassResult
from grader.plugins.locating.repairing.failing import MendedProgram, accepted_programs, failing_programs
from grader.plugins.locating.repairing.finding import ProgramRepair, Repairs, code_diff, with_others
from grader.plugins.locating.repairing.repairer import Accepted, ProvedRepair, Repairer, SearchEnd, read_accepted
from grader.plugins.locating.repairing.words import edit_words
from grader.run.student_python import student_python
from grader.store.database import default_store, open_store
from grader.store.provenance import harness_identity, run_identity


def find_repairs(graded: ClassResult, request: GradeRequest, progress: Progress) -> Mapping[str, Repairs]:
    """Return the repairs of the programs of a class, by student. Raises GraderError if nothing can be run."""
    assignment = graded.assignment
    programs = {row.student: list(failing_programs(assignment, row.graded)) for row in graded.rows}
    failing = {student: of_student for student, of_student in programs.items() if of_student}
    if not failing:
        return {}
    with _open_outcomes(graded, request, progress) as outcomes:
        repairer = Repairer(
            assignment=assignment,
            transcripts=load_transcripts(assignment, assignment.tests),
            outcomes=outcomes,
        )
        accepted = {name: read_accepted(texts) for name, texts in accepted_programs(assignment, graded).items()}
        search = _ClassSearch(repairer, accepted)
        with progress(f"Looking for repairs of {assignment.id}", len(failing)) as tick:
            repairs = {}
            for student, of_student in failing.items():
                repairs[student] = Repairs(tuple(search.of_programs(of_student)))
                tick()
    return with_others({student: of_student for student, of_student in repairs.items() if of_student.programs})


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


@dataclass(frozen=True)
class _ClassSearch:
    """The search in a class, where equal programs with equal results are searched once."""

    repairer: Repairer
    accepted: Mapping[str, Accepted]
    ends: dict[object, SearchEnd] = field(default_factory=dict)

    def of_programs(self, programs: Sequence[MendedProgram]) -> Iterator[ProgramRepair]:
        """Yield the repairs of the programs of a submission."""
        for program in programs:
            key = program.name, program.graded.digest
            if key not in self.ends:
                self.ends[key] = self.repairer.repair(program, self.accepted[program.name])
            repair = self.ends[key].repair
            if repair is not None:
                yield _described(program, repair)


def _described(program: MendedProgram, repair: ProvedRepair) -> ProgramRepair:
    return ProgramRepair(
        program=program.name,
        changes=tuple(edit_words(program.text, edit) for edit in repair.edits),
        diff=code_diff(program.name, program.text, repair.text),
        mended=repair.mended,
        failing=len(program.failed) - len(repair.mended),
    )


STEP = ClassStep(about="Look for a small change that mends each failing program.", find=find_repairs)
