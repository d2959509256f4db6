"""`grader autograde`: one submission, graded where a platform runs an autograder."""

import json
import sys
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from grader.cli.formats import AutograderPlatform
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
from grader.platforms.autolab import autolab_output
from grader.platforms.classroom import classroom_result
from grader.platforms.gradescope.results import gradescope_results
from grader.platforms.platform import ExportError, StudentRenderer
from grader.platforms.prairielearn import prairielearn_results
from grader.platforms.shared.output_text import origin_words, score_so_far, why_open
from grader.platforms.shared.student_view import row_for_students
from grader.run.core_slots import cores
from grader.spec.course import Course
from grader.spec.course_folder import find_course_folder
from grader.store.provenance import origin_of

_RENDER: dict[AutograderPlatform, StudentRenderer] = {
    AutograderPlatform.GRADESCOPE: gradescope_results,
    AutograderPlatform.AUTOLAB: autolab_output,
    AutograderPlatform.PRAIRIELEARN: prairielearn_results,
    AutograderPlatform.CLASSROOM: classroom_result,
}


def run_autograde(
    platform: AutograderPlatform,
    folder: Path,
    assignment_id: str,
    course_folder: Path,
    *,
    sandbox: SandboxKind,
    metadata: Path | None,
    output: Path | None,
) -> int:
    """Grade the submission in `folder`, write what the platform reads to `output`, or print it.

    Nothing is written and the exit code is 1 when a fault of ours left the mark open: the platform then says that
    the autograder failed, and nobody has a wrong mark.
    """
    course = Course(find_course_folder(course_folder))
    assignment = course.assignment(assignment_id)
    machine = LocalBackend(sandbox, cores(), (course.folder.resolve(), folder.resolve()))
    with TemporaryDirectory(prefix="grader-intake-") as unpacked:
        submission = _submission(assignment, folder, metadata, Path(unpacked))
        row = _graded(assignment, submission, machine)
    if score_so_far(row) is None:
        print(f"This submission has no mark: {why_open(row)}", file=sys.stderr)
        for result in row.graded.results:
            if result.judgement.diagnosis and row.graded.needs_rerun:
                print(f"{result.test.id}: {result.judgement.diagnosis.sentence}", file=sys.stderr)
        return 1
    origin = origin_of(assignment)
    text = _RENDER[platform](assignment, row_for_students(assignment, row), origin)
    if platform is AutograderPlatform.CLASSROOM:
        # The result has no place for it, but the log of the workflow is kept.
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


def _submission(assignment: Assignment, folder: Path, metadata: Path | None, unpacked: Path) -> Submission:
    """What is in the folder; its time is what the platform says, or else in time: nothing a student can write."""
    submission = submission_in(folder, submission_requirements(assignment), unpacked)
    student, submitted = _said(metadata) if metadata else ("submission", assignment.due)
    time = submitted.astimezone(assignment.zone)
    return replace(submission, student=student, submitted=time, time_source=TimeSource.NONE)


def _said(metadata: Path) -> tuple[str, datetime]:
    """The students and the time, in whole seconds, in Gradescope's submission_metadata.json.

    Raises ExportError when it is no such file.
    """
    try:
        content: dict[str, Any] = json.loads(metadata.read_text(encoding="utf-8"))
        names = ", ".join(str(user["name"]) for user in content["users"])
        submitted = datetime.fromisoformat(content["created_at"]).replace(microsecond=0)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ExportError(f"{metadata} cannot be read as Gradescope's metadata: {error!r}") from None
    if submitted.tzinfo is None:
        raise ExportError(f"{metadata}: `created_at` has no time zone: {submitted}")
    return names, submitted


def _graded(assignment: Assignment, submission: Submission, machine: LocalBackend) -> StudentResult:
    machine.check()
    transcripts = load_transcripts(assignment, assignment.tests)
    with machine.bench() as bench:
        (graded,) = grade_batch(
            assignment, assignment.tests, transcripts, [submission], OutcomeSource(bench), jobs=1, tick=lambda: None
        )
    return student_result(assignment, graded, {})
