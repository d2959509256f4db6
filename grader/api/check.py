"""Checks a submission with the public tests of a course."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from grader.api.course import assignment_for_files, course_for
from grader.api.request import FilePath, Progress, no_progress
from grader.expected.transcripts import load_transcripts
from grader.model.assignment import Assignment
from grader.model.results import GradedSubmission
from grader.model.submission import Submission, TimeSource
from grader.model.test import Visibility
from grader.run.system import SystemKind, this_system
from grader.selfcheck.check import PUBLIC_ONLY, SelfCheck, names_at, self_check, submission_at
from grader.selfcheck.remembered import remembered_assignment
from grader.selfcheck.running import ignore_verdict, run_check
from grader.spec.course import Course, load_now


def check(
    path: FilePath, *, course: FilePath | None = None, assignment: str | None = None, progress: Progress = no_progress
) -> GradedSubmission:
    """Run the public tests on the program at `path`, or on every program in that folder.

    Programs run with limits but without a sandbox. By default, `course` is the course folder that contains
    the working directory or `path`, and `assignment` is the one whose programs match the file names. Raises CheckError
    or another GraderError if there is nothing to check.
    """
    return run_check(prepare_check(path, course=course, assignment=assignment), ignore_verdict, progress).graded


def prepare_check(
    path: FilePath,
    *,
    course: FilePath | None = None,
    assignment: str | None = None,
    visibilities: Collection[Visibility] = PUBLIC_ONLY,
    system: SystemKind = this_system(),
) -> SelfCheck:
    """Prepare to check `path` with the tests that have one of these visibilities.

    Raises CheckError or another GraderError if there is nothing to check.
    """
    where = Path(path)
    course_found = _with_cache(course_for(Path(course) if course is not None else None, where))
    fitting = assignment_for_files(course_found, assignment, names_at(where), where)
    prepared = self_check(fitting, where, partial(load_transcripts, fitting), visibilities, system)
    return replace(prepared, take_in=_as_handed_in)


def _with_cache(course: Course) -> Course:
    """Return the course with a cache, so that assignments are only reloaded after a change."""

    def load(folder: Path, references: Path) -> Assignment:
        other_folders = (references, course.folder / "checkers", course.folder / "interactors")
        return remembered_assignment(folder, other_folders, partial(load_now, folder, references))

    return replace(course, load=load)


@contextmanager
def _as_handed_in(assignment: Assignment, path: Path) -> Iterator[Submission]:
    """Yield the submission at `path` as it would be read from a class, with archives unpacked.

    File times are ignored.
    """
    if not path.is_dir():
        yield submission_at(assignment, path)
        return
    # A single file does not need this module, and short checks should start quickly.
    from grader.intake.match_files import submission_requirements
    from grader.intake.read_class import submission_in

    with TemporaryDirectory(prefix="grader-intake-") as unpacked:
        submission = submission_in(path, submission_requirements(assignment), Path(unpacked))
        yield replace(submission, submitted=None, time_source=TimeSource.NONE)
