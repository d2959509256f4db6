"""`grader check`: a student's self-check with the public tests."""

from functools import partial
from pathlib import Path

from rich.console import Console

from grader.cli.find import assignment_for_files, course_for
from grader.cli.progress import progress_bar
from grader.errors import GraderError
from grader.expected.transcripts import load_transcripts, write_transcript
from grader.intake.folder import submission_in
from grader.intake.submission import Submission, SubmittedFile, TimeSource
from grader.judge.verdict import Verdict
from grader.pipeline.grade_submission import grade_submission
from grader.pipeline.outcomes import Outcomes
from grader.pipeline.results import GradedSubmission
from grader.report.check_text import print_check
from grader.report.diff_text import DiffText, first_screenful
from grader.run.bench import open_bench
from grader.spec.assignment import Assignment, Visibility


class CheckError(GraderError):
    """There is nothing to check."""


def run_check(
    path: Path,
    assignment_id: str | None,
    course: Path | None,
    *,
    show: int,
    save: Path | None,
    diff_text: DiffText = first_screenful,
) -> int:
    """Check the program or folder at `path`; returns the exit code."""
    if not path.exists():
        raise CheckError(f"There is no file or folder {path}.")
    names = [path.name] if path.is_file() else [entry.name for entry in path.iterdir()]
    assignment = assignment_for_files(course_for(course, path), assignment_id, names, path)
    submission = _submission(assignment, path)
    named = assignment.program_named
    asked = {named[path.name].file} if path.is_file() else set(assignment.program_of)
    graded = _grade(assignment, submission, asked)
    print_check(Console(highlight=False), assignment, graded, show=show, diff_text=diff_text)
    if save is not None:
        _save(graded, save)
    return 0 if all(result.verdict is Verdict.PASSED for result in graded.results) else 1


def _submission(assignment: Assignment, path: Path) -> Submission:
    if path.is_dir():
        return submission_in(
            path, assignment.file_names, assignment.zone, (module.file for module in assignment.provided)
        )
    if path.name not in assignment.program_named:
        expected = ", ".join(assignment.program_named)
        raise CheckError(f"{path.name} is no program of {assignment.id}; expected one of: {expected}.")
    return Submission(path.name, (SubmittedFile(path.name, path),), None, TimeSource.NONE, ())


def _grade(assignment: Assignment, submission: Submission, programs: set[str]) -> GradedSubmission:
    tests = [test for test in assignment.tests if test.visibility is Visibility.PUBLIC and test.program in programs]
    if not tests:
        raise CheckError(f"{assignment.id} has no public test for {', '.join(sorted(programs))}.")
    transcripts = load_transcripts(assignment, tests)
    with open_bench() as bench, progress_bar() as progress:
        task = progress.add_task("Checking", total=len(tests))
        tick = partial(progress.advance, task)
        return grade_submission(assignment, tests, transcripts, submission, Outcomes(bench), tick)


def _save(graded: GradedSubmission, folder: Path) -> None:
    try:
        for result in graded.results:
            if result.outcome:
                write_transcript(folder / f"{result.test.id}.txt", result.outcome.transcript)
    except OSError as error:
        raise CheckError(f"The outputs cannot be saved in {folder}: {error.strerror}") from None
