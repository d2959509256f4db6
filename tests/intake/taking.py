"""Takes submissions in, for tests that are about something else, or about one shape."""

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from grader.class_files.roster import read_roster
from grader.intake.attempt import Space
from grader.intake.choose_attempt import Intake, taken_in
from grader.intake.class_folder import open_class
from grader.intake.download_format import DownloadFormat, find_arrivals
from grader.intake.download_format import submission_in as submission_in_folder
from grader.intake.match_files import Programs, Wanted
from grader.model.submission import Submission
from grader.platforms import DOWNLOAD_FORMATS

DUE = datetime(2025, 10, 27, 11, 59, tzinfo=ZoneInfo("Australia/Sydney"))
NOWHERE = Path("/nonexistent")


def submission_in(folder: Path, programs: Programs, zone: ZoneInfo, provided: Iterable[str] = ()) -> Submission:
    """The submission in one student's folder, in which nothing has to be unpacked."""
    return submission_in_folder(folder, Wanted(programs, zone, tuple(provided)), NOWHERE)


def take_in(
    path: Path,
    wanted: Wanted,
    unpacked: Path = NOWHERE,
    *,
    chosen: DownloadFormat | None = None,
    roster: Path | None = None,
    due: datetime = DUE,
) -> Intake:
    """The submissions of the class in the folder or archive `path`; archives are unpacked in `unpacked`."""
    space = Space(unpacked, wanted.limits, wanted.zone)
    where = open_class(path, space, wanted.names)
    arrived = find_arrivals(
        where, wanted, space, DOWNLOAD_FORMATS, chosen=chosen, roster=read_roster(roster) if roster else None
    )
    return taken_in(arrived, wanted, space, lambda _: due)
