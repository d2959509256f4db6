"""Finds submissions in a folder: a folder per student, or files named STUDENT_PROGRAM per student."""

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from zoneinfo import ZoneInfo

from grader.errors import GraderError
from grader.intake import extensions
from grader.intake.submission import Submission, SubmittedFile, TimeSource
from grader.intake.submission_time import SubmissionTime, submission_time
from grader.spec.problem import nearest

_NOT_SUBMISSIONS = {extensions.FILE_NAME}


class IntakeError(GraderError):
    """No submission can be found where the user said."""


@dataclass(frozen=True)
class Intake:
    """The submissions found, by student, and notes on what was passed over."""

    submissions: tuple[Submission, ...]
    notes: tuple[str, ...]


def find_submissions(folder: Path, programs: Iterable[str], zone: ZoneInfo) -> Intake:
    """The submissions in `folder` for an assignment that asks for `programs`.

    Folders are one student each. Files whose name ends in the name of a program belong to the student whose name
    stands before it, as in `z123_solitaire_1.py`. Raises IntakeError when the folder cannot be read or holds
    neither.
    """
    programs = tuple(programs)
    folders: list[Path] = []
    loose: defaultdict[str, list[SubmittedFile]] = defaultdict(list)
    notes: list[str] = []
    for entry in _entries(folder):
        owned = _owner(entry.name, programs)
        if entry.is_dir() or entry.is_symlink():
            folders.append(entry)
        elif owned and entry.is_file():
            student, program = owned
            loose[student].append(SubmittedFile(program, entry))
        elif entry.name not in _NOT_SUBMISSIONS:
            hint = nearest(entry.name, (f"STUDENT_{name}" for name in programs))
            notes.append(f"{entry.name}: passed over, its name does not end in the name of a program{hint}")
    found = [submission_in(entry, programs, zone) for entry in folders]
    found += [_loose_submission(student, tuple(files), zone) for student, files in loose.items()]
    if not found:
        raise IntakeError(
            f"No submission in {folder}: expected a folder per student, or files such as STUDENT_{programs[0]}. "
            "To grade one submission alone, use `grader check`."
        )
    return Intake(tuple(sorted(found, key=lambda submission: submission.student)), tuple(notes))


def submission_in(folder: Path, programs: Iterable[str], zone: ZoneInfo) -> Submission:
    """The submission of the student whose folder this is; what cannot be read becomes a note."""
    notes: list[str] = []
    files: list[SubmittedFile] = []
    try:
        names = {entry.name for entry in os.scandir(folder) if entry.is_file(follow_symlinks=False)}
        for program in programs:
            if program in names:
                files.append(SubmittedFile(program, folder / program))
            else:
                notes.append(f"{program} is missing{_similar(program, names)}")
        time = submission_time(folder, tuple(files), zone)
    except OSError as error:
        note = f"the folder cannot be read: {error.strerror}"
        return Submission(folder.name, (), None, TimeSource.NONE, (note,), readable=False)
    return _submission(folder.name, files, time, notes)


def _loose_submission(student: str, files: tuple[SubmittedFile, ...], zone: ZoneInfo) -> Submission:
    return _submission(student, files, submission_time(None, files, zone), [])


def _submission(student: str, files: Iterable[SubmittedFile], time: SubmissionTime, notes: list[str]) -> Submission:
    return Submission(student, tuple(files), time.submitted, time.source, (*notes, *time.notes))


def _similar(program: str, names: Iterable[str]) -> str:
    hint = nearest(program, (name for name in names if name.endswith(Path(program).suffix)))
    return hint.replace("did you mean", "there is").rstrip("?") if "did you mean" in hint else ""


def _owner(name: str, programs: Iterable[str]) -> tuple[str, str] | None:
    for program in programs:
        match = re.fullmatch(rf"(.+?)[ _.-]+{re.escape(program)}", name)
        if match:
            return match[1], program
    return None


def _entries(folder: Path) -> Iterator[Path]:
    try:
        names = sorted(os.listdir(folder))
    except OSError as error:
        raise IntakeError(f"{folder} cannot be read: {error.strerror}") from None
    return (folder / name for name in names if not name.startswith((".", "__")))
