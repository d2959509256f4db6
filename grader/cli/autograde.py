"""`grader autograde`: one submission, graded where a platform runs an autograder."""

import sys
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

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
from grader.run.core_slots import cores
from grader.spec.course import Course
from grader.spec.course_folder import find_course_folder
from grader.store.provenance import origin_of


def run_autograde(
    platform: str,
    folder: Path,
    assignment_id: str,
    course_folder: Path,
    *,
    sandbox: SandboxKind,
    metadata: Path | None,
    output: Path | None,
) -> int:
    """Grade the submission in `folder`, write what the platform reads to `output`, or print it.

    Nothing is written and the exit code is 1 when a fault of the grader left the mark open: the platform then says
    that the autograder failed, and the student gets no wrong mark.
    """
    export = student_export(platform)
    render = export.renderer(ExportOptions())
    course = Course(find_course_folder(course_folder))
    assignment = course.assignment(assignment_id)
    machine = LocalBackend(sandbox, cores(), (course.folder.resolve(), folder.resolve()))
    with TemporaryDirectory(prefix="grader-intake-") as unpacked:
        said = _metadata(export, metadata) if metadata else SubmissionMetadata("submission", assignment.due)
        submission = _submission(assignment, folder, said, Path(unpacked))
        row = _graded(assignment, submission, machine)
    if score_so_far(row) is None:
        print(f"This submission has no mark: {why_open(row)}", file=sys.stderr)
        for result in row.graded.results:
            if result.judgement.diagnosis and row.graded.needs_rerun:
                print(f"{result.test.id}: {result.judgement.diagnosis.sentence}", file=sys.stderr)
        return 1
    origin = origin_of(assignment)
    text = render(assignment, row_for_students(assignment, row), origin)
    if not export.holds_origin:
        # The platform keeps the log.
        print(origin_words(row, origin), file=sys.stderr)
    if output is None:
        sys.stdout.write(text)
        return 0
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ExportError(f"The results cannot be written: {error}") from None
    return 0


def _submission(assignment: Assignment, folder: Path, said: SubmissionMetadata, unpacked: Path) -> Submission:
    """What is in the folder; its time is what the platform says, never what a student can write."""
    submission = submission_in(folder, submission_requirements(assignment), unpacked)
    time = said.submitted.astimezone(assignment.zone)
    return replace(submission, student=said.students, submitted=time, time_source=TimeSource.NONE)


def _metadata(export: StudentExport, file: Path) -> SubmissionMetadata:
    if export.read_metadata is None:
        readers = ", ".join(name for name, one in STUDENT_EXPORTS.items() if one.read_metadata)
        raise ExportError(f"--metadata is for {readers}, not for {export.name}.")
    return export.read_metadata(file)


def _graded(assignment: Assignment, submission: Submission, machine: LocalBackend) -> StudentResult:
    machine.check()
    transcripts = load_transcripts(assignment, assignment.tests)
    with machine.bench() as bench:
        (graded,) = grade_batch(
            assignment, assignment.tests, transcripts, [submission], OutcomeSource(bench), jobs=1, tick=lambda: None
        )
    return student_result(assignment, graded, {})
