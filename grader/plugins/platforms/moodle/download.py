"""A download of all submissions from Moodle: `Full Name_ID_assignsubmission_file_…`, in folders or flat.

ID is the number of the participant, as in the column Identifier of Moodle's grading worksheet. Text typed into Moodle's
editor (`onlinetext`) is not a program.
"""

import re
from dataclasses import dataclass, field

from grader.intake.attempt import Attempt, ReceivedClass, UnpackSettings
from grader.intake.class_folder import ClassFolder
from grader.intake.match_files import SubmissionRequirements
from grader.model.submission import StudentIdentity
from grader.plugins.platforms.shared.distinct_names import disambiguate_names
from grader.plugins.platforms.shared.entry_names import EntryNames
from grader.plugins.platforms.shared.received_files import ReceivedFiles
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
    received: ReceivedFiles = field(default_factory=ReceivedFiles)
    notes: list[str] = field(default_factory=list)

    def arrival(self) -> Attempt:
        return Attempt(
            student=student_key(str(self.identity.name)),
            contents=self.received.contents,
            source=", ".join(self.received.sources),
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
        if match["what"] == "file":
            name = None if entry.is_dir(follow_symlinks=False) else match["file"] or ""
            student.received.add(entry, name, where)
        else:
            student.notes.append(f"{entry.name} is passed over: it is no file that was handed in")
    return ReceivedClass(disambiguate_names(student.arrival() for student in students.values()), tuple(notes))
