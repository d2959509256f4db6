"""What a learning platform declares: the download it hands out, what is written for it, and its autograder.

A declaration is read at every start, so it names what writes an export by its path, which is imported when needed.
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
    """A class or an autograder cannot be written in the format that was asked for."""


@dataclass(frozen=True)
class ExportedFiles:
    """The files by name, and the `students` whose results are in them. Some are written only when they are asked for.

    `left_out` says whose mark is not in them and why; `notes` do not concern a mark.
    """

    files: Mapping[str, bytes]
    left_out: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    students: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True)
class ExportOptions:
    """The options of `grader export` that only some formats take; None where the user gave none.

    `sheet` is a gradebook that was downloaded from the platform and `encoding` its encoding. `column` names the column
    to fill in. `hidden_tests` says when students see the hidden tests. `canvas_url`, `canvas_course` and
    `canvas_assignment` say where marks are sent to.
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
    """Marks to send to a platform; nothing has been sent yet.

    `lines` say whom the platform would be told what, and `students` who these are. `left_out` and `notes` are as in
    ExportedFiles. `send` sends, and returns a sentence for each student of whom the platform does not know it then; it
    raises ExportError when the platform cannot be told.
    """

    lines: tuple[str, ...]
    send: Callable[[], tuple[str, ...]]
    students: frozenset[str] = frozenset()
    left_out: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


DeliveryPlanner = Callable[[ClassResult], Delivery]
"""Works out what a platform has to be told of a class, from what it knows already."""


ClassWriter = Callable[[ClassResult, Provenance], ExportedFiles]
"""Writes the results of a class."""


StudentRenderer = Callable[[Assignment, StudentView, Provenance], str]
"""Writes the results of one student."""


AutograderBuilder = Callable[[Assignment, Path, str], ExportedFiles]
"""Writes the autograder of an assignment, from the course folder and the kind of sandbox."""


def without_options(write: Callable[..., Any]) -> Callable[[ExportOptions], Any]:
    """Return the `writer` or `renderer` of an export that takes no options, from the function that writes it."""
    return lambda _: write


@dataclass(frozen=True, kw_only=True)
class ClassExport:
    """An export that holds a whole class in one file.

    `about` describes the files in a phrase. `writer` returns the function that writes them, and raises ExportError if
    an option is missing or wrong. `options` names the fields of ExportOptions that it takes.
    """

    name: str
    about: str
    writer: Callable[[ExportOptions], ClassWriter]
    options: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class StudentExport:
    """An export of a file per student, which an autograder on the platform writes too.

    `about`, `options` and `renderer` are as in ClassExport. `suffix` ends the name of each file. `takes_excused`: the
    platform knows results without a score. `holds_origin`: the file says which submission, tests and grader the
    results come from. `read_metadata` reads what the platform says of a submission, from a file of the platform.
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
    """Who handed in a submission, and when, as the platform says; `extended` is a due date for these students alone."""

    students: str
    submitted: datetime
    extended: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class AutograderExport:
    """An autograder to upload. `about` says in a phrase what is written; `build` writes it."""

    name: str
    about: str
    build: AutograderBuilder


@dataclass(frozen=True, kw_only=True)
class DeliveryExport:
    """An export that is sent to the platform itself.

    `about` and `options` are as in ClassExport. `planner` gives what plans it; it raises ExportError when an option is
    missing or wrong.
    """

    name: str
    about: str
    planner: Callable[[ExportOptions], DeliveryPlanner]
    options: tuple[str, ...] = ()


Export = ClassExport | StudentExport | AutograderExport | DeliveryExport


@dataclass(frozen=True, kw_only=True)
class Platform:
    """A learning platform: the download that is read from it, None where there is none, and what is written for it."""

    download: DownloadFormat | None = None
    exports: tuple[Export, ...] = ()
