"""The work of a team, which stays when a member is forgotten, with its due date and under the other members' names."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeAlias

from grader.class_files.roster import compared_id
from grader.errors import reported_as
from grader.files.archive_reader import archive_stem
from grader.intake.attempt import ArchiveContents, Attempt, FolderContents
from grader.plugins.forgetting.person import Person
from grader.plugins.forgetting.removal import ForgetError, Removal
from grader.text.names import student_key

Entry: TypeAlias = Mapping[str, str]
_PLAIN = "plain"
_TEAM = "team"


@dataclass(frozen=True)
class TeamWork:
    """The other members of the student's team, and new names of folders and archives with the student's name."""

    members: tuple[str, ...]
    renamed: Mapping[str, str] = field(default_factory=dict)

    @property
    def words(self) -> str:
        """The names of the other members."""
        return ", ".join(self.members)

    def inherited(self, kind: str, entries: Sequence[Entry], person: Person) -> dict[int, Entry]:
        """Return the entries to replace, by index, so that the team keeps its times and due date."""
        if kind == "times":
            return self._times(entries, person)
        return self._due_date(entries, person) if kind == "extensions" else {}

    def _times(self, entries: Sequence[Entry], person: Person) -> dict[int, Entry]:
        """Return the times of the student under another member's name, unless that member has one for the attempt."""
        stems = {compared_id(_stem(old)): _stem(new) for old, new in self.renamed.items()}
        taken = {(compared_id(entry.get("student", "")), entry.get("attempt") or "") for entry in entries}
        changed: dict[int, Entry] = {}
        for index, entry in enumerate(entries):
            student = entry.get("student", "")
            if student_key(student) != person.student and not person.is_named_in(student):
                continue
            heir = stems.get(compared_id(student), self.members[0])
            place = (compared_id(heir), entry.get("attempt") or "")
            if place not in taken:
                taken.add(place)
                changed[index] = {**entry, "student": heir}
        return changed

    def _due_date(self, entries: Sequence[Entry], person: Person) -> dict[int, Entry]:
        """Return the student's due date as an entry for another member, without any other consideration."""
        by_student = {student_key(entry.get("student", "")): index for index, entry in enumerate(entries)}
        index = by_student.get(person.student)
        if index is None or not (due := entries[index].get("due")):
            return {}
        heir = next((member for member in self.members if member not in by_student), None)
        if heir is not None:
            return {index: {"student": heir, "due": due}}
        other = by_student[self.members[0]]
        latest = max(due, entries[other].get("due") or "", key=lambda text: text.replace("T", " "))
        return {other: {**entries[other], "due": latest}}


def team_work(folder: Path, attempts: Sequence[Attempt], teams: Sequence[Sequence[str]], person: Person) -> TeamWork:
    """Find the student's team in a class; the result is empty for a student without a team."""
    members = tuple(name for team in teams if person.student in team for name in team if name != person.student)
    if not members:
        return TeamWork(())
    taken = {compared_id(_stem(path.name)) for path in folder.iterdir()}
    renamed: dict[str, str] = {}
    for attempt in attempts:
        old = attempt.source.partition("/")[0]
        if old in renamed or not (attempt.student == person.student and _may_be_renamed(attempt, person)):
            continue
        names = (*members, *(team for column, team in attempt.roster.items() if column.casefold() == _TEAM))
        free = [name for name in names if compared_id(name) not in taken and not person.is_named_in(name)]
        if free and (folder / old).exists():
            taken.add(compared_id(free[0]))
            renamed[old] = free[0] + old[len(_stem(old)) :]
    return TeamWork(members, renamed)


def renamed_work(folder: Path, work: TeamWork) -> Iterator[Removal]:
    """Yield the new names of the team's files."""
    for old, new in work.renamed.items():
        yield Removal(
            str(folder / old), f"the name; it stays as {new}, for {work.words}", partial(_rename, folder, old, new)
        )


def _rename(folder: Path, old: str, new: str) -> None:
    with reported_as(ForgetError, f"{folder / old} cannot be renamed"):
        (folder / old).rename(folder / new)


def _may_be_renamed(attempt: Attempt, person: Person) -> bool:
    """Return whether the grader recognises the team by any member's name.

    The platform chooses the names of files in a download.
    """
    is_whole = isinstance(attempt.contents, FolderContents | ArchiveContents)
    return attempt.shape == _PLAIN and is_whole and person.is_named_in(attempt.source.partition("/")[0])


def _stem(name: str) -> str:
    return archive_stem(name) or name
