"""Requests to grade: the submissions, the options, the progress callbacks, and the names to choose from.

This module imports nothing heavy, so that a run with nothing new to do ends at once.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import TypeAlias

from grader.model.program import SandboxKind
from grader.spec.course import CourseError, find_course_folder

FilePath: TypeAlias = str | PathLike[str]

Tick: TypeAlias = Callable[[], None]
"""A function called after each step of the work."""

Progress: TypeAlias = Callable[[str, int], AbstractContextManager[Tick]]
"""A context manager, open during a task, made from the task's name and its number of steps (0: unknown)."""


@contextmanager
def no_progress(_task: str, _steps: int) -> Iterator[Tick]:
    """Report no progress."""
    yield lambda: None


@dataclass(frozen=True, kw_only=True)
class GradeOptions:
    """The options for grading a class; None stands for the default.

    `download_format` names the format of the submissions, by default the detected one. `roster`,
    `extensions`, `marks` and `overrides` are the instructor's files, by default those beside the submissions. `jobs` is
    the number of sessions at a time on this machine, by default two per core; `cluster` is the address of a Dask
    cluster to grade on instead (`tcp://HOST:PORT` or `local:N`). `store` is the file that keeps outcomes, or the
    address of a PostgreSQL database (`postgresql://USER@HOST/DATABASE`); with `no_cache`, nothing is taken from it.
    `steps` names plugins that analyse each graded submission, such as `locate`, `class_steps` those that examine the
    class, such as `repair`.
    With `hide_names`, results contain no full names of students.
    """

    sandbox: SandboxKind = SandboxKind.BWRAP
    download_format: str | None = None
    roster: Path | None = None
    extensions: Path | None = None
    marks: Path | None = None
    overrides: Path | None = None
    jobs: int | None = None
    cluster: str | None = None
    store: FilePath | None = field(default=None, repr=False)  # an address may have a password
    no_cache: bool = False
    steps: tuple[str, ...] = ()
    class_steps: tuple[str, ...] = ()
    hide_names: bool = False


@dataclass(frozen=True, kw_only=True)
class GradeRequest:
    """The submissions to grade: a folder or archive of one class, or of several in subfolders.

    By default, `assignment` is found by the names of the files, and `course` from the working folder and `folder` up.
    """

    folder: Path
    assignment: str | None = None
    course: Path | None = None
    options: GradeOptions = field(default_factory=GradeOptions)


def assignment_names() -> list[str]:
    """Return the assignments of the course around the working folder, an empty list if there is no course."""
    return sorted(file.parent.name for file in _files_of_course("test_specs/*/assignment.yaml"))


def program_names() -> list[str]:
    """Return the references of the course around the working folder, an empty list if there is no course."""
    return sorted(file.name for file in _files_of_course("reference/*.py"))


def _files_of_course(pattern: str) -> list[Path]:
    try:
        return list(find_course_folder(Path.cwd()).glob(pattern))
    except (CourseError, OSError):
        return []


def download_names() -> list[str]:
    """Return the formats of submissions."""
    from grader.platforms import downloads

    return list(downloads())


def export_names() -> list[str]:
    """Return the formats of exports."""
    from grader.platforms import exports

    return list(exports())


def autograder_names() -> list[str]:
    """Return the platforms that run an autograder."""
    from grader.platforms import student_exports

    return list(student_exports())


def output_names() -> list[str]:
    """Return the formats in which results are printed."""
    from grader.reports import output_formats

    return output_formats.output_names()


def step_names(group: str) -> list[str]:
    """Return the names of the plugins' steps in a group of entry points."""
    from grader.extensions import extensions

    return list(extensions(group))


def step_help(group: str, name: str) -> str:
    """Return a description of a step, or of the error if its plugin cannot be loaded."""
    from grader.extensions import ExtensionError, extension
    from grader.grading.submission_step import GradingStep

    try:
        return extension(group, name, f"--{name}").load(GradingStep).about
    except ExtensionError as error:
        return str(error)


def language_names() -> list[str]:
    """Return the languages available for messages to students."""
    from grader.text.language import LANGUAGES

    return list(LANGUAGES)
