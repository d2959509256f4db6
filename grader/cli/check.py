"""`grader check`: a student's self-check with the public tests."""

import os
import sys
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from grader.cli.console import output_console
from grader.cli.find import assignment_for_files, course_for
from grader.cli.progress import progress_bar
from grader.cli.request import OutputFormat
from grader.cli.step_summary import add_step_summary
from grader.errors import GraderError
from grader.expected.transcripts import Transcripts, load_transcripts, write_transcript
from grader.intake.folder import submission_in
from grader.intake.submission import Submission, SubmittedFile, TimeSource
from grader.judge.verdict import Verdict
from grader.pipeline.grade_submission import grade_submission
from grader.pipeline.outcomes import Outcomes
from grader.pipeline.results import GradedSubmission
from grader.report.check_text import print_check
from grader.report.github import check_log, check_summary
from grader.report.graded_class import checked_class
from grader.report.results_json import results_line
from grader.run.bench import Bench, open_bench
from grader.spec.assignment import Assignment, Test, Visibility


class CheckError(GraderError):
    """There is nothing to check."""


@dataclass(frozen=True)
class SelfCheck:
    """A program or folder to check, and the tests for it."""

    assignment: Assignment
    path: Path
    tests: tuple[Test, ...]
    transcripts: Transcripts


def run_check(
    path: Path, assignment_id: str | None, course: Path | None, *, show: int, save: Path | None, output: OutputFormat
) -> int:
    """Check the program or folder at `path`; returns the exit code."""
    check = self_check(path, assignment_id, course)
    with open_bench() as bench, progress_bar() as progress:
        task = progress.add_task("Checking", total=len(check.tests))
        graded = hold_check(check, bench, partial(progress.advance, task))
    _print(check, graded, output, show=show)
    if save is not None:
        _save(graded, save)
    return 0 if all(result.verdict is Verdict.PASSED for result in graded.results) else 1


def self_check(
    path: Path,
    assignment_id: str | None,
    course: Path | None,
    visibilities: Collection[Visibility] = (Visibility.PUBLIC,),
) -> SelfCheck:
    """What there is to check at `path` with the tests of these visibilities.

    Raises CheckError or another GraderError when there is nothing.
    """
    if not path.exists():
        raise CheckError(f"There is no file or folder {path}.")
    names = [path.name] if path.is_file() else [entry.name for entry in path.iterdir()]
    assignment = assignment_for_files(course_for(course, path), assignment_id, names, path)
    if path.is_file() and path.name not in assignment.program_named:
        expected = ", ".join(assignment.program_named)
        raise CheckError(f"{path.name} is no program of {assignment.id}; expected one of: {expected}.")
    programs = {assignment.program_named[path.name].file} if path.is_file() else set(assignment.program_of)
    tests = [test for test in assignment.tests if test.visibility in visibilities and test.program in programs]
    if not tests:
        raise CheckError(
            f"{assignment.id} has no {' or '.join(sorted(visibilities))} test for {', '.join(sorted(programs))}."
        )
    return SelfCheck(assignment, path, tuple(tests), load_transcripts(assignment, tests))


def hold_check(check: SelfCheck, bench: Bench, tick: Callable[[], None]) -> GradedSubmission:
    """Run the tests on the files as they are now; `tick` is called after each test."""
    submission = submission_at(check.assignment, check.path)
    return grade_submission(check.assignment, check.tests, check.transcripts, submission, Outcomes(bench), tick)


def submission_at(assignment: Assignment, path: Path) -> Submission:
    """The folder or the one program at `path` as a submission."""
    if path.is_dir():
        return submission_in(
            path, assignment.file_names, assignment.zone, (module.file for module in assignment.provided)
        )
    return Submission(path.name, (SubmittedFile(path.name, path),), None, TimeSource.NONE, ())


def _print(check: SelfCheck, graded: GradedSubmission, output: OutputFormat, *, show: int) -> None:
    if output is OutputFormat.TEXT:
        print_check(output_console(), check.assignment, graded, show=show)
    elif output is OutputFormat.JSON:
        sys.stdout.write(results_line(checked_class(check.assignment, graded)))
    else:
        for line in check_log(check.assignment, graded, partial(_path_in_workspace, graded), show=show):
            sys.stdout.write(f"{line}\n")
        add_step_summary(check_summary(check.assignment, graded))


def _path_in_workspace(graded: GradedSubmission, name: str) -> str | None:
    """The path of a submitted file as a workflow knows it: from the folder of the repository."""
    file = graded.submission.file(name)
    if file is None:
        return None
    return os.path.relpath(file.path, os.environ.get("GITHUB_WORKSPACE") or os.curdir)


def _save(graded: GradedSubmission, folder: Path) -> None:
    try:
        for result in graded.results:
            if result.outcome:
                write_transcript(folder / f"{result.test.id}.txt", result.outcome.transcript)
    except OSError as error:
        raise CheckError(f"The outputs cannot be saved in {folder}: {error.strerror}") from None
