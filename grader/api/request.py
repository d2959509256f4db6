"""Grading requests: the submissions, options and progress callbacks, and the valid names to choose from.

This module does not import anything heavy, so that a run with nothing new to do ends at once.
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
"""A context manager that is open during a task, created from the task's name and its number of steps (0 if unknown)."""


@contextmanager
def no_progress(_task: str, _steps: int) -> Iterator[Tick]:
    """Report no progress."""
    yield lambda: None


@dataclass(frozen=True, kw_only=True)
class GradeOptions:
    """The options for grading a class; None means the default.

    `download_format` is the format of the submissions, detected by default. `roster`, `extensions`, `marks` and
    `overrides` are the instructor's files, by default the files next to the submissions. `jobs` is the number of
    parallel sessions on this machine, by default two per core; `cluster` is the address of the Dask scheduler to use
    instead (`tcp://HOST:PORT` or `local:N`). `store` is the file that stores outcomes, or the URL of a PostgreSQL
    database (`postgresql://USER@HOST/DATABASE`). With `no_cache`, stored outcomes are ignored. `steps` lists plugins
    that analyse each graded submission, such as `locate`, and `class_steps` those for the whole class, such as
    `repair`. With `hide_names`, results do not contain students' full names.
    """

    sandbox: SandboxKind = SandboxKind.BWRAP
    download_format: str | None = None
    roster: Path | None = None
    extensions: Path | None = None
    marks: Path | None = None
    overrides: Path | None = None
    jobs: int | None = None
    cluster: str | None = None
    store: FilePath | None = field(default=None, repr=False)  # may contain a password
    no_cache: bool = False
    steps: tuple[str, ...] = ()
    class_steps: tuple[str, ...] = ()
    hide_names: bool = False


@dataclass(frozen=True, kw_only=True)
class GradeRequest:
    """The submissions to grade: a folder or archive with one class, or with several classes in subfolders.

    By default, `assignment` is determined from the file names, and `course` by searching upwards from the working
    directory and `folder`.
    """

    folder: Path
    assignment: str | None = None
    course: Path | None = None
    options: GradeOptions = field(default_factory=GradeOptions)


def assignment_names() -> list[str]:
    """Return the assignments of the course around the working directory, or an empty list without a course."""
    return sorted(file.parent.name for file in _files_of_course("test_specs/*/assignment.yaml"))


def program_names() -> list[str]:
    """Return the names of the course's references around the working directory, or an empty list without a course."""
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
    """Return the formats in which results can be printed."""
    from grader.reports import output_formats

    return output_formats.output_names()


def step_names(group: str) -> list[str]:
    """Return the names of the plugins' steps in an entry point group."""
    from grader.extensions import extensions

    return list(extensions(group))


def step_help(group: str, name: str) -> str:
    """Return the description of a step, or the error if its plugin cannot be loaded."""
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
