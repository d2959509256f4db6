"""Plays random sessions with a class to find submissions that pass all tests but differ from the reference."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from grader.api.course import course_for, reports_folder
from grader.api.environment import hidden_folders, local_backend
from grader.api.grade import grade_classes
from grader.api.request import FilePath, GradeOptions, GradeRequest, Progress, no_progress
from grader.expected.transcripts import ExpectedTranscripts, load_transcripts
from grader.grading.result_cache import OutcomeSource, ResultCache
from grader.model.assignment import Assignment
from grader.model.program import Program, SandboxKind
from grader.model.results import GradedSubmission
from grader.plugins.searching.fuzzing.add_tests import AddedTests, add_sessions
from grader.plugins.searching.fuzzing.fuzz_file import FuzzError
from grader.plugins.searching.fuzzing.playing.field import PlayingField
from grader.plugins.searching.fuzzing.probe import AcceptedSubmission, passing_variants
from grader.plugins.searching.fuzzing.search import PlanFindings, PlanSearch, refuse_without_hypothesis
from grader.plugins.searching.fuzzing.session_plan import FuzzPlan, read_plans
from grader.reports.probing import ProbedSubmissions, probing_file, write_probing
from grader.run.environment import RunEnvironment
from grader.run.student_python import student_python
from grader.spec.course import Course
from grader.store.database import ResultStore, default_store, open_store
from grader.store.provenance import harness_identity


@dataclass(frozen=True, kw_only=True)
class FuzzOptions:
    """Options for playing: the number of `sessions` per plan, the `seed`, and the `seconds` for all.

    `jobs` is the number of sessions to run in parallel, two per core by default. `clock` returns seconds.
    """

    sessions: int = 300
    seconds: float = 300.0
    seed: int = 1
    jobs: int | None = None
    sandbox: SandboxKind = SandboxKind.BWRAP
    clock: Callable[[], float] = monotonic


@dataclass(frozen=True, kw_only=True)
class FuzzedClass:
    """The findings of random sessions with a class.

    `accepted` maps the students whose submissions pass all tests to the digests of their submissions.
    """

    assignment: Assignment
    accepted: Mapping[str, str]
    findings: tuple[PlanFindings, ...]

    @property
    def differing(self) -> tuple[str, ...]:
        """The accepted students whose submissions differ from the reference."""
        named = (
            name
            for findings_of_plan in self.findings
            for shared in findings_of_plan.differences
            for name in shared.students
        )
        return tuple(dict.fromkeys(named))

    @property
    def played(self) -> int:
        """The number of sessions played for all plans."""
        return sum(findings_of_plan.played for findings_of_plan in self.findings)


def fuzz(
    assignment_id: str,
    submissions: FilePath | None = None,
    *,
    course: FilePath | None = None,
    options: FuzzOptions = FuzzOptions(),
    progress: Progress = no_progress,
) -> FuzzedClass:
    """Grade a class, and play the sessions of fuzz.yaml with the submissions that pass all tests.

    `submissions` are by default in the course's submissions/ID. Raises FuzzError if there is nothing to play or no
    submission to play with, or another GraderError if the class cannot be graded.
    """
    refuse_without_hypothesis()
    course_found = course_for(Path(course) if course is not None else None, Path.cwd())
    assignment = course_found.assignment(assignment_id)
    plans = read_plans(assignment)
    folder = Path(submissions) if submissions is not None else course_found.folder / "submissions" / assignment.id
    graded_as = GradeOptions(sandbox=options.sandbox, jobs=options.jobs)
    request = GradeRequest(folder=folder, assignment=assignment.id, course=course_found.folder, options=graded_as)
    with open_store(default_store(course_found.folder)) as store:
        # The files of an archive are deleted when the next class is requested.
        classes = grade_classes(request, store=store, progress=progress)
        accepted = next(classes).accepted
        if not accepted:
            raise FuzzError(
                f"No submission in {folder} passes all tests of {assignment.id}: there is none to play with."
            )
        with _opened(course_found, assignment, folder, options, progress) as (environment, jobs):
            fuzzing = _Fuzzing(
                assignment=assignment, accepted=accepted, environment=environment, jobs=jobs, options=options
            )
            findings = tuple(fuzzing.findings(plans, store, progress))
    return FuzzedClass(assignment=assignment, accepted=_digests(accepted), findings=findings)


def save_findings(fuzzed: FuzzedClass, reports: FilePath | None = None, *, course: FilePath | None = None) -> None:
    """Save the findings for the web pages about the class; `reports` is by default the folder in the course.

    Raises ReportError if it cannot be written.
    """
    differs = {digest: student in fuzzed.differing for student, digest in fuzzed.accepted.items()}
    file = probing_file(reports_folder(reports, course, Path.cwd()), fuzzed.assignment.id)
    write_probing(file, ProbedSubmissions(fuzzed.played, differs))


def add_found_tests(
    fuzzed: FuzzedClass,
    *,
    course: FilePath | None = None,
    options: FuzzOptions = FuzzOptions(),
    progress: Progress = no_progress,
) -> tuple[AddedTests, ...]:
    """Add a test for each session in which submissions differ, unless one exists, and write the expected files.

    Raises FuzzError or another GraderError if they cannot be added to a file.
    """
    course_found = course_for(Path(course) if course is not None else None, Path.cwd())
    assignment = fuzzed.assignment
    added = []
    with _opened(course_found, assignment, course_found.folder, options, progress) as (environment, jobs):
        for item in fuzzed.findings:
            # Each addition builds on the ones before.
            fresh = course_found.assignment(assignment.id)
            sessions = [shared.difference.session for shared in item.differences]
            added.append(add_sessions(course_found, fresh, item.plan, sessions, environment, jobs=jobs))
    return tuple(item for item in added if item is not None)


@contextmanager
def _opened(
    course: Course, assignment: Assignment, folder: Path, options: FuzzOptions, progress: Progress
) -> Iterator[tuple[RunEnvironment, int]]:
    """Open the environment in which programs run, and yield it with the number of programs that may run in parallel."""
    hidden = hidden_folders(course.folder, folder)
    backend = local_backend(options.sandbox, hidden, options.jobs)
    with backend.open_environment(student_python(assignment.python, lambda task: progress(task, 0))) as environment:
        yield environment, backend.submissions_at_a_time


def _digests(accepted: Sequence[tuple[GradedSubmission, tuple[str, ...]]]) -> dict[str, str]:
    return {student: graded.digest for graded, students in accepted for student in students}


@dataclass(frozen=True, kw_only=True)
class _Fuzzing:
    """The random sessions of a class."""

    assignment: Assignment
    accepted: Sequence[tuple[GradedSubmission, tuple[str, ...]]]
    environment: RunEnvironment
    jobs: int
    options: FuzzOptions

    def findings(self, plans: Sequence[FuzzPlan], store: ResultStore, progress: Progress) -> Iterator[PlanFindings]:
        """Yield the findings of each plan, which gets an equal share of the remaining seconds."""
        options, clock = self.options, self.options.clock
        cache = ResultCache(store, harness_identity(options.sandbox)).of(self.environment.python)
        outcomes = OutcomeSource(self.environment, cache)
        transcripts = load_transcripts(self.assignment, self.assignment.tests)
        end = clock() + options.seconds
        for number, plan in enumerate(plans):
            accepted = self._players(plan.program, transcripts, outcomes)
            now = clock()
            with progress(plan.id, options.sessions) as tick:
                search = PlanSearch(
                    plan=plan,
                    place=PlayingField(self.assignment, plan, self.environment),
                    accepted=accepted,
                    seed=options.seed,
                    most=options.sessions,
                    jobs=self.jobs,
                    clock=clock,
                    start=now,
                    last_start=now + (end - now) / (len(plans) - number),
                    tick=tick,
                )
                yield search.run()

    def _players(
        self, program: Program, transcripts: ExpectedTranscripts, outcomes: OutcomeSource
    ) -> list[AcceptedSubmission]:
        players = []
        for graded, students in self.accepted:
            variants = passing_variants(self.assignment, program, transcripts, graded, outcomes)
            players.append(AcceptedSubmission(submission=graded.submission, students=students, variants=variants))
        return players
