"""Writes a class, or the autograder of an assignment, in the format of a learning platform."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from grader.api.course import course_for
from grader.api.environment import local_backend
from grader.api.request import FilePath
from grader.errors import GraderError, reported_as
from grader.expected.transcripts import load_transcripts
from grader.files.scratch import scratch_folder
from grader.grading.backend import LocalBackend, grade_batch
from grader.grading.result_cache import OutcomeSource
from grader.grading.student_result import student_result
from grader.grading.student_view import StudentView, student_views
from grader.intake.match_files import submission_requirements
from grader.intake.read_class import submission_in
from grader.model.assignment import Assignment
from grader.model.mark import StudentExtension
from grader.model.program import SandboxKind
from grader.model.results import ClassResult, StudentResult
from grader.model.submission import Submission, TimeSource
from grader.platforms import student_exports
from grader.platforms.platform import (
    AutograderExport,
    ClassExport,
    ClassWriter,
    DeliveryExport,
    ExportedFiles,
    ExportError,
    ExportOptions,
    StudentExport,
    SubmissionMetadata,
)
from grader.platforms.scores import origin_words, score_so_far, why_open
from grader.plugins.exporting.export_options import check_options
from grader.plugins.exporting.formats import export_format, student_export
from grader.plugins.exporting.student_files import student_file_writer
from grader.reports.audit_log import FILE_NAME as AUDIT_LOG
from grader.reports.audit_log import LoggedRun, new_run, record
from grader.reports.write import private_folder
from grader.run.find_python import StudentPython
from grader.run.student_python import student_python
from grader.spec.course import Course, find_course_folder
from grader.store.origin import origin_of
from grader.text.file_names import file_names

_NO_OPTIONS = ExportOptions()

_MAX_REASONS = 10


def is_autograder(name: str) -> bool:
    """Return whether this export is made from an assignment, not a class. Raises GraderError for an unknown name."""
    return isinstance(export_format(name), AutograderExport)


def fills_one_file(name: str) -> bool:
    """Return whether this export of a class is a single file. Raises GraderError for an unknown name."""
    return isinstance(export_format(name), ClassExport)


def class_writer(name: str, options: ExportOptions = _NO_OPTIONS) -> ClassWriter:
    """Return the function that writes a class in this format. Raises ExportError if an option is missing or wrong."""
    chosen = export_format(name)
    if isinstance(chosen, AutograderExport):
        raise ExportError(f"{name} is made of an assignment, not of a class.")
    if isinstance(chosen, DeliveryExport):
        raise ExportError(f"{name} is sent to the platform, not written.")
    check_options(chosen, options)
    return chosen.writer(options) if isinstance(chosen, ClassExport) else student_file_writer(chosen, options)


def several_classes(ids: Iterable[str]) -> ExportError:
    """Return the error for passing a sheet or output file with more than one class."""
    return ExportError(f"There is more than one class ({', '.join(ids)}): name the folder of one.")


def export(graded: ClassResult, name: str, options: ExportOptions = _NO_OPTIONS) -> ExportedFiles:
    """Return a class in the named format, as the contents of files. Raises ExportError.

    The marks are not recorded in an audit log; `export_with_log` does that.
    """
    return class_writer(name, options)(graded, origin_of(graded.assignment))


def export_run(name: str) -> LoggedRun:
    """Begin a run that writes this export, for the audit log."""
    return new_run(name)


def export_with_log(graded: ClassResult, write: ClassWriter, reports: FilePath, run: LoggedRun) -> ExportedFiles:
    """Export a class, and record the exported marks in the audit log of `reports` under `run`.

    Raises ExportError if no student has results to write.
    """
    origin = origin_of(graded.assignment)
    exported = write(graded, origin)
    if not exported.students:
        raise ExportError("\n".join(_why_empty(graded, exported)))
    # The log is written first, so that it contains every exported mark.
    exported_class = replace(graded, rows=tuple(row for row in graded.rows if row.student in exported.students))
    record(Path(reports) / AUDIT_LOG, exported_class, origin, run)
    return exported


def _why_empty(graded: ClassResult, exported: ExportedFiles) -> Iterator[str]:
    yield f"Nothing was written of {graded.assignment.id}: the export would have no student in it."
    yield from exported.left_out[:_MAX_REASONS]
    if len(exported.left_out) > _MAX_REASONS:
        yield f"… and {len(exported.left_out) - _MAX_REASONS} more"


def parts_by(graded: ClassResult, column: str) -> dict[str, ClassResult]:
    """Split a class by a column of the roster, under names that are safe for folders.

    Students without a value form a separate part. Raises ExportError if the roster has no such column.
    """
    if column not in graded.roster_columns:
        columns = ", ".join(graded.roster_columns) or "none"
        where = f"The roster of {graded.assignment.id}"
        raise ExportError(f"{where} has no column {column!r}; its further columns: {columns}.")
    rows: dict[str, list[StudentResult]] = {}
    for row in graded.rows:
        rows.setdefault(row.graded.submission.roster.get(column, "") or "none", []).append(row)
    names = file_names(f"{column}-{value}" for value in sorted(rows))
    return {names[f"{column}-{value}"]: replace(graded, rows=tuple(part)) for value, part in sorted(rows.items())}


def export_autograder(
    assignment_id: str, name: str, *, course: FilePath | None = None, sandbox: SandboxKind = SandboxKind.BWRAP
) -> tuple[Path, ExportedFiles]:
    """Return the course folder, and the files of an autograder for an assignment. Raises ExportError."""
    chosen = export_format(name)
    if not isinstance(chosen, AutograderExport):
        raise ExportError(f"{name} is made of a class, not of an assignment.")
    opened = course_for(Path(course) if course is not None else None, Path.cwd())
    assignment = opened.assignment(assignment_id)
    return opened.folder, chosen.build(assignment, opened.folder, sandbox)


def save_export(exported: ExportedFiles, folder: FilePath) -> list[Path]:
    """Write the files of an export to a folder and return their paths. Raises ExportError if that fails."""
    return [_save(Path(folder) / name, content) for name, content in exported.files.items()]


def save_export_as(exported: ExportedFiles, file: FilePath) -> list[Path]:
    """Write the only file of an export as `file`. Raises ExportError if that fails."""
    return [_save(Path(file), content) for content in exported.files.values()]


def _save(file: Path, content: bytes) -> Path:
    with reported_as(ExportError, "The export cannot be written"):
        private_folder(file.parent)
        if file.exists() and not file.is_file():
            file.write_bytes(content)
            return file
        unfinished = file.with_name(f".{file.name}.unfinished")
        try:
            unfinished.write_bytes(content)
            unfinished.replace(file)
        finally:
            unfinished.unlink(missing_ok=True)
    return file


class NoMarkError(GraderError):
    """The mark of the submission is undecided because of a fault in the grader."""


@dataclass(frozen=True)
class PlatformResult:
    """The text that the platform reads, and remarks for its log that have no place in the text."""

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

    `metadata` is the platform's file that states who submitted, and when. Raises NoMarkError if a fault in the grader
    left the mark undecided, so that the platform can report a failure of the autograder, or ExportError if `metadata`
    cannot be read.
    """
    chosen = student_export(platform)
    render = chosen.renderer(ExportOptions())
    opened = Course(find_course_folder(Path(course)))
    assignment = opened.assignment(assignment_id)
    backend = local_backend(sandbox, (opened.folder.resolve(), Path(folder).resolve()))
    with scratch_folder("grader-intake-") as unpacked:
        about = (
            SubmissionMetadata("submission", assignment.due)
            if metadata is None
            else _submission_metadata(chosen, Path(metadata))
        )
        python = student_python(assignment.python)
        submission = _submission(assignment, Path(folder), about, Path(unpacked))
        row = _graded(assignment, submission, _extensions(assignment, about), backend, python)
    view = student_views(assignment)(row)
    if score_so_far(assignment, row) is None:
        raise NoMarkError("\n".join(_why_no_mark(view)))
    origin = origin_of(assignment)
    text = render(assignment, view, origin)
    return PlatformResult(text, () if chosen.holds_origin else (origin_words(row, origin),))


