"""Takes submissions in, for tests that are about something else, or about one shape."""

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from grader.class_files.roster import read_roster
from grader.intake.attempt import UnpackSettings
from grader.intake.choose_attempt import ClassSubmissions, choose_attempts
from grader.intake.class_folder import open_class
from grader.intake.download_format import DownloadFormat
from grader.intake.match_files import Programs, SubmissionRequirements
from grader.intake.read_class import read_class
from grader.intake.read_class import submission_in as submission_in_folder
from grader.model.submission import Submission
from grader.platforms import recognised_formats

DUE = datetime(2025, 10, 27, 11, 59, tzinfo=ZoneInfo("Australia/Sydney"))
NOWHERE = Path("/nonexistent")


def submission_in(folder: Path, programs: Programs, zone: ZoneInfo, provided: Iterable[str] = ()) -> Submission:
    """The submission in one student's folder, in which nothing has to be unpacked."""
    return submission_in_folder(
        folder, SubmissionRequirements(programs=programs, zone=zone, provided=tuple(provided)), NOWHERE
    )


def take_in(
    path: Path,
    wanted: SubmissionRequirements,
    unpacked: Path = NOWHERE,
    *,
    chosen: DownloadFormat | None = None,
    roster: Path | None = None,
    due: datetime = DUE,
) -> ClassSubmissions:
    """The submissions of the class in the folder or archive `path`; archives are unpacked in `unpacked`."""
    space = UnpackSettings(unpacked, wanted.limits, wanted.zone)
    where = open_class(path, space, wanted.names)
    arrived = read_class(
        where, wanted, space, recognised_formats(), chosen=chosen, roster=read_roster(roster) if roster else None
    )
    return choose_attempts(arrived, wanted, space, lambda _: due)
