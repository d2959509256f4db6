"""Reads a folder that contains a folder, an archive or files for each student.

Each folder or archive belongs to one student; `attempt-1`, `attempt-2` and so on inside a folder are that student's
attempts. A file whose name ends in a program's name belongs to the student at the start of the name, as in
`z123_solitaire_1.py`.
"""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path, PurePath

from grader.class_files import all_files, roster
from grader.errors import nearest
from grader.files.archive_reader import archive_stem, is_junk, is_other_archive
from grader.intake import class_file
from grader.intake.attempt import (
    ArchiveContents,
    Attempt,
    Contents,
    FileContents,
    FolderContents,
    ReceivedClass,
    RefusedContents,
    UnpackSettings,
)
from grader.intake.class_folder import ClassFolder
from grader.intake.match_files import FoundFile, SubmissionRequirements
from grader.intake.similar_names import fold_name
from grader.model.submission import StudentIdentity
from grader.text.names import composed, student_key

INSTRUCTORS = {
    *roster.FILE_NAMES,
    *chain.from_iterable(all_files.FILE_NAMES.values()),
    *chain.from_iterable(class_file.FILE_NAMES.values()),
}

_SEVERAL = 2
# Names that students give to parts and versions of their own work.
_OWN_FOLDER = re.compile(
    r"(src|source|code|python|work|bin|build|lib|test|data|backup|bak|old|new|copy|final|draft|attempt|try|version|ver|v|"
    r"submission|project|task|part|question|exercise|ex|q)s?[ _.()-]*[0-9]*",
    re.IGNORECASE,
)

_ATTEMPT = re.compile(r"attempt[ _-]?([0-9]{1,6})", re.IGNORECASE)


@dataclass(kw_only=True)
class _Gathered:
    """The content of a class folder by student (folders, archives, loose files and odd files), and everything else."""

    folders: dict[str, Path] = field(default_factory=dict)
    archives: dict[str, list[Path]] = field(default_factory=dict)
    loose: dict[str, list[FoundFile]] = field(default_factory=dict)
    odd: dict[str, list[Path]] = field(default_factory=dict)
    others: list[str] = field(default_factory=list)


def fits(entry: os.DirEntry[str], requirements: SubmissionRequirements) -> bool:
    """Return whether the entry can belong to a student."""
    return (
        os.path.isdir(entry.path)
        or archive_stem(entry.name) is not None
        or owner_of_file(entry.name, requirements.names) is not None
    )


def holds_class(entries: Sequence[os.DirEntry[str]], requirements: SubmissionRequirements) -> bool:
    """Return whether the entries of a folder belong to several students, rather than being one student's folders.

    At least two entries must contain the same program, and none can be named like a part or version of a student's
    work.
    """
    folders = [entry for entry in entries if entry.name not in INSTRUCTORS and not is_junk([entry.name])]
    if len(folders) < _SEVERAL or not all(entry.is_dir(follow_symlinks=False) for entry in folders):
        return False
    if any(is_own_folder(entry.name) for entry in folders):
        return False
    held = [files_in(entry).intersection(requirements.names) for entry in folders]
    return sum(map(len, held)) > len(set().union(*held))


def is_own_folder(name: str) -> bool:
    """Return whether a folder is named like a part or version of a student's work."""
    return bool(_OWN_FOLDER.fullmatch(name) or _ATTEMPT.fullmatch(name))


def files_in(folder: os.DirEntry[str]) -> set[str]:
    """Return the names of the files in a folder, or an empty set if it cannot be read."""
    try:
        with os.scandir(folder) as entries:
            return {composed(entry.name) for entry in entries if os.path.isfile(entry.path)}
    except OSError:
        return set()


