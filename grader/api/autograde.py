"""Grades one submission where a platform runs an autograder, in the form that the platform reads."""

from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from grader.api.environment import local_backend
from grader.api.request import FilePath
from grader.errors import GraderError
from grader.expected.transcripts import load_transcripts
from grader.grading.backend import LocalBackend, grade_batch
from grader.grading.result_cache import OutcomeSource
from grader.grading.student_result import student_result
from grader.intake.download_format import submission_in
from grader.intake.match_files import submission_requirements
from grader.model.assignment import Assignment
from grader.model.limits import SandboxKind
from grader.model.student_result import StudentResult
from grader.model.submission import Submission, TimeSource
from grader.platforms import STUDENT_EXPORTS, student_export
from grader.platforms.platform import ExportError, ExportOptions, StudentExport, SubmissionMetadata
from grader.platforms.shared.output_text import origin_words, score_so_far, why_open
from grader.platforms.shared.student_view import row_for_students
from grader.spec.course import Course
from grader.spec.course_folder import find_course_folder
from grader.store.provenance import origin_of


class NoMarkError(GraderError):
    """A fault of the grader left the mark of the submission open."""


@dataclass(frozen=True)
class PlatformResult:
    """The text that the platform reads, and what belongs in its log because the text has no place for it."""

    text: str
    log: tuple[str, ...]


def autograde(
    platform: str,
    folder: FilePath,
    assignment_id: str,
    course: FilePath,
    *,
    sandbox: SandboxKind = SandboxKind.BWRAP,
    metadata: FilePath | None = None,
) -> PlatformResult:
    """Grade the submission in `folder` for the platform of this name.

    `metadata` is the file in which the platform says who handed in, and when. Raises NoMarkError when a fault of the
    grader left the mark open, so that the platform can say that the autograder failed; ExportError when `metadata`
    cannot be read.
    """
    chosen = student_export(platform)
    render = chosen.renderer(ExportOptions())
    found = Course(find_course_folder(Path(course)))
    assignment = found.assignment(assignment_id)
    backend = local_backend(sandbox, (found.folder.resolve(), Path(folder).resolve()))
    with TemporaryDirectory(prefix="grader-intake-") as unpacked:
        about = SubmissionMetadata("submission", assignment.due) if metadata is None else _about(chosen, Path(metadata))
        row = _graded(assignment, _submission(assignment, Path(folder), about, Path(unpacked)), backend)
    if score_so_far(row) is None:
        raise NoMarkError("\n".join(_why_no_mark(row)))
    origin = origin_of(assignment)
    text = render(assignment, row_for_students(assignment, row), origin)
    return PlatformResult(text, () if chosen.holds_origin else (origin_words(row, origin),))


def _why_no_mark(row: StudentResult) -> list[str]:
    open_tests = row.graded.results if row.graded.needs_rerun else ()
    reasons = [f"{one.test.id}: {one.judgement.diagnosis.sentence}" for one in open_tests if one.judgement.diagnosis]
    return [f"This submission has no mark: {why_open(row)}", *reasons]


def _submission(assignment: Assignment, folder: Path, about: SubmissionMetadata, unpacked: Path) -> Submission:
    """What is in the folder; its time is what the platform says, never what a student can write."""
    submission = submission_in(folder, submission_requirements(assignment), unpacked)
    time = about.submitted.astimezone(assignment.zone)
    return replace(submission, student=about.students, submitted=time, time_source=TimeSource.NONE)


def _about(chosen: StudentExport, file: Path) -> SubmissionMetadata:
    if chosen.read_metadata is None:
        readers = ", ".join(name for name, one in STUDENT_EXPORTS.items() if one.read_metadata)
        raise ExportError(f"--metadata is for {readers}, not for {chosen.name}.")
    return chosen.read_metadata(file)


def _graded(assignment: Assignment, submission: Submission, backend: LocalBackend) -> StudentResult:
    transcripts = load_transcripts(assignment, assignment.tests)
    with backend.bench() as bench:
        (graded,) = grade_batch(
            assignment, assignment.tests, transcripts, [submission], OutcomeSource(bench), jobs=1, tick=lambda: None
        )
    return student_result(assignment, graded, {})


def save_result(text: str, file: FilePath) -> None:
    """Write the text to the file in which the platform looks. Raises ExportError when it cannot be written."""
    try:
        Path(file).parent.mkdir(parents=True, exist_ok=True)
        Path(file).write_text(text, encoding="utf-8")
    except OSError as error:
        raise ExportError(f"The results cannot be written: {error}") from None
