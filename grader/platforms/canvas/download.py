"""A download of all submissions from Canvas: `NAME[_LATE]_USER_ATTACHMENT_FILE`, all in one folder.

Letters and digits are all that is left of a name, the family name first; of some names nothing is. Canvas says only
whether a submission was late by its own due date; the times of the files may be those of the download. A file that was
handed in again is called FILE-1, FILE-2 and so on before its ending: the newest counts.
"""

import os
import re
from dataclasses import dataclass, field, replace
from pathlib import Path

from grader.intake.attempt import (
    Attempt,
    Contents,
    FileContents,
    ReceivedClass,
    RefusedContents,
    UnpackSettings,
    disambiguate_names,
    student_key,
)
from grader.intake.class_folder import ClassFolder
from grader.intake.download_format import DownloadFormat
from grader.intake.match_files import FoundFile, SubmissionRequirements
from grader.intake.plain_folder import INSTRUCTORS
from grader.model.submission import StudentIdentity

PATTERN = re.compile(
    r"(?P<name>.*?)(?P<late>_LATE)?_(?P<user>[0-9]+)_"
    r"(?:(?P<attachment>[0-9]+)_(?P<file>.+)|(?P<text>text\.html))",
    re.DOTALL,
)


_AGAIN = re.compile(r"(?P<stem>.+)-(?P<number>[0-9]{1,4})(?P<ending>\.[^.]+)", re.DOTALL)


@dataclass(frozen=True)
class _Upload:
    """A file, by the name that was meant; the newest has the highest `age`."""

    file: FoundFile
    age: tuple[int, int]


@dataclass(kw_only=True)
class _Student:
    """What there is of one student."""

    identity: StudentIdentity
    late: bool = False
    uploads: list[_Upload] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def arrival(self) -> Attempt:
        newest: dict[str, _Upload] = {}
        notes = list(self.notes)
        for upload in sorted(self.uploads, key=lambda one: one.age):
            if upload.file.name in newest:
                notes.append(f"{newest[upload.file.name].file.shown} is passed over: {upload.file.shown} is newer")
            newest[upload.file.name] = upload
        contents: Contents = FileContents(tuple(upload.file for upload in newest.values()))
        if self.faults:
            contents = RefusedContents(self.faults[0])
        return Attempt(
            student=student_key(self.identity.name or f"user {self.identity.canvas}"),
            contents=contents,
            source=", ".join(upload.file.shown for upload in newest.values()),
            identity=self.identity,
            time_source="Canvas",
            late=self.late,
            notes=tuple(notes),
        )


def fits(entry: os.DirEntry[str], _: SubmissionRequirements) -> bool:
    """Whether the name of the entry is as Canvas makes them."""
    return PATTERN.fullmatch(entry.name) is not None and not entry.is_dir()


def read(where: ClassFolder, wanted: SubmissionRequirements, _: UnpackSettings) -> ReceivedClass:
    """What arrived in such a download."""
    students: dict[tuple[str, str], _Student] = {}
    notes: list[str] = []
    for entry in where.entries():
        if entry.name in INSTRUCTORS:
            continue
        match = PATTERN.fullmatch(entry.name)
        if not match or entry.is_dir():
            notes.append(f"{entry.name}: passed over, it is not named as Canvas does")
            continue
        identity = StudentIdentity(name=match["name"] or None, canvas=match["user"])
        student = students.setdefault((match["name"], match["user"]), _Student(identity=identity))
        student.late = student.late or match["late"] is not None
        if match["text"]:
            student.notes.append(f"{entry.name} is passed over: it is no file that was handed in")
        elif fault := where.fault(Path(entry.path)):
            student.faults.append(fault)
        else:
            file = FoundFile(match["file"], Path(entry.path), entry.is_file(follow_symlinks=False))
            student.uploads.append(_upload(file, int(match["attachment"]), wanted))
    return ReceivedClass(disambiguate_names(student.arrival() for student in students.values()), tuple(notes))


def _upload(file: FoundFile, attachment: int, wanted: SubmissionRequirements) -> _Upload:
    again = _AGAIN.fullmatch(file.name)
    meant = again["stem"] + again["ending"] if again else ""
    if again and file.name not in wanted.names and meant in wanted.names:
        return _Upload(replace(file, name=meant), (int(again["number"]), attachment))
    return _Upload(file, (0, attachment))


DOWNLOAD_FORMAT = DownloadFormat(name="canvas", title="a Canvas download", fits=fits, read=read, also_plain=True)
