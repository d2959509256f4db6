"""The declaration of a learning platform: its download, its exports, and its autograder.

Declarations are loaded at every start, so they contain the import paths of export functions, which are imported on
demand.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from grader.errors import GraderError
from grader.grading.student_view import StudentView
from grader.intake.download_format import DownloadFormat
from grader.model.assignment import Assignment
from grader.model.results import ClassResult
from grader.store.origin import Provenance


class ExportError(GraderError):
    """A class or an autograder cannot be written in the requested format."""


@dataclass(frozen=True)
class ExportedFiles:
    """Files by name, and the `students` whose results they contain. Some files are written on demand.

    `left_out` lists missing marks with reasons, and `notes` are about other matters.
    """

    files: Mapping[str, bytes]
    left_out: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    students: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True)
class ExportOptions:
    """The options of `grader export` that only some formats take; None if not given.

    `sheet` is a gradebook downloaded from the platform, and `encoding` is its encoding. `column` is the column to fill
    in. `hidden_tests` determines when students see hidden tests. `canvas_url`, `canvas_course` and `canvas_assignment`
    specify where marks are sent.
    """

    sheet: Path | None = None
    encoding: str | None = None
    column: str | None = None
    hidden_tests: str | None = None
    canvas_url: str | None = None
    canvas_course: str | None = None
    canvas_assignment: str | None = None


@dataclass(frozen=True, kw_only=True)
class Delivery:
    """Marks to send to a platform, before anything has been sent.

    `lines` describe what would be sent for each student, and `students` lists these students. `left_out` and `notes`
    are as in ExportedFiles. `send` sends the marks and returns a sentence for each student whose mark did not arrive.
    It raises ExportError if the platform cannot be reached.
    """

    lines: tuple[str, ...]
    send: Callable[[], tuple[str, ...]]
    students: frozenset[str] = frozenset()
    left_out: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


DeliveryPlanner = Callable[[ClassResult], Delivery]
"""A function that determines what to send to a platform about a class, depending on what the platform already has."""


ClassWriter = Callable[[ClassResult, Provenance], ExportedFiles]
"""A function that writes a class's results."""


StudentRenderer = Callable[[Assignment, StudentView, Provenance], str]
"""A function that writes a student's results."""


AutograderBuilder = Callable[[Assignment, Path, str], ExportedFiles]
"""A function that writes an assignment's autograder, given the course folder and the kind of sandbox."""


def without_options(write: Callable[..., Any]) -> Callable[[ExportOptions], Any]:
    """Return the `writer` or `renderer` of an export without options that uses `write`."""
    return lambda _: write


@dataclass(frozen=True, kw_only=True)
class ClassExport:
    """An export of a whole class in one file.

    `about` describes the files in a short phrase. `writer` returns the function that writes them, or raises ExportError
    if an option is missing or wrong. `options` lists the fields of ExportOptions that it takes.
    """

    name: str
    about: str
    writer: Callable[[ExportOptions], ClassWriter]
    options: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class StudentExport:
    """An export with one file per student, which an autograder on the platform also writes.

    `about`, `options` and `renderer` are as in ClassExport. `suffix` is the end of each file name. If `takes_excused`,
    the platform accepts results without a score. If `holds_origin`, the file identifies the submission, tests and
    grader behind the results. `read_metadata` reads the platform's data about a submission from a file of the platform.
    """

    name: str
    about: str
    suffix: str
    renderer: Callable[[ExportOptions], StudentRenderer]
    options: tuple[str, ...] = ()
    takes_excused: bool = False
    holds_origin: bool = True
    read_metadata: "Callable[[Path], SubmissionMetadata] | None" = None


@dataclass(frozen=True)
class SubmissionMetadata:
    """The students and time of a submission according to the platform; `extended` is their due date."""

    students: str
    submitted: datetime
    extended: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class AutograderExport:
    """An autograder to upload. `about` describes the files in a short phrase, and `build` writes them."""

    name: str
    about: str
    build: AutograderBuilder


@dataclass(frozen=True, kw_only=True)
class DeliveryExport:
    """An export that is sent directly to the platform.

    `about` and `options` are as in ClassExport. `planner` returns the planning function, or raises ExportError if an
    option is missing or wrong.
    """

    name: str
    about: str
    planner: Callable[[ExportOptions], DeliveryPlanner]
    options: tuple[str, ...] = ()


Export = ClassExport | StudentExport | AutograderExport | DeliveryExport


@dataclass(frozen=True, kw_only=True)
class Platform:
    """A learning platform: the format of its downloads (None if they cannot be read), and its exports."""

    download: DownloadFormat | None = None
    exports: tuple[Export, ...] = ()
