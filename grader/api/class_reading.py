"""Reads the submissions of a class from a folder or an archive."""

from dataclasses import dataclass
from pathlib import Path

from grader.api.request import GradeOptions
from grader.class_files.all_files import read_class_roster
from grader.intake.attempt import ReceivedClass, UnpackSettings
from grader.intake.choose_attempt import ClassSubmissions, DueDateOf, choose_attempts
from grader.intake.class_folder import open_class
from grader.intake.match_files import submission_requirements
from grader.intake.read_class import read_class
from grader.model.assignment import Assignment
from grader.platforms import download_format, recognised_formats

_DEFAULT_OPTIONS = GradeOptions()


@dataclass(frozen=True)
class HandedIn:
    """The submissions of a class, and the folder with the instructor's files."""

    assignment: Assignment
    received: ReceivedClass
    beside: Path
    settings: UnpackSettings

    def submissions(self, due: DueDateOf | None = None) -> ClassSubmissions:
        """Return the submissions that count; `due` returns each student's due date, by default the assignment's."""
        due_by_student = due or (lambda _: self.assignment.due)
        return choose_attempts(self.received, submission_requirements(self.assignment), self.settings, due_by_student)


def handed_in(
    assignment: Assignment, folder: Path, unpacked: Path, options: GradeOptions = _DEFAULT_OPTIONS
) -> HandedIn:
    """Read the class in a folder or archive; archives inside it are unpacked to `unpacked`.

    Raises IntakeError or SpecError. Only `download_format` and `roster` of the `options` are used.
    """
    requirements = submission_requirements(assignment)
    settings = UnpackSettings(unpacked, requirements.limits, requirements.zone)
    where = open_class(folder, settings, requirements.names)
    received = read_class(
        where,
        requirements,
        settings,
        recognised_formats(),
        chosen=download_format(options.download_format) if options.download_format else None,
        roster=read_class_roster(options, where.beside),
    )
    return HandedIn(assignment, received, where.beside, settings)
