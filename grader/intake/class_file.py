"""Files about a class that plugins read: NAME.yaml or NAME.csv next to the submissions."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from grader.class_files.all_files import file_beside
from grader.class_files.roster import Roster
from grader.extensions import CLASS_FILES, extension, extensions
from grader.intake.attempt import ReceivedClass
from grader.intake.enrolment import with_roster
from grader.intake.match_files import SubmissionRequirements

FILE_NAMES = {name: (f"{name}.yaml", f"{name}.csv") for name in extensions(CLASS_FILES)}
"""The possible file names for each plugin."""


@dataclass(frozen=True)
class AboutClass:
    """A plugin's file, the roster (None if the class has none), and the requirements of the assignment."""

    file: Path | None
    roster: Roster | None
    requirements: SubmissionRequirements


Arrange: TypeAlias = Callable[[ReceivedClass, AboutClass], ReceivedClass]
"""A function that changes the attempts of a class according to a file. Raises SpecError if the file is faulty."""


@dataclass(frozen=True, kw_only=True)
class ClassFile:
    """A kind of file about a class, with its changes `before` and `after` students are matched with the roster."""

    before: Arrange = lambda arrived, _: arrived
    after: Arrange = lambda arrived, _: arrived


def arranged(
    arrived: ReceivedClass, folder: Path, roster: Roster | None, requirements: SubmissionRequirements
) -> ReceivedClass:
    """Apply the roster and the plugins' files in `folder` to the attempts. Raises SpecError or ExtensionError."""
    files = {name: file_beside(folder, names) for name, names in FILE_NAMES.items()}
    steps = [
        (extension(CLASS_FILES, name, name).load(ClassFile), AboutClass(file, roster, requirements))
        for name, file in files.items()
        if file or roster
    ]
    for step, about in steps:
        arrived = step.before(arrived, about)
    arrived = with_roster(arrived, roster) if roster else arrived
    for step, about in steps:
        arrived = step.after(arrived, about)
    return arrived
