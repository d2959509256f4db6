"""Grades the classes of a request: reads the submissions, runs the tests, and works out the marks."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import TypeAlias

from grader.analysis.failure_groups import with_comments
from grader.api.course import classes_in, course_for
from grader.api.environment import GradingEnvironment, open_environment, refuse_missing_finders
from grader.api.request import FilePath, GradeOptions, GradeRequest, Progress, no_progress
from grader.authoring.generate import reference_submission
from grader.class_files.all_files import ClassFiles, read_class_files, read_class_roster
from grader.errors import GraderError
from grader.expected.transcripts import ExpectedTranscripts, load_transcripts
from grader.grading.backend import GradingPool
from grader.grading.student_result import (
    best_attempt,
    failed_by_reference,
    faulty_test_note,
    never_passed,
    reference_warnings,
    student_result,
    without_faulty_tests,
)
from grader.intake.attempt import UnpackSettings
from grader.intake.choose_attempt import ClassSubmissions, choose_attempts
from grader.intake.class_folder import open_class
from grader.intake.download_format import read_class
from grader.intake.match_files import submission_requirements
from grader.model.assignment import Assignment
from grader.model.results import ClassResult, GradedSubmission, StudentResult
from grader.model.submission import Submission, SubmittedFile
from grader.platforms import DOWNLOAD_FORMATS, download_format
from grader.run.find_python import StudentPython
from grader.run.student_python import student_python
from grader.spec.course import course_folder_for
from grader.store.database import ResultStore, default_store, open_store
from grader.store.provenance import run_identity
from grader.text.words import pluralize

_DEFAULT_OPTIONS = GradeOptions()

ReportGraded: TypeAlias = Callable[[GradedSubmission], None]
"""Hears of each submission as soon as all its tests are judged."""


def _ignore(_graded: GradedSubmission) -> None:
    pass


class SeveralClassesError(GraderError):
    """The submissions are those of more than one class."""


def grade(
    folder: FilePath,
    *,
    course: FilePath | None = None,
    assignment: str | None = None,
    options: GradeOptions = _DEFAULT_OPTIONS,
    progress: Progress = no_progress,
    report: ReportGraded = _ignore,
    cancelled: Event | None = None,
) -> ClassResult:
    """Grade the submissions of one class in a folder or an archive.

    `course` is by default the folder around the working folder or around `folder`, `assignment` the one that the names
    of the files fit. What was run before is taken from the store of the course. Setting `cancelled` ends the work: the
    students that it leaves out are in `not_graded`. Raises SeveralClassesError when `folder` holds more than one class,
    another GraderError when the class cannot be read or graded.
    """
    where = Path(folder)
    request = GradeRequest(
        folder=where, assignment=assignment, course=Path(course) if course is not None else None, options=options
    )
    found = list(classes_in(course_for(request.course, where), assignment, where))
    if len(found) > 1:
        ids = ", ".join(one.id for one, _ in found)
        raise SeveralClassesError(f"{where} holds more than one class ({ids}); name the folder of one.")
    (graded,) = grade_classes(request, progress=progress, report=report, cancelled=cancelled)
    return graded


def grade_classes(
    request: GradeRequest,
    *,
    progress: Progress = no_progress,
    report: ReportGraded = _ignore,
    cancelled: Event | None = None,
) -> Iterator[ClassResult]:
    """Grade the classes of the request, one after the other, each as it is asked for.

    Files of an archive or a repository are there until the last class was asked for. Raises GraderError.
    """
    course = course_folder_for(request.course, request.folder)
    with open_store(request.options.store or default_store(course)) as store:
        yield from grade_with_store(request, course, store, progress=progress, report=report, cancelled=cancelled)


def grade_with_store(
    request: GradeRequest,
    course: Path,
    store: ResultStore,
    *,
    progress: Progress = no_progress,
    report: ReportGraded = _ignore,
    cancelled: Event | None = None,
) -> Iterator[ClassResult]:
    """See `grade_classes`: the same in the folder of a course with a store that is open."""
    cancelled = cancelled or Event()
    with open_environment(request, course, store) as environment, TemporaryDirectory(prefix="grader-intake-") as name:
        grading = _Grading(
            request=request,
            environment=environment,
            unpacked=Path(name),
            progress=progress,
            report=report,
            cancelled=cancelled,
        )
        for assignment, path in classes_in(environment.course, request.assignment, request.folder, progress):
            graded = grading.grade(assignment, path)
            notes = _about_store(store)
            graded = replace(graded, notes=(*notes, *graded.notes))
            yield graded.without_names if request.options.hide_names else graded
            if graded.not_graded:
                return


@dataclass(frozen=True, kw_only=True)
class _Grading:
    """The grading of one request. Archives and repositories are unpacked in `unpacked`."""

    request: GradeRequest
    environment: GradingEnvironment
    unpacked: Path
    progress: Progress
    report: ReportGraded
    cancelled: Event

    def grade(self, assignment: Assignment, path: Path) -> ClassResult:
        """Grade the class at `path`."""
        if self.request.options.cluster is None:
            refuse_missing_finders(assignment)
        python = student_python(assignment.python, lambda task: self.progress(task, 0))
        with self.progress(f"Reading the submissions of {assignment.id}", 0):
            submissions, files = self._received(assignment, path)
        done, faults = self._graded(assignment, submissions.submissions, python)
        graded = _class_result(assignment, submissions, files, done)
        return replace(graded, notes=(*faults.warnings, *faults.notes, *graded.notes), warnings=faults.warnings)

    def _received(self, assignment: Assignment, path: Path) -> tuple[ClassSubmissions, ClassFiles]:
        options = self.request.options
        wanted = submission_requirements(assignment)
        settings = UnpackSettings(self.unpacked, wanted.limits, wanted.zone)
        where = open_class(path, settings, wanted.names)
        received = read_class(
            where,
            wanted,
            settings,
            DOWNLOAD_FORMATS,
            chosen=download_format(options.download_format) if options.download_format else None,
            roster=read_class_roster(options, where.beside),
        )
        files = read_class_files(options, where.beside, assignment, received.students)
        return choose_attempts(received, wanted, settings, partial(files.due, assignment)), files

    def _graded(
        self, assignment: Assignment, submissions: Sequence[Submission], python: StudentPython
    ) -> tuple[list[GradedSubmission], "_FaultyTests"]:
        """What the tests found, without the submissions that a cancellation left out; what is wrong with tests."""
        transcripts = load_transcripts(assignment, assignment.tests)
        # What several students handed in together is run once.
        sharing: dict[_SharedContent, list[Submission]] = {}
        for submission in submissions:
            sharing.setdefault(_shared_content(submission), []).append(submission)
        first = [shared[0] for shared in sharing.values()]
        steps = len(first) * len(assignment.tests)
        cache = self.environment.cache
        archive = replace(cache, harness=run_identity(cache.harness, python.identity()))
        locate = self.request.options.locate
        with self.environment.backend.pool(archive, self.cancelled, python, locate=locate) as pool:
            done = []
            with self.progress(assignment.id, steps) as tick:
                for graded in pool.grade(assignment, transcripts, first, tick):
                    self.report(graded)
                    done.append(graded)
            reference = self._reference(assignment, transcripts, pool)
        failed = failed_by_reference(reference) if reference else []
        doubted = {test.id for test in never_passed(assignment, done)}
        faulty = {result.test.id: faulty_test_note(result) for result in failed if result.test.id in doubted}
        done = [without_faulty_tests(one, faulty) for one in done] if faulty else done
        faults = _FaultyTests(reference_warnings(failed), tuple(faulty.values()))
        return [
            replace(one, submission=each) for one in done for each in sharing[_shared_content(one.submission)]
        ], faults

    def _reference(
        self, assignment: Assignment, transcripts: ExpectedTranscripts, pool: GradingPool
    ) -> GradedSubmission | None:
        """What the references make of the tests: what is expected may be older than they are. None if there is none."""
        found = reference_submission(assignment, assignment.tests, self.unpacked)
        if found is None or self.cancelled.is_set():
            return None
        told, submission = found
        with self.progress(f"The reference of {assignment.id}", len(told.tests)) as tick:
            graded = list(pool.grade(told, transcripts, [submission], tick))
        return graded[0] if graded else None


_SharedContent: TypeAlias = tuple[tuple[SubmittedFile, ...], frozenset[tuple[str, str]]]


def _shared_content(submission: Submission) -> _SharedContent:
    """The files that are run, and why others are not: all that the results of a submission depend on."""
    return submission.files, frozenset(submission.refused.items())


@dataclass(frozen=True)
class _FaultyTests:
    """Warnings about tests that the references do not pass, and notes on those that no submission passes either."""

    warnings: tuple[str, ...]
    notes: tuple[str, ...]


def _about_store(store: ResultStore) -> tuple[str, ...]:
    """A note on what was damaged in the store, if anything was."""
    damaged = len(store.damaged_keys)
    store.damaged_keys.clear()
    if not damaged:
        return ()
    return (f"the store is damaged: {pluralize(damaged, 'row')} could not be read; what they held was made anew",)


def _student_result(assignment: Assignment, graded: GradedSubmission, files: ClassFiles) -> StudentResult:
    student = graded.submission.student
    manual, overrides = files.manual_marks(student), files.overrides_of(student)
    return student_result(assignment, graded, files.extensions.of, manual, overrides)


def _class_result(
    assignment: Assignment, submissions: ClassSubmissions, files: ClassFiles, done: Sequence[GradedSubmission]
) -> ClassResult:
    rows: dict[str, list[StudentResult]] = {}
    for one in done:
        rows.setdefault(one.submission.student, []).append(_student_result(assignment, one, files))
    # A cancellation may have left out some of the attempts.
    attempts = Counter(submission.student for submission in submissions.submissions)
    complete = [student for student, count in attempts.items() if len(rows.get(student, ())) == count]
    graded = ClassResult(
        assignment=assignment,
        rows=tuple(best_attempt(rows[student]) for student in complete),
        not_graded=tuple(student for student in attempts if student not in complete),
        notes=(*map(str, assignment.notes), *submissions.notes, *files.notes),
    )
    return with_comments(graded, files.comments)