def _why_no_mark(row: StudentView) -> list[str]:
    open_tests = row.graded.results if row.graded.needs_rerun else ()
    reasons = [
        f"{result.test.id}: {result.judgement.diagnosis.sentence}"
        for result in open_tests
        if result.judgement.diagnosis
    ]
    return [f"This submission has no mark: {why_open(row)}", *reasons]


def _submission(assignment: Assignment, folder: Path, about: SubmissionMetadata, unpacked: Path) -> Submission:
    """Read the submission in the folder; its time comes from the platform, never from a file of the student."""
    submission = submission_in(folder, submission_requirements(assignment), unpacked)
    time = about.submitted.astimezone(assignment.zone)
    return replace(submission, student=about.students, submitted=time, time_source=TimeSource.NONE)


def _submission_metadata(chosen: StudentExport, file: Path) -> SubmissionMetadata:
    if chosen.read_metadata is None:
        readers = ", ".join(name for name, platform in student_exports().items() if platform.read_metadata)
        raise ExportError(f"--metadata is for {readers}, not for {chosen.name}.")
    return chosen.read_metadata(file)


def _extensions(assignment: Assignment, about: SubmissionMetadata) -> dict[str, StudentExtension]:
    """Return the extension granted by the platform, if it is later than the due date of the assignment."""
    if about.extended is None or about.extended <= assignment.due:
        return {}
    return {about.students: StudentExtension(due=about.extended.astimezone(assignment.zone))}


def _graded(
    assignment: Assignment,
    submission: Submission,
    extensions: Mapping[str, StudentExtension],
    backend: LocalBackend,
    python: StudentPython,
) -> StudentResult:
    transcripts = load_transcripts(assignment, assignment.tests)
    with backend.open_environment(python) as environment:
        (graded,) = grade_batch(assignment, transcripts, [submission], lambda: None, OutcomeSource(environment), jobs=1)
    return student_result(assignment, graded, extensions)


def save_result(text: str, file: FilePath) -> None:
    """Write the text to the file that the platform reads. Raises ExportError if that fails."""
    with reported_as(ExportError, "The results cannot be written"):
        Path(file).parent.mkdir(parents=True, exist_ok=True)
        Path(file).write_text(text, encoding="utf-8")
