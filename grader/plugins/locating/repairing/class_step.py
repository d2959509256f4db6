"""The step `repair`: looks for a proved repair of each failing program of a class."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from grader.api.class_step import ClassStep
from grader.api.course import course_for
from grader.api.environment import local_backend
from grader.api.request import GradeRequest, Progress
from grader.expected.transcripts import ExpectedTranscripts, load_transcripts
from grader.files.source_text import NoSourceError, source_text
from grader.grading.grade_submission import grade_submission, open_grading
from grader.grading.result_cache import OutcomeSource
from grader.intake.class_folder import beside
from grader.model.assignment import Assignment
from grader.model.judgement import Verdict
from grader.model.program import Program
from grader.model.results import ClassResult, GradedSubmission, TestResult
from grader.model.submission import Submission
from grader.plugins.auditing.outcomes import open_outcomes
from grader.plugins.locating.repairing.edited_source import edited_source
from grader.plugins.locating.repairing.finding import ProgramRepair, Repairs, code_diff
from grader.plugins.locating.repairing.search import Goal, Repair, RepairSearch
from grader.plugins.locating.repairing.trial import ProgramTrial, RepairError, can_be_tried
from grader.plugins.locating.repairing.words import edit_words
from grader.store.database import default_store, open_store

_MOST_SECONDS = 20.0


@dataclass(frozen=True, kw_only=True)
class FailingProgram:
    """A program of a submission, its text, and the results of its tests, some of which fail."""

    name: str
    text: str
    graded: GradedSubmission
    results: Sequence[TestResult]

    @property
    def failed(self) -> list[TestResult]:
        """The failed tests, in the order of the assignment."""
        return [result for result in self.results if result.verdict is not Verdict.PASSED]

    def goals(self) -> Iterator[Goal]:
        """Yield goals from the greatest to the least: all failed tests, then those with the cause of the first."""
        passed = frozenset(result.test.id for result in self.results) - {result.test.id for result in self.failed}
        first = self.failed[0]
        same = [result for result in self.failed if _cause(result) == _cause(first)]
        for failed in (self.failed, same) if len(same) < len(self.failed) else (self.failed,):
            yield Goal(mend=frozenset(result.test.id for result in failed), passed=passed)


@dataclass(frozen=True, kw_only=True)
class ClassRepairs:
    """The search for repairs in a class: `accepted` holds programs that pass all their tests, by name."""

    assignment: Assignment
    transcripts: ExpectedTranscripts
    outcomes: OutcomeSource
    accepted: Mapping[str, Sequence[str]]
    clock: Callable[[], float] = monotonic

    def of_submission(self, graded: GradedSubmission) -> Iterator[ProgramRepair]:
        """Yield the repairs of its programs; a program that cannot be read, tried or mended has none."""
        for program in failing_programs(self.assignment, graded):
            with suppress(*RepairError):
                repair = self._repair(program)
                if repair is not None:
                    yield repair

    def _repair(self, program: FailingProgram) -> ProgramRepair | None:
        end = self.clock() + _MOST_SECONDS
        for goal in program.goals():
            repair = self._search(program, goal, end)
            if repair is not None:
                text = edited_source(program.text, repair.edits)
                if goal.holds(self._passes(program, text)):
                    return _described(program, repair, text)
        return None

    def _search(self, program: FailingProgram, goal: Goal, end: float) -> Repair | None:
        submission = program.graded.submission
        tests = sorted((result.test for result in program.results), key=lambda test: test.id not in goal.mend)
        with open_grading(self.assignment, tests, self.transcripts, submission, self.outcomes) as grading:
            trial = ProgramTrial(
                program=program.name,
                variant=program.graded.variants[program.name],
                tests=tests,
                grading=grading,
                environment=self.outcomes.environment,
                clock=self.clock,
                end=end,
            )
            accepted = self.accepted.get(program.name, ())
            return RepairSearch(text=program.text, accepted=accepted, try_programs=trial.passes).find(goal)

    def _passes(self, program: FailingProgram, text: str) -> frozenset[str]:
        """Grade the repaired submission with all tests, and return the ids of those that pass."""
        with TemporaryDirectory(prefix="grader-repair-") as folder:
            submission = _with_text(program.graded.submission, program.name, text, Path(folder))
            graded = grade_submission(
                self.assignment,
                self.assignment.tests,
                self.transcripts,
                submission,
                self.outcomes,
                tick=lambda: None,
            )
        return frozenset(result.test.id for result in graded.results if result.verdict is Verdict.PASSED)


def failing_programs(assignment: Assignment, graded: GradedSubmission) -> Iterator[FailingProgram]:
    """Yield the programs of a submission that fail tests and can be tried under other names."""
    results: dict[str, list[TestResult]] = defaultdict(list)
    for result in graded.results:
        results[result.test.program].append(result)
    for program in assignment.programs:
        of_program = results[program.file]
        file = graded.submission.file(program.file)
        if file is None or not of_program or not all(map(can_be_tried, of_program)):
            continue
        with suppress(NoSourceError):
            failing = FailingProgram(name=program.file, text=source_text(file.path), graded=graded, results=of_program)
            if failing.failed:
                yield failing


def accepted_programs(assignment: Assignment, graded: ClassResult) -> dict[str, Sequence[str]]:
    """Return the texts that pass all tests of a program, by the program's name: students' and the reference."""
    return {program.file: tuple(dict.fromkeys(_accepted(program, graded))) for program in assignment.programs}


def _accepted(program: Program, graded: ClassResult) -> Iterator[str]:
    files = [program.reference] if program.reference.is_file() else []
    for row in graded.rows:
        results = [result for result in row.graded.results if result.test.program == program.file]
        file = row.graded.submission.file(program.file)
        if file and results and all(result.verdict is Verdict.PASSED for result in results):
            files.append(file.path)
    for path in files:
        with suppress(NoSourceError):
            yield source_text(path)


def find_repairs(graded: ClassResult, request: GradeRequest, progress: Progress) -> Mapping[str, Repairs]:
    """Return the repairs of the programs of a class, by student. Raises GraderError if nothing can be run."""
    assignment = graded.assignment
    failing = [row for row in graded.rows if any(failing_programs(assignment, row.graded))]
    if not failing:
        return {}
    course = course_for(request.course, request.folder)
    hidden = (course.folder.resolve(), beside(request.folder).resolve())
    backend = local_backend(request.options.sandbox, hidden, request.options.jobs)
    found: dict[str, list[ProgramRepair]] = {}
    with (
        open_store(request.options.store or default_store(course.folder)) as store,
        open_outcomes(assignment, backend, store, progress) as (_, outcomes),
        progress(f"Looking for repairs of {assignment.id}", len(failing)) as tick,
    ):
        search = ClassRepairs(
            assignment=assignment,
            transcripts=load_transcripts(assignment, assignment.tests),
            outcomes=outcomes,
            accepted=accepted_programs(assignment, graded),
        )
        for row in failing:
            found[row.student] = list(search.of_submission(row.graded))
            tick()
    return {student: Repairs(programs) for student, programs in _shared(found).items() if programs}


def _shared(repairs: Mapping[str, Sequence[ProgramRepair]]) -> dict[str, tuple[ProgramRepair, ...]]:
    """Add to each repair the other students with the same one."""
    students: dict[tuple[str, tuple[str, ...]], list[str]] = defaultdict(list)
    for student, of_student in repairs.items():
        for repair in of_student:
            students[repair.program, repair.changes].append(student)
    return {
        student: tuple(
            replace(
                repair,
                shared_with=tuple(name for name in students[repair.program, repair.changes] if name != student),
            )
            for repair in of_student
        )
        for student, of_student in repairs.items()
    }


def _cause(result: TestResult) -> str:
    diagnosis = result.judgement.diagnosis
    return diagnosis.cause.id if diagnosis else result.verdict


def _with_text(submission: Submission, name: str, text: str, folder: Path) -> Submission:
    path = folder / Path(name).name
    path.write_text(text, encoding="utf-8")
    files = tuple(replace(file, path=path) if file.name == name else file for file in submission.files)
    return replace(submission, files=files)


def _described(program: FailingProgram, repair: Repair, text: str) -> ProgramRepair:
    mended = tuple(result.test.id for result in program.failed if result.test.id in repair.passes)
    return ProgramRepair(
        program=program.name,
        changes=tuple(edit_words(program.text, edit) for edit in repair.edits),
        diff=code_diff(program.name, program.text, text),
        mended=mended,
        failing=len(program.failed) - len(mended),
    )


STEP = ClassStep(about="Look for a small change that mends each failing program.", find=find_repairs)
