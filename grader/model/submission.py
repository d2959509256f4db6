"""A submission, and the identity of its student as far as submissions or the roster reveal it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path

SECTION = "section"
"""The roster column with the student's section of the class."""


@dataclass(frozen=True, kw_only=True, slots=True)
class StudentIdentity:
    """The identifiers by which marks can be returned; None if not known.

    `id` is the school's number for the student (Gradescope's SID, Canvas's SIS User ID, Moodle's ID number), `login`
    the account name (also on GitHub), `moodle` the number of the participant in Moodle, `canvas` that of the user in
    Canvas.
    """

    name: str | None = None
    id: str | None = None
    email: str | None = None
    login: str | None = None
    moodle: str | None = None
    canvas: str | None = None

    def filled(self, source: "StudentIdentity") -> "StudentIdentity":
        """Return this identity with the fields that it lacks taken from `source`."""
        return StudentIdentity(**{name: value or getattr(source, name) for name, value in asdict(self).items()})


class TimeSource(StrEnum):
    """The source of a submission's time, unless a learning platform gives it: then the source is its name."""

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
    """One student's files and their time.

    `student` is the student's name in reports and in the instructor's files, and is a valid file name.
    `submitted` is None when the time is unknown (no file, or a faulty submission.yaml); `time_source` is a TimeSource
    or the name of a learning platform. `readable` is false when the folder or archive could not be read or was refused:
    there is no mark until a person has looked. `notes` tell the instructor what was odd or could not be read.
    `files` holds the programs with their further files, `unused` the names of files that nothing uses;
    `refused` gives the reason for each program that was handed in but not accepted.
    `source` is where the submission was found (empty: there is none), `shape` the kind of class that it is part of,
    `attempt` the number of the attempt, from 1. `roster` holds the student's other roster columns, such as the
    `section`.
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
