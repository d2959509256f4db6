"""Reads all files about a class: the ones that the user specifies, or else the ones next to the submissions."""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Protocol

from grader.class_files import extensions, manual_marks, overrides, requests, roster
from grader.class_files.comments import COMMENTS_FILE, Comments, read_comments
from grader.class_files.extensions import Team, completed, read_extensions, shared_due
from grader.class_files.manual_marks import read_manual_marks
from grader.class_files.overrides import Overrides, read_overrides
from grader.class_files.requests import RegradeRequests, read_requests
from grader.class_files.roster import Roster, read_roster
from grader.errors import Problem, SourceLocation, SpecError
from grader.model.assignment import Assignment
from grader.model.mark import ClassExtensions, ManualMarks, MarkedByHand, Override, StudentExtension
from grader.model.regrade import RegradeRequest
from grader.model.results import StudentComment

FILE_NAMES: Mapping[str, Sequence[str]] = {
    "extensions": extensions.FILE_NAMES,
    "marks": manual_marks.FILE_NAMES,
    "overrides": overrides.FILE_NAMES,
    "comments": (COMMENTS_FILE,),
    "requests": (requests.FILE_NAME,),
}
"""The possible file names for each kind, starting with the usual one."""
# The suffix that browsers and operating systems add to a copy.
_OF_COPIES = re.compile(r"( ?\(\d{1,3}\)| ?-? copy( \d{1,3})?)+$")


class NamedFiles(Protocol):
    """The files specified by the user; None means the file next to the submissions."""

    @property
    def roster(self) -> Path | None:
        """Return the students of the class."""

    @property
    def extensions(self) -> Path | None:
        """Return the later due dates and other arrangements."""

    @property
    def marks(self) -> Path | None:
        """Return the marks given by hand."""

    @property
    def overrides(self) -> Path | None:
        """Return the decisions that override the grader's."""


@dataclass(frozen=True, kw_only=True)
class ClassFiles:
    """The content of the files about a class; a missing file counts as empty."""

    extensions: ClassExtensions
    by_hand: MarkedByHand
    overrides: Overrides
    comments: Comments = field(default_factory=Comments)
    requests: RegradeRequests = field(default_factory=RegradeRequests)

    @property
    def notes(self) -> tuple[str, ...]:
        """Return notes for the instructor, for example about students who are not in the class."""
        files = self.extensions, self.by_hand, self.overrides, self.comments, self.requests
        return tuple(note for file in files for note in file.notes)

    def due(self, assignment: Assignment, student: str) -> datetime:
        """Return the student's due date in the time zone of the assignment."""
        return self.extensions.of.get(student, StudentExtension()).due or assignment.due

    def manual_marks(self, student: str) -> ManualMarks:
        """Return the student's manual marks and confirmed rules."""
        return self.by_hand.marks.get(student, ManualMarks())

    def overrides_of(self, student: str) -> tuple[Override, ...]:
        """Return the decisions about the student."""
        return self.overrides.of.get(student, ())

    def comments_of(self, student: str) -> tuple[StudentComment, ...]:
        """Return the comments written for this student alone."""
        return self.comments.of.get(student, ())

    def requests_of(self, student: str) -> tuple[RegradeRequest, ...]:
        """Return a student's regrade requests."""
        return self.requests.of.get(student, ())


def class_file(named: NamedFiles, folder: Path, kind: str) -> Path | None:
    """Return the file that the user specified, or else the one next to the submissions in `folder`, or None.

    Raises SpecError if it exists both as YAML and as CSV.
    """
    given: Path | None = getattr(named, kind, None)
    return file_beside(folder, FILE_NAMES[kind]) if given is None else given


def read_class_files(
    named: NamedFiles, folder: Path, assignment: Assignment, students: Sequence[str], teams: Sequence[Team] = ()
) -> ClassFiles:
    """Read the files that the user specified, or else the ones next to the submissions in `folder`.

    Raises SpecError if a file is faulty or exists both as YAML and as CSV.
    """
    granted, marked, decided, comments, requested = (class_file(named, folder, kind) for kind in FILE_NAMES)
    stated = read_extensions(granted, assignment, students) if granted else ClassExtensions({})
    return ClassFiles(
        extensions=shared_due(completed(stated, assignment, students), teams),
        by_hand=read_manual_marks(marked, assignment, students) if marked else MarkedByHand({}),
        overrides=read_overrides(decided, assignment, students) if decided else Overrides(),
        comments=read_comments(comments, assignment, students) if comments else Comments(),
        requests=read_requests(requested, assignment, students) if requested else RegradeRequests(),
    )


def read_class_roster(named: NamedFiles, folder: Path) -> Roster | None:
    """Return the roster that the user specified, or else the one next to the submissions in `folder`.

    Raises SpecError.
    """
    file = named.roster or file_beside(folder, roster.FILE_NAMES)
    return read_roster(file) if file else None


def file_beside(folder: Path, names: Sequence[str]) -> Path | None:
    """Return the file in a folder with one of these names.

    Raises SpecError if there are two, or only files with similar names.
    """
    for slip in _misspelt_files(folder, names):
        expected = " or ".join(names)
        raise SpecError([Problem(SourceLocation(slip, 1, 1), f"a file of this name is not read; expected {expected}")])
    files = [folder / name for name in names if os.path.exists(folder / name)]
    if len(files) > 1:
        raise SpecError(
            [Problem(SourceLocation(files[1], 1, 1), f"there is {files[0].name} too; expected one of them")]
        )
    return files[0] if files else None


def _misspelt_files(folder: Path, names: Sequence[str]) -> Iterator[Path]:
    """Yield the files in a folder whose names look like variants of `names`."""
    plain_names = set(map(_plain_name, names))
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name not in names and _plain_name(entry.name) in plain_names and not entry.is_dir():
                yield folder / entry.name


def _plain_name(name: str) -> str:
    """Return a name without changes made by editors, browsers and systems: its case, suffixes and copy number."""
    stem, dot, ending = name.strip().casefold().removesuffix(".txt").rpartition(".")
    ending = "yaml" if ending == "yml" else ending
    return f"{_OF_COPIES.sub('', stem).removesuffix('s')}{dot}{ending}"