def read(where: ClassFolder, requirements: SubmissionRequirements, _: UnpackSettings) -> ReceivedClass:
    """Read a class in a plain folder."""
    gathered = _gather(where.entries(), requirements)
    notes = [
        f"{name}: passed over, since it is hidden; if it is a student's, rename it"
        for name in where.hidden_submissions(requirements.names)
    ]
    notes += [_passed_over(name, requirements.names) for name in gathered.others]
    arrivals: list[Attempt] = []
    with_folder = set(map(composed, gathered.folders))
    for name, folder in gathered.folders.items():
        arrivals += _attempts(name, folder, where, requirements, notes)
    for name, (archive, *others) in gathered.archives.items():
        notes += [f"{passed.name}: passed over, {name} has {archive.name} too" for passed in others]
        if name in with_folder:
            notes.append(f"{archive.name}: passed over, {name} has a folder too")
        else:
            contents = _taken(where, archive, ArchiveContents(archive))
            arrivals.append(_attempt(name, contents, archive.name))
    for name, files in gathered.loose.items():
        if name in with_folder or name in gathered.archives:
            names = ", ".join(file.shown for file in files)
            what = "a folder" if name in with_folder else "an archive"
            notes.append(f"{names}: passed over, {name} has {what} too")
        else:
            arrivals.append(_loose(name, files, where))
    arrivals += _odd_rows(gathered, requirements.names, notes)
    notes += _alike_name_notes(arrival.identity.login or "" for arrival in arrivals)
    return ReceivedClass(tuple(arrivals), tuple(notes))


def _alike_name_notes(names: Iterable[str]) -> Iterator[str]:
    """Yield a note about each group of names that seem to belong to one student."""
    groups: dict[str, dict[str, None]] = {}
    for name in names:
        groups.setdefault(fold_name(name), {})[name] = None
    for alike in groups.values():
        students = list(dict.fromkeys(map(composed, alike)))
        if len(students) > 1:
            yield f"{' and '.join(students)} differ in case alone, and are taken for different students"
        elif len(alike) > 1:
            yield (
                f"{students[0]} is there {len(alike)} times, in names whose accents are encoded differently: they are "
                "taken for attempts of one student"
            )


def _attempt(name: str, contents: Contents, source: str, number: int = 1, notes: Sequence[str] = ()) -> Attempt:
    return Attempt(
        student=student_key(name),
        contents=contents,
        source=source,
        identity=StudentIdentity(login=name),
        attempt=number,
        notes=tuple(notes),
    )


def folder_attempt(folder: Path) -> Attempt:
    """Return the attempt in a student's folder."""
    name = Path(os.path.abspath(folder)).name
    return _attempt(name, FolderContents(folder), name)


def _attempts(
    name: str, folder: Path, where: ClassFolder, requirements: SubmissionRequirements, notes: list[str]
) -> Iterator[Attempt]:
    if fault := where.fault(folder):
        yield _attempt(name, RefusedContents(fault), name)
        return
    numbers: list[tuple[int, str]] = []
    others: list[str] = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if (match := _ATTEMPT.fullmatch(entry.name)) and entry.is_dir(follow_symlinks=False):
                    numbers.append((int(match[1]), entry.name))
                elif not is_junk([entry.name]):
                    others.append(entry.name)
    except OSError:
        # The note is made when the files are searched.
        numbers.clear()
    if numbers and not {fold_name(other_name) for other_name in others}.isdisjoint(map(fold_name, requirements.names)):
        # Students also use these names for folders with older versions next to the program.
        attempt_names = ", ".join(attempt for _, attempt in sorted(numbers))
        notes.append(f"{name}: {attempt_names} counts as a folder of the student's own, since a program lies beside it")
        numbers.clear()
        others.clear()
    for number, attempt in sorted(numbers):
        yield _attempt(name, FolderContents(folder / attempt), f"{name}/{attempt}", number)
    if not numbers:
        yield _attempt(name, FolderContents(folder), name)
    elif others:
        notes.append(
            f"{', '.join(f'{name}/{entry}' for entry in sorted(others))}: passed over, {name} has attempts too"
        )


