"""Grades a class from its folder: reads it, runs the tests, and checks the tests themselves."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from threading import Event
from typing import TypeAlias

from grader.api.class_reading import handed_in
from grader.api.course import ClassPlace
from grader.api.environment import hidden_folders, open_backend, refuse_missing_finders
from grader.api.request import GradeRequest, Progress
from grader.authoring.generate import reference_submission
from grader.class_files.all_files import ClassFiles, read_class_files
from grader.class_files.extensions import Team
from grader.expected.transcripts import ExpectedTranscripts, load_transcripts
from grader.files.scratch import scratch_folder
from grader.grading.backend import Backend, GradeAll
from grader.grading.missing_packages import missing_modules, package_notes
from grader.grading.result_cache import ResultCache
from grader.grading.shards import ResultSpool
from grader.grading.student_result import (
    failed_by_reference,
    faulty_test_note,
    never_passed,
    reference_warnings,
    without_faulty_tests,
)
from grader.grading.submission_step import submission_steps
from grader.intake.attempt import ReceivedClass
from grader.intake.choose_attempt import ClassSubmissions
from grader.model.assignment import Assignment
from grader.model.results import GradedSubmission
from grader.model.submission import Submission, SubmittedFile
from grader.run.student_python import student_python
from grader.spec.course import Course
from grader.store.database import ResultStore
from grader.store.provenance import harness_identity

ReportGraded: TypeAlias = Callable[[GradedSubmission], None]
"""A function that receives each submission as soon as all its tests have been judged."""


@dataclass(frozen=True, kw_only=True)
class OpenedClass:
    """The submissions of a class, its `students` and `teams`, and the content of the instructor's files in `beside`."""

    assignment: Assignment
    submissions: ClassSubmissions
    students: tuple[str, ...]
    teams: tuple[Team, ...]
    files: ClassFiles
    beside: Path


def _notes_on_former_names(received: ReceivedClass, files: ClassFiles) -> Iterator[str]:
    """Yield a note for each student with entries under a name that was used before the class had a roster."""
    students: dict[str, set[str]] = defaultdict(set)
    for arrival in received.arrivals:
        students[arrival.former].add(arrival.student)
    entries = files.extensions.of, files.by_hand.marks, files.overrides.of, files.comments.of, files.requests.of
    for name in sorted(set().union(*entries).difference(received.students)):
        if len(students[name]) == 1:
            student = min(students[name])
            yield f"With a roster, `{name}` is `{student}`; write `student: {student}`"


