"""A download of all submissions from Moodle: `Full Name_ID_assignsubmission_file_…`, in folders or flat.

ID is the number of the participant, as in the column Identifier of Moodle's grading worksheet. What was typed into
Moodle's editor (`onlinetext`) is no program.
"""

import os
import re
from dataclasses import dataclass, field
from pathlib import Path

from grader.intake.attempt import (
    Attempt,
    Contents,
    FileContents,
    ReceivedClass,
    RefusedContents,
    UnpackSettings,
    disambiguate_names,
)
from grader.intake.class_folder import ClassFolder
from grader.intake.match_files import FoundFile, SubmissionRequirements
from grader.model.submission import StudentIdentity
from grader.plugins.platforms.shared.entry_names import EntryNames
from grader.text.names import student_key

NAMES = EntryNames(
    platform="Moodle",
    pattern=re.compile(r"(?P<name>.+?)_(?P<id>[0-9]+)_assignsubmission_(?P<what>[a-z]+)(?:_(?P<file>.*))?", re.DOTALL),
    whose=lambda match: match["id"],
)


@dataclass(kw_only=True)
class _Student:
    """The entries of one student in a download."""

    identity: StudentIdentity
    folders: list[Path] = field(default_factory=list)
    files: list[FoundFile] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def arrival(self) -> Attempt:
        contents: Contents = FileContents(tuple(self.files), tuple(self.folders))
        if self.faults:
            contents = RefusedContents(self.faults[0])
        student = student_key(str(self.identity.name))
        return Attempt(
            student=student,
            contents=contents,
            source=", ".join(self.sources),
            identity=self.identity,
            notes=tuple(self.notes),
        )


def read(where: ClassFolder, _: SubmissionRequirements, __: UnpackSettings) -> ReceivedClass:
    """Read a download."""
    students: dict[tuple[str, str], _Student] = {}
    named, notes = NAMES.match_entries(where)
    for entry, match in named:
        identity = StudentIdentity(name=match["name"], moodle=match["id"])
        student = students.setdefault((match["name"], match["id"]), _Student(identity=identity))
        _add(student, entry, match["what"], match["file"] or "", where)
    return ReceivedClass(disambiguate_names(student.arrival() for student in students.values()), tuple(notes))


def _add(student: _Student, entry: os.DirEntry[str], what: str, name: str, where: ClassFolder) -> None:
    path = Path(entry.path)
    if what != "file":
        student.notes.append(f"{entry.name} is passed over: it is no file that was handed in")
        return
    student.sources.append(entry.name)
    if fault := where.fault(path):
        student.faults.append(fault)
    elif entry.is_dir(follow_symlinks=False):
        student.folders.append(path)
    else:
        student.files.append(FoundFile(name, path, entry.is_file(follow_symlinks=False)))
