"""The formats in which the submissions of a class arrive."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

from grader.intake.attempt import ReceivedClass, UnpackSettings
from grader.intake.class_folder import ClassFolder
from grader.intake.match_files import SubmissionRequirements


class Evidence(IntEnum):
    """The evidence that an entry fits a format, the strongest first. It decides between formats that fit equally."""

    NAME = 1
    LOOSE_NAME = 2
    """The name could also be that of a file in a plain folder."""
    CONTENTS = 3


@dataclass(frozen=True, kw_only=True)
class DownloadFormat:
    """The shape in which a learning platform hands out the submissions of a class.

    `title` is the name of such a download in notes. `fits` tests an entry of the folder on the grounds of `evidence`;
    `read` reads the folder. A folder without the file `index` has another format. If `entry_is_student`, a fitting
    folder that is the only entry belongs to a student, and is not the download itself.
    """

    name: str
    title: str
    fits: Callable[[os.DirEntry[str], SubmissionRequirements], bool]
    read: Callable[[ClassFolder, SubmissionRequirements, UnpackSettings], ReceivedClass]
    index: str | None = None
    entry_is_student: bool = False
    evidence: Evidence = Evidence.NAME


@dataclass(frozen=True)
class RecognisedFormats:
    """The formats that a folder can have. Of formats that fit equally, the first counts.

    `notes` say which other formats are not recognised, and why.
    """

    formats: tuple[DownloadFormat, ...]
    notes: tuple[str, ...] = ()
