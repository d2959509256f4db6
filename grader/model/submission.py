"""What a student handed in, and who the student is as far as submissions or the roster tell."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path

SECTION = "section"
"""The column of a roster that says which part of the class a student is in."""


@dataclass(frozen=True, kw_only=True, slots=True)
class StudentIdentity:
    """What marks can be given back by; None is not known.

    `id` is the school's number of the student (Gradescope's SID, Canvas's SIS User ID, Moodle's ID number), `login`
    the name of the account (also on GitHub), `moodle` the number of Moodle's participant, `canvas` that of Canvas's
    user.
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
    """Where the time of a submission comes from, unless a learning platform tells it: then it has that name."""

    SUBMISSION_FILE = "submission.yaml"
    FILE_TIME = "file time"
    COMMIT = "commit"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class SubmittedFile:
    """A file of a submission: `name` is what the assignment calls it, `path` where it lies."""

    name: str
    path: Path


@dataclass(frozen=True, kw_only=True, slots=True)
class Submission:
    """One student's files and their time.

    `student` is what the student is called in reports and in the instructor's files, and good as the name of a file.
    `submitted` is None when no time can be told (no file, or a faulty submission.yaml); `time_source` is a TimeSource
    or the name of a learning platform. `readable` is false when the folder or archive could not be read or was refused:
    there is no mark until a person has looked. `notes` are for the instructor: what was odd or could not be read.
    `files` are the programs with their further files, `unused` the names of files that were handed in for nothing;
    `refused` says of programs that are there why they are not taken.
    `source` is where it was found (nothing: there is none), `shape` the
    kind of class that it is part of, `attempt` the number of the attempt, from 1. `roster` is what the roster says of
    the student beyond the identity, by column: the `section`, say.
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
