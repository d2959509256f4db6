"""A submission, and the student's identity as far as the submissions or the roster reveal it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path

SECTION = "section"
"""The roster column with the student's section of the class."""


@dataclass(frozen=True, kw_only=True, slots=True)
class StudentIdentity:
    """The identifiers with which marks can be returned; None if unknown.

    `id` is the school's number for the student (SID in Gradescope, SIS User ID in Canvas, ID number in Moodle), `login`
    the account name (also on GitHub), `moodle` the participant number in Moodle, and `canvas` the user number in
    Canvas.
    """

    name: str | None = None
    id: str | None = None
    email: str | None = None
    login: str | None = None
    moodle: str | None = None
    canvas: str | None = None

    def filled(self, source: "StudentIdentity") -> "StudentIdentity":
        """Return this identity with missing fields taken from `source`."""
        return StudentIdentity(**{name: value or getattr(source, name) for name, value in asdict(self).items()})


class TimeSource(StrEnum):
    """The source of a submission's time, unless it is a learning platform, whose name is used instead."""

    SUBMISSION_FILE = "submission.yaml"
    FILE_TIME = "file time"
    COMMIT = "commit"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class SubmittedFile:
    """A file of a submission: `name` is its name in the assignment, `path` its location."""

    name: str
    path: Path


@dataclass(frozen=True, kw_only=True, slots=True)
class Submission:
    """A student's files and their time.

    `student` is the student's name in reports and in the instructor's files, and is a valid file name. `submitted` is
    None if the time is unknown (no file, or a faulty submission.yaml); `time_source` is a TimeSource or the name of a
    learning platform. `readable` is false if the folder or archive could not be read or was rejected, in which case a
    person must look at it before there can be a mark. `notes` tell the instructor about anything odd or unreadable.
    `files` holds the programs with their further files, and `unused` the names of files that nothing uses. `refused`
    gives the reason for each submitted program that was not accepted. `source` is where the submission was found (empty
    if the student did not submit), `shape` the kind of class that contains it, and `attempt` the number of the attempt,
    from 1. `roster` holds the student's other roster columns, such as the `section`.
    """

    student: str
    files: tuple[SubmittedFile, ...]
    submitted: datetime | None
    time_source: str
    notes: tuple[str, ...]
    unused: tuple[str, ...] = ()
    refused: Mapping[str, str] = field(default_factory=dict)
    readable: bool = True
    identity: StudentIdentity = StudentIdentity()
    source: str = ""
    attempt: int = 1
    shape: str | None = None
    roster: Mapping[str, str] = field(default_factory=dict)

    def file(self, name: str) -> SubmittedFile | None:
        """Return the file that the assignment calls `name`."""
        return next((file for file in self.files if file.name == name), None)
