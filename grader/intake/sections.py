"""Rejects a class that is split into section folders, because each would be graded as one student."""

import os
import shlex
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from grader.class_files.roster import Roster
from grader.files.archive_reader import ArchiveLimits, UnsafeInputError, archive_stem, members_of
from grader.intake.class_folder import IntakeError
from grader.intake.enrolment import recognised
from grader.intake.further_files import is_leftover
from grader.intake.match_files import SubmissionRequirements
from grader.intake.plain_folder import is_own_folder, owner_of_file
from grader.text.names import composed
from grader.text.words import some_of

_LEVELS = 2
_MAX_NAMED = 4
_SEVERAL = 2
_ANY_PROGRAM = ""
_LOOKED_INTO = ArchiveLimits(files=10_000, total_bytes=200_000_000)
_Members = Mapping[str, frozenset[str]]
"""The programs of each apparent student in a folder."""


_Content: TypeAlias = Callable[[], Mapping[str, Any]]
"""A function that returns the entries of a folder by name: the content of a subfolder, or None for anything else."""


def refuse_sections(
    entries: Sequence[os.DirEntry[str]], requirements: SubmissionRequirements, roster: Roster | None, source: Path
) -> None:
    """Raise IntakeError if what looks like one student's folder or archive holds the work of several students."""
    contents = {
        name: (entry.name, content) for entry in entries for name, content in _student_content(entry, requirements)
    }
    listed = recognised(contents, roster) if roster else set()
    members: dict[str, _Members] = {}
    for name, (_, content) in contents.items():
        members[name] = {} if name in listed else _members(content, requirements, _LEVELS)
        if not members[name] and roster is None:
            # A single entry without students shows that these are not sections, so for most classes the search ends
            # here.
            return
    listed |= recognised((name for held in members.values() for name in held), roster) if roster else set()
    sections = _by_names(members, listed)
    others = [entry.name for entry in entries if all(entry.name != shown for shown, _ in contents.values())]
    if not sections and listed.isdisjoint(members) and not any(_student_of(name, requirements) for name in others):
        sections = _by_shape(members)
    if sections:
        example = sections[0]
        path = Path(entries[0].path).with_name(contents[example][0])
        command = f", as in `grader grade {shlex.quote(str(path))}`" if path.is_relative_to(source) else ""
        raise IntakeError(
            "expected a folder per student, but found students inside "
            f"{some_of([contents[name][0] for name in sections], _MAX_NAMED)} ({contents[example][0]}: "
            f"{some_of(sorted(members[example]), _MAX_NAMED)}). Put all students into one folder, or grade one class "
            f"at a time{command}; `--download-format plain` takes each folder or archive for one student."
        )


def _student_content(entry: os.DirEntry[str], requirements: SubmissionRequirements) -> Iterator[tuple[str, _Content]]:
    """Yield the student's name and content if the entry is a folder or an archive."""
    stem = archive_stem(entry.name)
    if entry.is_dir(follow_symlinks=False):
        yield entry.name, partial(_in_folder, Path(entry.path))
    elif stem and entry.is_file(follow_symlinks=False):
        yield stem, partial(_in_archive, Path(entry.path), requirements)


def _in_folder(folder: Path) -> Mapping[str, _Content | None]:
    with suppress(OSError), os.scandir(folder) as entries:
        return {
            entry.name: partial(_in_folder, Path(entry.path)) if entry.is_dir(follow_symlinks=False) else None
            for entry in entries
        }
    return {}


def _in_archive(archive: Path, requirements: SubmissionRequirements) -> Mapping[str, _Content | None]:
    top: dict[str, Any] = {}
    with suppress(UnsafeInputError, OSError), members_of(archive, _LOOKED_INTO, requirements.zone) as members:
        for member, _ in members:
            folder = top
            for part in member.parts[: _LEVELS + 1]:
                folder = folder.setdefault(part, {})
    return _nested(top)


def _nested(tree: Mapping[str, Any]) -> Mapping[str, _Content | None]:
    return {name: partial(_nested, inner) if inner else None for name, inner in tree.items()}


def _by_names(members: Mapping[str, _Members], listed: Collection[str]) -> list[str]:
    """Return the folders with students in the roster, if one has several of them or all folders are unlisted."""
    unlisted = {name: held for name, held in members.items() if name not in listed}
    counts = {name: sum(member in listed for member in held) for name, held in unlisted.items()}
    is_certain = len(unlisted) == len(members) or max(counts.values(), default=0) >= _SEVERAL
    return [name for name, count in counts.items() if count and is_certain]


def _by_shape(members: Mapping[str, _Members]) -> list[str]:
    """Return all folders if they look like sections: most have several students, and no student is in two."""
    names = Counter(name for held in members.values() for name in held)
    if not all(members.values()) or any(count > 1 for count in names.values()):
        return []
    several = [name for name, held in members.items() if _share_a_program(held)]
    return list(members) if several and 2 * len(several) >= len(members) else []


def _share_a_program(held: _Members) -> bool:
    return any(count >= _SEVERAL for count in Counter(program for names in held.values() for program in names).values())


def _members(content: _Content, requirements: SubmissionRequirements, levels: int) -> _Members:
    """Return the apparent students in a folder; none if it directly contains a program, as a student's folder does."""
    members: dict[str, frozenset[str]] = {}
    entries = {name: inner for name, inner in content().items() if not name.startswith(".") and not is_leftover(name)}
    if any(composed(name) in requirements.names for name in entries):
        return {}
    for name, inner in entries.items():
        if inner is not None:
            files = {composed(file) for file, folder in inner().items() if folder is None}
            if programs := files.intersection(requirements.names):
                members[name] = frozenset(programs)
            elif levels > 1 and not is_own_folder(name):
                members |= _members(inner, requirements, levels - 1)
        elif owned := _student_of(name, requirements):
            members[owned[0]] = frozenset(owned[1:])
    return {name: programs for name, programs in members.items() if not is_own_folder(name)}


def _student_of(name: str, requirements: SubmissionRequirements) -> tuple[str, str] | None:
    """Return the student and program in the name of a file or archive, or None."""
    stem = archive_stem(name)
    return owner_of_file(name, requirements.names) or ((stem, _ANY_PROGRAM) if stem else None)
