"""What a student handed in."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path


class TimeSource(StrEnum):
    """Where the time of a submission comes from."""

    SUBMISSION_FILE = "submission.yaml"
    FILE_TIME = "file time"
    NONE = "none"


@dataclass(frozen=True)
class SubmittedFile:
    """A file of a submission: `name` is what the assignment calls it, `path` where it lies."""

    name: str
    path: Path


@dataclass(frozen=True)
class Submission:
    """One student's files and their time.

    `submitted` is None when no time can be told (no file, or a faulty submission.yaml). `readable` is false when the
    folder itself could not be read, which is not the student's fault. `notes` are for the instructor: what was odd or
    could not be read.
    """

    student: str
    files: tuple[SubmittedFile, ...]
    submitted: datetime | None
    time_source: TimeSource
    notes: tuple[str, ...]
    readable: bool = True

    def file(self, name: str) -> SubmittedFile | None:
        """The file that the assignment calls `name`."""
        return next((file for file in self.files if file.name == name), None)
