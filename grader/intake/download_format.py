"""The formats in which submissions of a class arrive."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

from grader.intake.attempt import ReceivedClass, UnpackSettings
from grader.intake.class_folder import ClassFolder
from grader.intake.match_files import SubmissionRequirements


class Evidence(IntEnum):
    """The evidence that an entry fits a format, strongest first.

    It decides between formats that otherwise fit equally well.
    """

    NAME = 1
    LOOSE_NAME = 2
    """The name could also be a file in a plain folder."""
    CONTENTS = 3


@dataclass(frozen=True, kw_only=True)
class DownloadFormat:
    """The format in which a learning platform exports the submissions of a class.

    `title` is the name used for such a download in notes. `fits` tests a folder entry by the given `evidence`, and
    `read` reads the folder. If `index` is set, the folder must contain that file. If `entry_is_student`, a matching
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
    """The formats that a folder can have. If several fit equally well, the first one is used.

    `notes` explain which other formats are not recognised, and why.
    """

    formats: tuple[DownloadFormat, ...]
    notes: tuple[str, ...] = ()
