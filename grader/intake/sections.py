"""Refuses a class in folders of sections, of which each would be graded as one student."""

import os
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from grader.class_files.roster import Roster
from grader.files.archive_reader import archive_stem
from grader.intake.class_folder import IntakeError
from grader.intake.enrolment import recognised
from grader.intake.further_files import is_leftover
from grader.intake.match_files import SubmissionRequirements
from grader.intake.plain_folder import files_in, is_own_folder, owner_of_file
from grader.text.names import composed
from grader.text.words import some_of

_LEVELS = 2


_MOST_NAMED = 4


_SEVERAL = 2


_ANY_PROGRAM = ""


_Members = Mapping[str, frozenset[str]]
"""The programs of each student who seems to be in a folder."""


def refuse_sections(entries: Sequence[os.DirEntry[str]], wanted: SubmissionRequirements, roster: Roster | None) -> None:
    """Raise IntakeError if folders that would be students hold the folders, archives or files of students."""
    folders = {entry.name: Path(entry.path) for entry in entries if entry.is_dir(follow_symlinks=False)}
    members = {name: _members(folder, wanted, _LEVELS) for name, folder in folders.items()}
    listed = recognised([*members, *(name for held in members.values() for name in held)], roster) if roster else set()
    sections = _by_names(members, listed)
    others = [entry.name for entry in entries if entry.name not in folders]
    if not sections and listed.isdisjoint(members) and not any(_student_of(name, wanted) for name in others):
        sections = _by_shape(members)
    if sections:
        example = sections[0]
        raise IntakeError(
            f"expected a folder per student; {some_of(sections, _MOST_NAMED)} would each be one student, but found "
            f"students inside ({example}: {some_of(sorted(members[example]), _MOST_NAMED)}). Put all students into one "
            "folder, or grade each of these folders alone; `--download-format plain` takes each for one student."
        )


def _by_names(members: Mapping[str, _Members], listed: Collection[str]) -> list[str]:
    """Return the folders of sections, by the students of the roster in them: several in one, or no other folder."""
    unlisted = {name: held for name, held in members.items() if name not in listed}
    counts = {name: sum(member in listed for member in held) for name, held in unlisted.items()}
    is_certain = len(unlisted) == len(members) or max(counts.values(), default=0) >= _SEVERAL
    return [name for name, count in counts.items() if count and is_certain]


def _by_shape(members: Mapping[str, _Members]) -> list[str]:
    """Return the folders if they are sections by their shape: most hold students, and none holds those of another."""
    names = Counter(name for held in members.values() for name in held)
    if not all(members.values()) or any(count > 1 for count in names.values()):
        return []
    several = [name for name, held in members.items() if _share_a_program(held)]
    return list(members) if several and 2 * len(several) >= len(members) else []


def _share_a_program(held: _Members) -> bool:
    return any(count >= _SEVERAL for count in Counter(program for names in held.values() for program in names).values())


def _members(folder: Path, wanted: SubmissionRequirements, levels: int) -> _Members:
    """Return the students who seem to be in a folder; none if a program is in it, as in the folder of a student."""
    members: dict[str, frozenset[str]] = {}
    with suppress(OSError), os.scandir(folder) as scanned:
        entries = [entry for entry in scanned if not entry.name.startswith(".") and not is_leftover(entry.name)]
        if any(composed(entry.name) in wanted.names for entry in entries):
            return {}
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                programs = files_in(entry).intersection(wanted.names)
                if programs:
                    members[entry.name] = frozenset(programs)
                elif levels > 1 and not is_own_folder(entry.name):
                    members |= _members(Path(entry.path), wanted, levels - 1)
            elif owned := _student_of(entry.name, wanted):
                members[owned[0]] = frozenset(owned[1:])
    return {name: programs for name, programs in members.items() if not is_own_folder(name)}


def _student_of(name: str, wanted: SubmissionRequirements) -> tuple[str, str] | None:
    """Return the student and the program that the name of a file or an archive tells, if it tells them."""
    stem = archive_stem(name)
    return owner_of_file(name, wanted.names) or ((stem, _ANY_PROGRAM) if stem else None)
