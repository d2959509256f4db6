"""When a submission was handed in: submission.yaml, or else the newest file time."""

import os
import stat
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from grader.intake.submission import SubmittedFile, TimeSource
from grader.spec.document import read_document
from grader.spec.problem import Place, Problem, SpecError
from grader.spec.scalars import LocalTime
from grader.spec.validate import SpecModel, validate

FILE_NAME = "submission.yaml"
_MOST_BYTES = 10_000


class SubmissionFile(SpecModel):
    """submission.yaml: `submitted` is local time in the assignment's zone."""

    submitted: LocalTime


@dataclass(frozen=True)
class SubmissionTime:
    """A time, where it comes from, and what the instructor should know about it."""

    submitted: datetime | None
    source: TimeSource
    notes: tuple[str, ...] = ()


def submission_time(folder: Path | None, files: tuple[SubmittedFile, ...], zone: ZoneInfo) -> SubmissionTime:
    """The time of the submission in `folder`; None for a submission that is loose files.

    File times count in whole seconds, so that a file handed in during the very second of the due date is in time.
    Raises OSError when the folder or a file cannot be looked at.
    """
    if folder is not None and (said := _said(folder / FILE_NAME, zone)):
        return said
    if not files:
        return SubmissionTime(None, TimeSource.NONE)
    newest = max(os.lstat(file.path).st_mtime_ns for file in files) // 1_000_000_000
    try:
        return SubmissionTime(datetime.fromtimestamp(newest, UTC).astimezone(zone), TimeSource.FILE_TIME)
    except (ValueError, OverflowError):
        return SubmissionTime(None, TimeSource.NONE, (f"the file time is no date ({newest} seconds since 1970)",))


def _said(file: Path, zone: ZoneInfo) -> SubmissionTime | None:
    """What submission.yaml says; None when there is none."""
    try:
        _check_kind(file)
        content = validate(read_document(file), SubmissionFile)
    except FileNotFoundError:
        return None
    except SpecError as error:
        return SubmissionTime(None, TimeSource.NONE, tuple(str(problem) for problem in error.problems))
    return SubmissionTime(content.submitted.replace(tzinfo=zone), TimeSource.SUBMISSION_FILE)


def _check_kind(file: Path) -> None:
    """Refuse what a student may have put in the way: a link to elsewhere, a pipe that never ends, a huge file.

    Raises SpecError for these, OSError when the file cannot be looked at.
    """
    status = os.lstat(file)
    if not stat.S_ISREG(status.st_mode):
        raise SpecError([Problem(Place(file, 1, 1), "this is not a regular file")])
    if status.st_size > _MOST_BYTES:
        raise SpecError([Problem(Place(file, 1, 1), f"found {status.st_size} bytes; expected at most {_MOST_BYTES}")])
