"""Finds submissions in a folder: a folder per student, or files named STUDENT_PROGRAM per student."""

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from zoneinfo import ZoneInfo

from grader.errors import GraderError
from grader.intake import comments, extensions, manual_marks, overrides
from grader.intake.submission import Submission, SubmittedFile, TimeSource
from grader.intake.submission_time import submission_time
from grader.spec.problem import closest, nearest, quoted

Names = Mapping[str, Sequence[str]]
"""The programs asked for, and the names that the file of each may have: of several, the first that is there counts."""

_NOT_SUBMISSIONS = {comments.FILE_NAME, *extensions.FILE_NAMES, *manual_marks.FILE_NAMES, *overrides.FILE_NAMES}


class IntakeError(GraderError):
    """No submission can be found where the user said."""


@dataclass(frozen=True)
class Intake:
    """The submissions found, by student, and notes on what was passed over."""

    submissions: tuple[Submission, ...]
    notes: tuple[str, ...]


@dataclass
class _Gathered:
    """What one look through a folder finds: students' folders, loose files by student, and what is neither."""

    folders: dict[str, Path] = field(default_factory=dict)
    loose: dict[str, list[tuple[str, os.DirEntry[str]]]] = field(default_factory=dict)
    others: list[str] = field(default_factory=list)


def find_submissions(folder: Path, programs: Names, zone: ZoneInfo, provided: Iterable[str] = ()) -> Intake:
    """The submissions in `folder` for an assignment that asks for `programs` and supplies the modules `provided`.

    Folders are one student each. Files whose name ends in the name of a program belong to the student whose name
    stands before it, as in `z123_solitaire_1.py`. Raises IntakeError when the folder cannot be read or holds
    neither.
    """
    provided = tuple(provided)
    known = tuple(name for names in programs.values() for name in names)
    gathered = _gather(folder, known)
    notes = [_passed_over(name, known) for name in gathered.others]
    found = [submission_in(entry, programs, zone, provided) for entry in gathered.folders.values()]
    for student, files in gathered.loose.items():
        if student in gathered.folders:
            names = ", ".join(entry.name for _, entry in files)
            notes.append(f"{names}: passed over, {student} has a folder too")
        else:
            found.append(_loose_submission(student, files, programs, zone))
    if not found:
        raise IntakeError(
            f"No submission in {folder}: expected a folder per student, or files such as STUDENT_{known[0]}. "
            "To grade one submission alone, use `grader check`."
        )
    return Intake(tuple(sorted(found, key=lambda submission: submission.student)), tuple(notes))


def submission_in(folder: Path, programs: Names, zone: ZoneInfo, provided: Iterable[str] = ()) -> Submission:
    """The submission of the student whose folder this is; what cannot be read becomes a note.

    The student's own copy of a `provided` module is no part of it, and is noted.
    """
    student = os.path.basename(os.path.abspath(folder))
    notes: list[str] = []
    files: dict[str, SubmittedFile] = {}
    try:
        regular = _regular_files(folder)
        known = {name for names in programs.values() for name in names}
        others = [name for name, is_regular in regular.items() if is_regular and name not in known]
        for program, names in programs.items():
            files.update((name, SubmittedFile(name, folder / name)) for name in names if regular.get(name))
            notes += [
                f"{name} is a folder, a link or something else that is not a regular file"
                for name in names
                if regular.get(name) is False
            ]
            if regular.keys().isdisjoint(names):
                notes.append(f"{' or '.join(names)} is missing{_similar(program, others)}")
        notes += _pass_over_alternatives(files, programs)
        notes += [f"{name} is passed over: the one that is provided is used" for name in provided if name in regular]
        time = submission_time(folder, tuple(files.values()), zone)
    except OSError as error:
        return _unreadable(student, f"the folder cannot be read: {error.strerror}")
    return Submission(student, tuple(files.values()), time.submitted, time.source, (*notes, *time.notes))


def _pass_over_alternatives(files: dict[str, SubmittedFile], programs: Names) -> list[str]:
    """Take out of `files` what another file counts in place of; returns a note on each."""
    notes: list[str] = []
    for names in programs.values():
        found = [name for name in names if name in files]
        others = [files.pop(name).path.name for name in found[1:]]
        notes += [f"{name} is passed over: {files[found[0]].path.name} is there" for name in others]
    return notes


def _loose_submission(
    student: str, entries: Sequence[tuple[str, os.DirEntry[str]]], programs: Names, zone: ZoneInfo
) -> Submission:
    notes: list[str] = []
    files: dict[str, SubmittedFile] = {}
    for program, entry in entries:
        if not entry.is_file(follow_symlinks=False):
            notes.append(f"{entry.name} is a link or something else that is not a regular file")
        elif program in files:
            notes.append(f"{entry.name}: passed over, {files[program].path.name} is {program} too")
        else:
            files[program] = SubmittedFile(program, Path(entry.path))
    notes += _pass_over_alternatives(files, programs)
    try:
        time = submission_time(None, tuple(files.values()), zone)
    except OSError as error:
        return _unreadable(student, f"the files cannot be read: {error.strerror}")
    return Submission(student, tuple(files.values()), time.submitted, time.source, (*notes, *time.notes))


def _unreadable(student: str, note: str) -> Submission:
    return Submission(student, (), None, TimeSource.NONE, (note,), readable=False)


def _gather(folder: Path, programs: Sequence[str]) -> _Gathered:
    gathered = _Gathered()
    for entry in _entries(folder):
        owned = _owner(entry.name, programs)
        if entry.is_dir(follow_symlinks=False) or os.path.isdir(entry.path):
            gathered.folders[entry.name] = Path(entry.path)
        elif owned:
            student, program = owned
            gathered.loose.setdefault(student, []).append((program, entry))
        elif entry.is_symlink() and not os.path.isfile(entry.path):
            # A link that leads nowhere may have been meant as a student's folder: nobody may vanish from the class.
            gathered.folders[entry.name] = Path(entry.path)
        elif entry.name not in _NOT_SUBMISSIONS:
            gathered.others.append(entry.name)
    return gathered


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            found = [entry for entry in entries if not entry.name.startswith((".", "__"))]
    except OSError as error:
        raise IntakeError(f"{folder} cannot be read: {error.strerror}") from None
    return sorted(found, key=lambda entry: entry.name)


def _owner(name: str, programs: Iterable[str]) -> tuple[str, str] | None:
    """The student and the program that the name of a loose file says; the longest program that fits is meant."""
    for program in sorted(programs, key=len, reverse=True):
        match = re.fullmatch(rf"(.+?)[ _.-]+{re.escape(program)}", name, re.DOTALL)
        if match:
            return match[1], program
    return None


def _passed_over(name: str, programs: Iterable[str]) -> str:
    hint = nearest(name, (f"STUDENT_{program}" for program in programs))
    return f"{name}: passed over, its name does not end in the name of a program{hint}"


def _regular_files(folder: Path) -> dict[str, bool]:
    """Whether each entry of `folder` is a regular file. Links are not followed: they may lead anywhere."""
    with os.scandir(folder) as entries:
        return {entry.name: entry.is_file(follow_symlinks=False) for entry in entries}


def _similar(program: str, names: Iterable[str]) -> str:
    suffix = Path(program).suffix
    close = closest(program, (name for name in names if name.endswith(suffix)))
    return f"; there is {quoted(close)}" if close else ""
