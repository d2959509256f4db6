"""Attempts as received: the location of their files, and the identity of the student.

The files have not been matched to programs yet.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from tempfile import mkdtemp
from typing import Protocol, TypeAlias
from zoneinfo import ZoneInfo

from grader.files.archive_reader import ArchiveLimits, UnsafeInputError
from grader.files.unpack import unpack
from grader.intake.match_files import FoundFile, files_in
from grader.model.submission import StudentIdentity, TimeSource


@dataclass(frozen=True)
class UnpackSettings:
    """The folder for unpacking archives and repositories, the limits per student, and the default time zone."""

    folder: Path
    limits: ArchiveLimits
    zone: ZoneInfo
    _unpacked: dict[int, tuple[object, "Unpacked"]] = field(default_factory=dict, init=False, compare=False, repr=False)

    def new(self) -> Path:
        """Return the path of a folder that does not exist yet."""
        return Path(mkdtemp(dir=self.folder)) / "unpacked"

    def once(self, contents: "Contents", unpack: Callable[["Contents"], "Unpacked"]) -> "Unpacked":
        """Return the unpacked files of contents that several students may share, unpacking them only once."""
        if id(contents) not in self._unpacked:
            self._unpacked[id(contents)] = contents, unpack(contents)
        return self._unpacked[id(contents)][1]


Unpacked: TypeAlias = tuple[tuple[FoundFile, ...], tuple[FoundFile, ...]]
"""The files of a submission, and the files from its archives."""


class Contents(Protocol):
    """The location of a submission's files."""

    def files(self, space: UnpackSettings, /) -> tuple[FoundFile, ...]:
        """Return the files. Raises UnsafeInputError if they are rejected, and OSError."""

    def said_in(self) -> Path | None:
        """Return the folder where the instructor may have put submission.yaml, or None."""


@dataclass(frozen=True)
class Revision:
    """The contents at a certain time, as in a commit."""

    time: datetime
    contents: Contents
    name: str


@dataclass(frozen=True)
class SubmissionTime:
    """A time (None if unknown), its source, and notes for the instructor."""

    submitted: datetime | None = None
    source: str = TimeSource.NONE
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """An attempt by a student, found at `source` (a name in the class).

    `submitted` and `time_source` come from the platform; without them, the files determine the time. `late` is the
    platform's statement whether the attempt is late, or None if it does not say. `history` lists the revisions, newest
    first, and `contents` then belongs to the newest. `shape` is the kind of class that contains the attempt. `roster`
    holds the student's other roster columns. `has_chosen_login` means that students choose their own logins, and
    `account` is the number or email address of an account whose owner can choose its name and id. `stated` is a time
    from a file about the class. `owner` is the student's name in the roster, once it has been determined, and `former`
    the name without the roster.
    """

    student: str
    contents: Contents
    source: str
    identity: StudentIdentity = StudentIdentity()
    roster: Mapping[str, str] = field(default_factory=dict)
    attempt: int = 1
    submitted: datetime | None = None
    time_source: str = TimeSource.NONE
    late: bool | None = None
    history: tuple[Revision, ...] = ()
    notes: tuple[str, ...] = ()
    shape: str | None = None
    has_chosen_login: bool = False
    account: str = ""
    stated: SubmissionTime | None = None
    owner: str | None = None
    former: str = ""

    def at(self, moment: Revision) -> "Attempt":
        """Return the attempt as it was at this point in its history."""
        source = f"{self.source}@{moment.name}"
        return replace(self, contents=moment.contents, submitted=moment.time, source=source, history=())


@dataclass(frozen=True)
class ReceivedClass:
    """All attempts received, by student and in order, with notes about ignored files, and teams of students."""

    arrivals: tuple[Attempt, ...]
    notes: tuple[str, ...] = ()
    teams: tuple[tuple[str, ...], ...] = ()

    @property
    def students(self) -> tuple[str, ...]:
        """Return the students' names, sorted and without duplicates."""
        return tuple(sorted({arrival.student for arrival in self.arrivals}))

    def by_student(self) -> Iterator[tuple[str, tuple[Attempt, ...]]]:
        """Yield each student's attempts, sorted by name."""
        attempts: dict[str, list[Attempt]] = {}
        for arrival in self.arrivals:
            attempts.setdefault(arrival.student, []).append(arrival)
        for student in sorted(attempts):
            yield student, tuple(attempts[student])


@dataclass(frozen=True)
class FolderContents:
    """A student's folder; `owned` means that the instructor created it and may have added files."""

    folder: Path
    owned: bool = True

    def files(self, space: UnpackSettings, /) -> tuple[FoundFile, ...]:
        """Return all entries. Raises UnsafeInputError if there are more files than an archive may contain."""
        try:
            return files_in(self.folder, space.limits.files)
        except UnsafeInputError as error:
            advice = "`submissions.files` in assignment.yaml can allow more"
            raise UnsafeInputError(f"the folder is refused: {error}; {advice}") from None

    def said_in(self) -> Path | None:
        """Return the folder if the instructor may have put submission.yaml there."""
        return self.folder if self.owned else None


@dataclass(frozen=True)
class FileContents:
    """Individual files, and folders that belong to the same student."""

    found: tuple[FoundFile, ...] = ()
    folders: tuple[Path, ...] = ()

    def files(self, space: UnpackSettings, /) -> tuple[FoundFile, ...]:
        """Return the entries of the folders and the individual files.

        Raises UnsafeInputError as for a single folder.
        """
        inside = (file for folder in self.folders for file in FolderContents(folder, owned=False).files(space))
        return (*inside, *self.found)

    def said_in(self) -> Path | None:
        """Return None, because a student's files cannot speak for the instructor."""
        return None


@dataclass(frozen=True)
class ArchiveContents:
    """An archive submitted by a student."""

    archive: Path

    def files(self, space: UnpackSettings, /) -> tuple[FoundFile, ...]:
        """Unpack the archive into `space` and return its files. Raises UnsafeInputError."""
        try:
            folder = unpack(self.archive, space.new(), space.limits, space.zone).folder
        except UnsafeInputError as error:
            raise UnsafeInputError(f"{self.archive.name} is refused: {error}") from None
        unpacked = files_in(folder, space.limits.files)
        stamp = self.archive.stat().st_mtime_ns
        for file in unpacked:
            # The student could have set the times in the archive.
            os.utime(file.path, ns=(stamp, stamp))
        return unpacked

    def said_in(self) -> Path | None:
        """Return None, because a student's files cannot speak for the instructor."""
        return None


@dataclass(frozen=True)
class RefusedContents:
    """Rejected contents, with the reason."""

    reason: str

    def files(self, _: UnpackSettings, /) -> tuple[FoundFile, ...]:
        """Raise UnsafeInputError with the reason."""
        raise UnsafeInputError(self.reason)

    def said_in(self) -> Path | None:
        """Return None, because nothing was accepted."""
        return None


def marks_of(arrival: Attempt) -> tuple[str, ...]:
    """Return the numbers, email address and login that distinguish the student, or else the file."""
    identity = arrival.identity
    marks = (identity.moodle, identity.canvas, identity.id, identity.email, identity.login)
    return tuple(filter(None, marks)) or (arrival.source,)