@dataclass(frozen=True)
class AssignmentFaults:
    """The faults of an assignment that grading reveals.

    The warnings list tests that the references fail. The notes list tests that every submission fails too, and missing
    packages that submissions import.
    """

    warnings: tuple[str, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class ClassGrading:
    """Grades the classes of one request. Archives and repositories are unpacked in `unpacked`."""

    request: GradeRequest
    course: Course
    cache: ResultCache
    backend: Backend
    unpacked: Path
    progress: Progress
    cancelled: Event

    def opened(self, place: ClassPlace) -> OpenedClass:
        """Read the class at `place`. Raises GraderError."""
        assignment = place.assignment
        if self.request.options.cluster is None:
            refuse_missing_finders(assignment)
        with self.progress(f"Reading the submissions of {assignment.id}", 0):
            read = handed_in(assignment, place.folder, self.unpacked, self.request.options)
            received = read.received
            files = read_class_files(self.request.options, read.beside, assignment, received.students, received.teams)
            submissions = read.submissions(partial(files.due, assignment))
        taken = "is taken for a student, though an assignment is called so; to grade the class in it, name that folder"
        doubts = (f"{name} {taken}" for name in place.doubtful if name in received.students)
        notes = (*place.notes, *doubts, *submissions.notes, *_notes_on_former_names(received, files))
        submissions = replace(submissions, notes=notes)
        students = tuple(received.students)
        return OpenedClass(
            assignment=assignment,
            submissions=submissions,
            students=students,
            teams=received.teams,
            files=files,
            beside=read.beside,
        )

    def graded(self, opened: OpenedClass, report: ReportGraded) -> tuple[list[GradedSubmission], AssignmentFaults]:
        """Return the graded submissions and the faults of the assignment; if cancelled, submissions may be missing."""
        assignment = opened.assignment
        python = student_python(assignment.python, lambda task: self.progress(task, 0))
        transcripts = load_transcripts(assignment, assignment.tests)
        sharing = by_content(opened.submissions.submissions)
        first = [shared[0] for shared in sharing.values()]
        steps = len(first) * len(assignment.tests)
        archive = self.cache.of(python)
        steps_after = submission_steps(self.request.options.steps)
        with self.backend.pool(archive, self.cancelled, python, steps_after) as grade:
            spool = ResultSpool(assignment, transcripts)
            done = []
            missing: list[tuple[Submission, frozenset[str]]] = []
            with self.progress(assignment.id, steps) as tick:
                for graded in grade(assignment, transcripts, first, tick):
                    report(graded)
                    modules = missing_modules(graded)
                    missing += [(each, modules) for each in sharing[shared_content(graded.submission)]]
                    done.append(spool.add(graded))
            reference = self._reference(assignment, transcripts, grade)
        failed = failed_by_reference(reference) if reference else []
        # Examining a large class takes a long time, and references usually pass every test.
        doubted = {test.id for test in never_passed(assignment, done)} if failed else set()
        faulty = {result.test.id: faulty_test_note(result) for result in failed if result.test.id in doubted}
        done = [without_faulty_tests(submission_done, faulty) for submission_done in done] if faulty else done
        notes = (*faulty.values(), *package_notes(assignment, missing))
        faults = AssignmentFaults(reference_warnings(failed), notes)
        shared = ((submission_done, sharing[shared_content(submission_done.submission)]) for submission_done in done)
        every = [
            submission_done if each is submission_done.submission else replace(submission_done, submission=each)
            for submission_done, owners in shared
            for each in owners
        ]
        return every, faults

    def _reference(
        self, assignment: Assignment, transcripts: ExpectedTranscripts, grade: GradeAll
    ) -> GradedSubmission | None:
        """Grade the references, which may be newer than the expected files; return None without references."""
        packed = reference_submission(assignment, assignment.tests, self.unpacked)
        if packed is None or self.cancelled.is_set():
            return None
        answered_part, submission = packed
        with self.progress(f"The reference of {assignment.id}", len(answered_part.tests)) as tick:
            graded = list(grade(answered_part, transcripts, [submission], tick))
        return graded[0] if graded else None


SharedContent: TypeAlias = tuple[tuple[SubmittedFile, ...], frozenset[tuple[str, str]]]
"""The files of a submission that are run, and the reasons why other files are not."""


def shared_content(submission: Submission) -> SharedContent:
    """Return everything that a submission's results depend on. Students with equal content are only graded once."""
    return submission.files, frozenset(submission.refused.items())


def by_content(submissions: Sequence[Submission]) -> dict[SharedContent, list[Submission]]:
    """Group submissions by content."""
    sharing: dict[SharedContent, list[Submission]] = {}
    for submission in submissions:
        sharing.setdefault(shared_content(submission), []).append(submission)
    return sharing


@contextmanager
def open_grading(
    request: GradeRequest, course: Path, store: ResultStore, *, progress: Progress, cancelled: Event
) -> Iterator[ClassGrading]:
    """Yield a grader for the classes of a request in the course folder. Raises GraderError."""
    options, hidden = request.options, hidden_folders(course, request.folder)
    with open_backend(options, hidden) as backend, scratch_folder("grader-intake-") as name:
        yield ClassGrading(
            request=request,
            course=Course(course),
            cache=ResultCache(store, harness_identity(options.sandbox), options.no_cache),
            backend=backend,
            unpacked=Path(name),
            progress=progress,
            cancelled=cancelled,
        )
