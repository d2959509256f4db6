"""What a caller asks for: submissions, how to grade them, how to hear of the progress; and the names to choose from.

It imports nothing heavy, so that a run that has nothing new to do ends at once.
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
"""Called each time that one step of the work is done."""

Progress: TypeAlias = Callable[[str, int], AbstractContextManager[Tick]]
"""Opened with the name of a task and the number of its steps, 0 if that is not known, for as long as it takes."""


@contextmanager
def no_progress(_task: str, _steps: int) -> Iterator[Tick]:
    """Tell no one how the work goes on."""
    yield lambda: None


@dataclass(frozen=True, kw_only=True)
class GradeOptions:
    """How a class is graded; None stands for the default.

    `download_format` is the name of the format that the submissions have, by default the one they look like. `roster`,
    `extensions`, `marks` and `overrides` are the instructor's files, by default those beside the submissions. `jobs` is
    the number of sessions at a time on this machine, by default two per core; `cluster` is the address of a Dask
    cluster to grade on instead (`tcp://HOST:PORT` or `local:N`). `store` is the file that keeps outcomes, or the
    address of a PostgreSQL database (`postgresql://USER@HOST/DATABASE`); with `no_cache`, nothing is taken from it.
    `steps` are names of plugins that find out more about each graded submission, such as `locate`.
    With `hide_names`, what is made of the class has no full names of students.
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
    hide_names: bool = False


@dataclass(frozen=True, kw_only=True)
class GradeRequest:
    """The submissions to grade: a folder or an archive, of one class or of several in sub-folders.

    `assignment` is by default found from the names of the files, `course` from the working folder and `folder` upward.
    """

    folder: Path
    assignment: str | None = None
    course: Path | None = None
    options: GradeOptions = field(default_factory=GradeOptions)


def assignment_names() -> list[str]:
    """Return the assignments of the course around the working folder; none where there is no course."""
    return sorted(file.parent.name for file in _files_of_course("test_specs/*/assignment.yaml"))


def program_names() -> list[str]:
    """Return the references of the course around the working folder; none where there is no course."""
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
    """Return the steps that plugins take: the names in a group of entry points."""
    from grader.extensions import extensions

    return list(extensions(group))


def step_help(group: str, name: str) -> str:
    """Return what a step does; what is wrong with its plugin if that cannot be loaded."""
    from grader.extensions import ExtensionError, extension
    from grader.grading.submission_step import GradingStep

    try:
        return extension(group, name, f"--{name}").load(GradingStep).about
    except ExtensionError as error:
        return str(error)


def language_names() -> list[str]:
    """Return the languages that students can be spoken to in."""
    from grader.text.language import LANGUAGES

    return list(LANGUAGES)
