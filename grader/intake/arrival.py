"""What came in from one student at one time, before anybody looked which file is which program."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from tempfile import mkdtemp
from typing import Protocol
from zoneinfo import ZoneInfo

from grader.intake.archive import Limits
from grader.intake.found_file import FoundFile
from grader.intake.identity import UNIDENTIFIED, Identity
from grader.intake.kinds.kind import IntakeKind
from grader.intake.submission import TimeSource


@dataclass(frozen=True)
class Space:
    """Where archives and repositories are unpacked, how much of one student, and the zone of times that say none."""

    folder: Path
    limits: Limits
    zone: ZoneInfo

    def new(self) -> Path:
        """A place for a folder that is not there yet."""
        return Path(mkdtemp(dir=self.folder)) / "unpacked"


class Contents(Protocol):
    """Where the files of a submission are."""

    def files(self, space: Space, /) -> tuple[FoundFile, ...]:
        """The files. Raises RefusedError when they are not taken, and OSError."""

    def said_in(self) -> Path | None:
        """The folder in which the instructor may have put submission.yaml."""


@dataclass(frozen=True)
class Moment:
    """What was there at a certain time, as in a commit."""

    time: datetime
    contents: Contents
    name: str


@dataclass(frozen=True)
class Arrival:
    """One attempt of one student, found at `source` (a name in the class).

    `submitted` and `time_source` are what the platform says; without it the files tell the time. `late` is whether the
    platform calls it late, if it does. `history` is what else there was, the newest first: then `contents` is the
    newest of it. `shape` is the kind of class that it is part of.
    """

    student: str
    contents: Contents
    source: str
    identity: Identity = UNIDENTIFIED
    attempt: int = 1
    submitted: datetime | None = None
    time_source: TimeSource = TimeSource.NONE
    late: bool | None = None
    history: tuple[Moment, ...] = ()
    notes: tuple[str, ...] = ()
    shape: IntakeKind | None = None

    def at(self, moment: Moment) -> "Arrival":
        """What there was at a moment of its history."""
        source = f"{self.source}@{moment.name}"
        return replace(self, contents=moment.contents, submitted=moment.time, source=source, history=())


@dataclass(frozen=True)
class Arrived:
    """Everything that came in, by student and in order, and notes on what was passed over."""

    arrivals: tuple[Arrival, ...]
    notes: tuple[str, ...] = ()

    @property
    def students(self) -> tuple[str, ...]:
        """The students, each once, by name."""
        return tuple(sorted({arrival.student for arrival in self.arrivals}))

    def by_student(self) -> Iterator[tuple[str, tuple[Arrival, ...]]]:
        """The attempts of each student, by name."""
        attempts: dict[str, list[Arrival]] = {}
        for arrival in self.arrivals:
            attempts.setdefault(arrival.student, []).append(arrival)
        for student in sorted(attempts):
            yield student, tuple(attempts[student])
