"""Grades the classes of one request."""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from grader.analysis.failure_groups import with_comments
from grader.class_files.all_files import ClassFiles, read_class_files, read_class_roster
from grader.cli import INTERRUPTED
from grader.cli.find import assignment_for_files
from grader.cli.progress import progress_bar
from grader.cli.request import GradeRequest
from grader.cli.step_summary import add_step_summary
from grader.expected.transcripts import load_transcripts
from grader.files.digest import UntraceableError, folder_digest
from grader.grading.backend import Backend
from grader.grading.result_cache import ResultCache
from grader.grading.student_result import best_attempt, student_result
from grader.intake.attempt import UnpackSettings
from grader.intake.choose_attempt import ClassSubmissions, choose_attempts
from grader.intake.class_folder import names_in, open_class
from grader.intake.download_format import read_class
from grader.intake.match_files import submission_requirements
from grader.model.assignment import Assignment
from grader.model.results import GradedSubmission
from grader.model.student_result import ClassResult, StudentResult
from grader.model.submission import Submission, SubmittedFile
from grader.platforms import DOWNLOAD_FORMATS, download_format
from grader.reports.audit_log import FILE_NAME as AUDIT_LOG
from grader.reports.audit_log import REPORTS, new_run, record
from grader.reports.output_formats import output_format
from grader.reports.write import sole_writer, write_reports
from grader.spec.course import Course
from grader.store.database import PastRun
from grader.store.provenance import origin_of


@dataclass(frozen=True)
class IncompleteRun:
    """A run that is not to be repeated: it was interrupted, needs a test run again, or its reports have links."""

    exit_code: int


def grade_classes(
    request: GradeRequest, course: Course, archive: ResultCache, grounds: Backend
) -> PastRun | IncompleteRun:
    """Grade the submissions, write the reports and print the marks.

    The exit code is 130 after Ctrl-C, 1 when a mark could not be told; one that only waits for what a person has to
    mark is no failure.
    """
    written = output_format(request.output)
    code = 0
    settled = True
    printed = summary = ""
    reports: dict[str, str] = {}
    run = new_run(REPORTS)
    for graded in graded_classes(request, course, archive, grounds):
        folder = reports_folder(request, course, graded.assignment)
        with sole_writer(folder):
            # First the log: no mark is ever in a report and not in there.
            record(folder.parent / AUDIT_LOG, graded, origin_of(graded.assignment), run)
            write_reports(graded, folder)
            with suppress(UntraceableError):
                reports[str(folder)] = folder_digest(folder)
        shown = written.of_class(graded, folder)
        sys.stdout.write(shown.printed)
        sys.stdout.flush()
        add_step_summary(shown.summary)
        printed += shown.printed
        summary += shown.summary
        if graded.not_graded:
            return IncompleteRun(INTERRUPTED)
        if any(row.mark_is_lost for row in graded.rows):
            code = 1
        known = str(folder) in reports
        settled = settled and known and not any(row.graded.needs_rerun for row in graded.rows)
    return PastRun(code, printed, reports, summary) if settled else IncompleteRun(code)


def graded_classes(
    request: GradeRequest, course: Course, archive: ResultCache, grounds: Backend
) -> Iterator[ClassResult]:
    """Grade the classes of the request, one after the other; what the store holds is not run again.

    What came in archives or repositories lies in files that are there until the last class was asked for.
    """
    with TemporaryDirectory(prefix="grader-intake-") as unpacked:
        for assignment, path in classes_in(course, request.assignment, request.folder):
            wanted = submission_requirements(assignment)
            space = UnpackSettings(Path(unpacked), wanted.limits, wanted.zone)
            where = open_class(path, space, wanted.names)
            roster = read_class_roster(request, where.beside)
            arrived = read_class(
                where,
                wanted,
                space,
                DOWNLOAD_FORMATS,
                chosen=download_format(request.intake) if request.intake else None,
                roster=roster,
            )
            files = read_class_files(request, where.beside, assignment, arrived.students)
            intake = choose_attempts(arrived, wanted, space, partial(files.due, assignment))
            yield _grade_class(assignment, intake, files, archive, grounds)


def reports_folder(request: GradeRequest, course: Course, assignment: Assignment) -> Path:
    """Where the reports on a class go."""
    return (request.reports or course.folder / "reports") / assignment.id


def classes_in(course: Course, assignment_id: str | None, folder: Path) -> Iterator[tuple[Assignment, Path]]:
    """The classes in `folder`: one per sub-folder named like an assignment, or else the folder itself."""
    if assignment_id is None:
        inner = [name for name in course.assignment_ids() if (folder / name).is_dir()]
        for name in inner:
            yield course.assignment(name), folder / name
        if inner:
            return
        if folder.resolve().name in course.assignment_ids():
            assignment_id = folder.resolve().name
    yield assignment_for_files(course, assignment_id, _file_names(folder, course), folder), folder


def _file_names(folder: Path, course: Course) -> Iterator[str]:
    """The names of the programs that lie in `folder` or one level below, prefixes of students taken off."""
    programs = [name for assignment in course.assignments() for name in assignment.program_named]
    for found in names_in(folder):
        yield found
        yield from (name for name in programs if found.endswith(name))


def _student_result(assignment: Assignment, graded: GradedSubmission, files: ClassFiles) -> StudentResult:
    student = graded.submission.student
    manual, overrides = files.manual_marks(student), files.overrides_of(student)
    return student_result(assignment, graded, files.extensions.of, manual, overrides)


def _grade_class(
    assignment: Assignment,
    intake: ClassSubmissions,
    files: ClassFiles,
    archive: ResultCache,
    grounds: Backend,
) -> ClassResult:
    transcripts = load_transcripts(assignment, assignment.tests)
    done: list[GradedSubmission] = []
    # What several students handed in together is run once.
    sharing: dict[tuple[SubmittedFile, ...], list[Submission]] = {}
    for submission in intake.submissions:
        sharing.setdefault(submission.files, []).append(submission)
    with grounds.pool(archive) as pool, progress_bar() as progress:
        task = progress.add_task(assignment.id, total=len(sharing) * len(assignment.tests))
        with suppress(KeyboardInterrupt):
            first = [shared[0] for shared in sharing.values()]
            done.extend(pool.grade(assignment, transcripts, first, partial(progress.advance, task)))
    graded = [replace(one, submission=submission) for one in done for submission in sharing[one.submission.files]]
    return _graded_class(assignment, intake, files, graded)


def _graded_class(
    assignment: Assignment,
    intake: ClassSubmissions,
    files: ClassFiles,
    done: Sequence[GradedSubmission],
) -> ClassResult:
    rows: dict[str, list[StudentResult]] = {}
    for one in done:
        rows.setdefault(one.submission.student, []).append(_student_result(assignment, one, files))
    # An interruption may have left out some of the attempts.
    attempts = Counter(submission.student for submission in intake.submissions)
    complete = [student for student, count in attempts.items() if len(rows.get(student, ())) == count]
    graded = ClassResult(
        assignment=assignment,
        rows=tuple(best_attempt(rows[student]) for student in complete),
        not_graded=tuple(student for student in attempts if student not in complete),
        notes=(*map(str, assignment.notes), *intake.notes, *files.notes),
    )
    return with_comments(graded, files.comments)
