"""The self-check itself: runs the public tests of an assignment on a program, however the assignment was found."""

from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path

from rich.console import Console

from grader.cli.progress import progress_bar
from grader.errors import GraderError
from grader.expected.transcripts import Transcripts, write_transcript
from grader.intake.program_files import program_files
from grader.intake.submission import Submission, SubmittedFile, TimeSource
from grader.judge.verdict import Verdict
from grader.pipeline.grade_submission import grade_submission
from grader.pipeline.outcomes import Outcomes
from grader.pipeline.results import GradedSubmission
from grader.report.check_text import print_check
from grader.report.diff_text import DiffText, first_screenful
from grader.run.places import Places
from grader.run.system import System, can_run, lacks
from grader.spec.assignment import Assignment, Test, Visibility


class CheckError(GraderError):
    """There is nothing to check."""


def names_at(path: Path) -> list[str]:
    """The names of the files that are checked: `path` itself, or what is in that folder. Raises CheckError."""
    if not path.exists():
        raise CheckError(f"There is no file or folder {path}.")
    return [path.name] if path.is_file() else [entry.name for entry in path.iterdir()]


def tests_to_check(assignment: Assignment, path: Path) -> list[Test]:
    """The public tests of the program or the programs at `path`. Raises CheckError when there is none."""
    named = assignment.program_named
    if path.is_file() and path.name not in named:
        raise CheckError(f"{path.name} is no program of {assignment.id}; expected one of: {', '.join(named)}.")
    programs = {named[path.name].file} if path.is_file() else set(assignment.program_of)
    tests = [test for test in assignment.tests if test.visibility is Visibility.PUBLIC and test.program in programs]
    if not tests:
        raise CheckError(f"{assignment.id} has no public test for {', '.join(sorted(programs))}.")
    return tests


def self_check(
    assignment: Assignment,
    tests: list[Test],
    transcripts: Transcripts,
    path: Path,
    *,
    show: int,
    save: Path | None,
    system: System,
    diff_text: DiffText = first_screenful,
) -> int:
    """Check the program or folder at `path` as far as `system` can, and print the report; returns the exit code.

    Raises CheckError when no test can be run or `save` cannot be written.
    """
    possible = [test for test in tests if can_run(system, test)]
    if not possible:
        raise CheckError(f"None of the tests can be run on this system: {'; '.join(lacks(system))}.")
    submission = _submission(assignment, path)
    with _places(system) as places, progress_bar() as progress:
        task = progress.add_task("Checking", total=len(possible))
        tick = partial(progress.advance, task)
        graded = grade_submission(assignment, possible, transcripts, submission, Outcomes(places), tick)
    left_out = [test.id for test in tests if test not in possible]
    missing = lacks(system)
    console = Console(highlight=False)
    print_check(console, assignment, graded, show=show, diff_text=diff_text, lacks=missing, left_out=left_out)
    if save is not None:
        _save(graded, save)
    return 0 if all(result.verdict is Verdict.PASSED for result in graded.results) else 1


def _places(system: System) -> AbstractContextManager[Places]:
    # Imported as late as this, because each asks for what the other systems do not have.
    if system is System.PIPES:
        from grader.run.pipe_place import pipe_places

        return pipe_places()
    from grader.run.bench import open_bench
    from grader.run.session import BEST_MEANS, WITHOUT_PROC

    return open_bench(means=BEST_MEANS if system is System.LINUX else WITHOUT_PROC)


def _submission(assignment: Assignment, path: Path) -> Submission:
    if path.is_file():
        return Submission(path.name, (SubmittedFile(path.name, path),), None, TimeSource.NONE, ())
    try:
        files, notes = program_files(path, assignment.file_names, (module.file for module in assignment.provided))
    except OSError as error:
        raise CheckError(f"{path} cannot be read: {error.strerror}") from None
    return Submission(path.resolve().name, files, None, TimeSource.NONE, notes)


def _save(graded: GradedSubmission, folder: Path) -> None:
    try:
        for result in graded.results:
            if result.outcome:
                write_transcript(folder / f"{result.test.id}.txt", result.outcome.transcript)
    except OSError as error:
        raise CheckError(f"The outputs cannot be saved in {folder}: {error.strerror}") from None
