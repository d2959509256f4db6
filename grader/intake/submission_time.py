"""When a submission was handed in: submission.yaml, or else the newest file time."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from grader.intake.submission import SubmittedFile, TimeSource
from grader.spec.document import read_document
from grader.spec.files import LocalTime
from grader.spec.problem import SpecError
from grader.spec.validate import SpecModel, validate

FILE_NAME = "submission.yaml"


class _SubmissionFile(SpecModel):
    """submission.yaml: `submitted` is local time in the assignment's zone."""

    submitted: LocalTime


@dataclass(frozen=True)
class SubmissionTime:
    """A time, where it comes from, and what the instructor should know about it."""

    submitted: datetime | None
    source: TimeSource
    notes: tuple[str, ...] = ()


def submission_time(folder: Path | None, files: tuple[SubmittedFile, ...], zone: ZoneInfo) -> SubmissionTime:
    """The time of the submission in `folder`; None for a submission that is loose files."""
    if folder is not None and (folder / FILE_NAME).exists():
        try:
            content = validate(read_document(folder / FILE_NAME), _SubmissionFile)
        except SpecError as error:
            notes = tuple(str(problem) for problem in error.problems)
            return SubmissionTime(None, TimeSource.NONE, notes)
        return SubmissionTime(content.submitted.replace(tzinfo=zone), TimeSource.SUBMISSION_FILE)
    if not files:
        return SubmissionTime(None, TimeSource.NONE)
    newest = max(file.path.stat().st_mtime for file in files)
    return SubmissionTime(datetime.fromtimestamp(newest, UTC).astimezone(zone), TimeSource.FILE_TIME)
