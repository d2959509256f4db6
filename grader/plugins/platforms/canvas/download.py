"""A download of all submissions from Canvas: `NAME[_LATE]_USER_ATTACHMENT_FILE`, all in one folder.

Canvas reduces a name to its letters and digits, family name first, which can leave nothing of a name. It only says
whether a submission was late by its own due date; the files may have the time of the download. A resubmitted file has
-1, -2 and so on before its suffix. The newest version of a program or module counts, and modules lose the number,
because they could not be imported otherwise. A student may have chosen a name like this for a header or a data file,
which is therefore available under both names unless there is a file with the other name.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from pathlib import Path

from grader.intake.attempt import (
    Attempt,
    Contents,
    FileContents,
    ReceivedClass,
    RefusedContents,
    UnpackSettings,
)
from grader.intake.class_folder import ClassFolder
from grader.intake.further_files import fits_pattern
from grader.intake.match_files import FoundFile, SubmissionRequirements
from grader.intake.similar_names import fold_name
from grader.model.submission import StudentIdentity
from grader.plugins.platforms.shared.distinct_names import disambiguate_names
from grader.plugins.platforms.shared.entry_names import EntryNames
from grader.text.names import student_key

NAMES = EntryNames(
    platform="Canvas",
    pattern=re.compile(
        r"(?P<name>.*?)(?P<late>_LATE)?_(?P<user>[0-9]+)_"
        r"(?:(?P<attachment>[0-9]+)_(?P<file>.+)|(?P<text>text\.html))",
        re.DOTALL,
    ),
    whose=lambda match: match["user"],
    only_files=True,
)

_AGAIN = re.compile(r"(?P<stem>.+)-(?P<number>[0-9]{1,4})(?P<ending>\.[^.]+)", re.DOTALL)


@dataclass(frozen=True)
class _Meaning:
    """The names by which programs find a file, and how many times it had been submitted before."""

    names: tuple[str, ...]
    number: int = 0


def _meaning(name: str, names: Collection[str], requirements: SubmissionRequirements) -> _Meaning:
    """Parse the name of a file; `names` holds the names of the student's files."""
    again = _AGAIN.fullmatch(name)
    if not again or name in requirements.names:
        return _Meaning((name,))
    first, number = again["stem"] + again["ending"], int(again["number"])
    if fold_name(first) in map(fold_name, requirements.names):
        return _Meaning((first,), number)
    if not fits_pattern(first, requirements.further):
        return _Meaning((name,))
    if again["ending"] == ".py" or not fits_pattern(name, requirements.further):
        return _Meaning((first,), number)
    others = (match for upload in names if upload != name and (match := _AGAIN.fullmatch(upload)))
    if first in names or any(match["stem"] + match["ending"] == first for match in others):
        return _Meaning((name,))
    return _Meaning((name, first), number)


@dataclass(frozen=True)
class _Upload:
    """A file by its name on disk, with the number that Canvas gave it."""

    file: FoundFile
    attachment: int


@dataclass(kw_only=True)
class _Student:
    """One student's files in a download."""

    identity: StudentIdentity
    late: bool = False
    uploads: list[_Upload] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def arrival(self, requirements: SubmissionRequirements) -> Attempt:
        names = {upload.file.name for upload in self.uploads}
        meant = [(_meaning(upload.file.name, names, requirements), upload) for upload in self.uploads]
        newest: dict[str, FoundFile] = {}
        notes = list(self.notes)
        for meaning, upload in sorted(meant, key=lambda pair: (pair[0].number, pair[1].attachment)):
            for name in meaning.names:
                if name in newest:
                    notes.append(f"{newest[name].shown} is passed over: {upload.file.shown} is newer")
                newest[name] = replace(upload.file, name=name)
            if len(meaning.names) > 1:
                both = " and as ".join(meaning.names)
                notes.append(f"{upload.file.shown} is there as {both}: Canvas adds such numbers")
        contents: Contents = FileContents(tuple(newest.values()))
        if self.faults:
            contents = RefusedContents(self.faults[0])
        return Attempt(
            student=student_key(self.identity.name or f"user {self.identity.canvas}"),
            contents=contents,
            source=", ".join(dict.fromkeys(file.shown for file in newest.values())),
            identity=self.identity,
            time_source="Canvas",
            late=self.late,
            notes=tuple(notes),
        )


def read(where: ClassFolder, requirements: SubmissionRequirements, _: UnpackSettings) -> ReceivedClass:
    """Read a download."""
    students: dict[tuple[str, str], _Student] = {}
    named, notes = NAMES.match_entries(where)
    for entry, match in named:
        identity = StudentIdentity(name=match["name"] or None, canvas=match["user"])
        student = students.setdefault((match["name"], match["user"]), _Student(identity=identity))
        student.late = student.late or match["late"] is not None
        if match["text"]:
            student.notes.append(f"{entry.name} is passed over: it is no file that was handed in")
        elif fault := where.fault(Path(entry.path)):
            student.faults.append(fault)
        else:
            file = FoundFile(match["file"], Path(entry.path), entry.is_file(follow_symlinks=False))
            student.uploads.append(_Upload(file, int(match["attachment"])))
    return ReceivedClass(
        disambiguate_names(student.arrival(requirements) for student in students.values()), tuple(notes)
    )
