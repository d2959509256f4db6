"""Takes submissions in from end to end: what lies in a folder or archive becomes submissions."""

from pathlib import Path

from grader.intake.arrival import Space
from grader.intake.class_folder import open_class
from grader.intake.find import find_arrivals
from grader.intake.kinds.plain import folder_arrival
from grader.intake.submission import Submission
from grader.intake.taken import Due, Intake, submission_of, taken_in
from grader.intake.wanted import Wanted


def submission_in(folder: Path, wanted: Wanted, unpacked: Path) -> Submission:
    """The submission of the student whose folder this is; archives in it are unpacked in `unpacked`."""
    return submission_of(folder_arrival(folder), wanted, Space(unpacked, wanted.limits, wanted.zone))


def submissions_in(path: Path, wanted: Wanted, unpacked: Path, due: Due) -> Intake:
    """The submissions of the class in a folder or archive, of whatever kind; archives are unpacked in `unpacked`.

    Raises IntakeError.
    """
    space = Space(unpacked, wanted.limits, wanted.zone)
    arrived = find_arrivals(open_class(path, space, wanted.names), wanted, space)
    return taken_in(arrived, wanted, space, due)