def _loose(name: str, files: Sequence[FoundFile], where: ClassFolder) -> Attempt:
    notes: list[str] = []
    taken: dict[str, FoundFile] = {}
    for file in sorted(files, key=lambda file: not file.regular):
        if file.name not in taken:
            taken[file.name] = file
        elif file.regular:
            notes.append(f"{file.shown}: passed over, {taken[file.name].shown} is {file.name} too")
    contents: Contents = FileContents(tuple(taken.values()))
    for file in taken.values():
        contents = _taken(where, file.path, contents)
    return _attempt(name, contents, ", ".join(file.shown for file in taken.values()), notes=notes)


def _taken(where: ClassFolder, path: Path, contents: Contents) -> Contents:
    fault = where.fault(path)
    return RefusedContents(fault) if fault else contents


def _odd_rows(gathered: _Gathered, programs: Sequence[str], notes: list[str]) -> Iterator[Attempt]:
    """Yield a row, for a person to check, for each student with only unreadable files."""
    for name, files in gathered.odd.items():
        names = ", ".join(file.name for file in files)
        if name in {*map(composed, gathered.folders), *gathered.archives, *gathered.loose}:
            notes.append(f"{names}: passed over, {name} has other files too")
            continue
        reason = f"{names} cannot be graded: expected a folder, a zip or tar archive, or STUDENT_{programs[0]}"
        yield _attempt(name, RefusedContents(reason), names)


def _gather(entries: Iterable[os.DirEntry[str]], requirements: SubmissionRequirements) -> _Gathered:
    gathered = _Gathered()
    for entry in entries:
        owned = owner_of_file(entry.name, requirements.names)
        stem = archive_stem(entry.name)
        if entry.is_dir(follow_symlinks=False) or os.path.isdir(entry.path):
            gathered.folders[entry.name] = Path(entry.path)
        elif owned:
            student, program = owned
            file = FoundFile(program, Path(entry.path), entry.is_file(follow_symlinks=False))
            gathered.loose.setdefault(student, []).append(file)
        elif entry.is_symlink() and not os.path.isfile(entry.path):
            # A broken link may have been meant as a student's folder, and students must not disappear from the class.
            gathered.folders[entry.name] = Path(entry.path)
        elif stem and entry.is_file(follow_symlinks=False):
            gathered.archives.setdefault(composed(stem), []).append(Path(entry.path))
        elif odd_owner := _odd_owner(entry.name, requirements):
            gathered.odd.setdefault(composed(odd_owner), []).append(Path(entry.path))
        elif entry.name not in INSTRUCTORS:
            gathered.others.append(entry.name)
    return gathered


def _odd_owner(name: str, requirements: SubmissionRequirements) -> str | None:
    """Return the student of an archive that cannot be opened or of a misnamed program; otherwise None."""
    if is_other_archive(name):
        return PurePath(name).stem
    endings = {PurePath(program).suffix for program in requirements.names}
    if name in (*requirements.names, *requirements.provided) or PurePath(name).suffix not in endings:
        return None
    return PurePath(name).stem


def owner_of_file(name: str, programs: Iterable[str]) -> tuple[str, str] | None:
    """Return the student and program in the name of a loose file; if several programs match, the longest is meant.

    The suffix of the program's name can be missing; whether that is accepted is decided when programs are searched for.
    """
    for program in sorted(programs, key=len, reverse=True):
        match = re.fullmatch(rf"(.+?)[ _.-]+{re.escape(program)}", composed(name), re.DOTALL)
        if match:
            return match[1], program
    for program in sorted(programs, key=len, reverse=True):
        stem = re.escape(PurePath(program).stem)
        match = re.fullmatch(rf"(.+?)[ _.-]+({stem}\W.*)", composed(name), re.DOTALL | re.IGNORECASE)
        if match and archive_stem(name) is None and not is_other_archive(name):
            return match[1], match[2]
    return None


def _passed_over(name: str, programs: Iterable[str]) -> str:
    hint = nearest(name, (f"STUDENT_{program}" for program in programs))
    return f"{name}: passed over, its name does not end in the name of a program{hint}"
