"""Finds the files of the programs in the folder of one student."""

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from grader.intake.submission import SubmittedFile
from grader.spec.problem import closest, quoted

Names = Mapping[str, Sequence[str]]
"""The programs asked for, and the names that the file of each may have: of several, the first that is there counts."""


def program_files(
    folder: Path, programs: Names, provided: Iterable[str] = ()
) -> tuple[tuple[SubmittedFile, ...], tuple[str, ...]]:
    """The files of `programs` in `folder`, and notes on what is missing or passed over. Raises OSError.

    The student's own copy of a `provided` module is passed over.
    """
    regular = _regular_files(folder)
    known = {name for names in programs.values() for name in names}
    others = [name for name, is_regular in regular.items() if is_regular and name not in known]
    notes: list[str] = []
    files: dict[str, SubmittedFile] = {}
    for program, names in programs.items():
        files.update((name, SubmittedFile(name, folder / name)) for name in names if regular.get(name))
        notes += [
            f"{name} is a folder, a link or something else that is not a regular file"
            for name in names
            if regular.get(name) is False
        ]
        if regular.keys().isdisjoint(names):
            notes.append(f"{' or '.join(names)} is missing{_similar(program, others)}")
    notes += pass_over_alternatives(files, programs)
    notes += [f"{name} is passed over: the one that is provided is used" for name in provided if name in regular]
    return tuple(files.values()), tuple(notes)


def pass_over_alternatives(files: dict[str, SubmittedFile], programs: Names) -> list[str]:
    """Take out of `files` what another file counts in place of; returns a note on each."""
    notes: list[str] = []
    for names in programs.values():
        found = [name for name in names if name in files]
        others = [files.pop(name).path.name for name in found[1:]]
        notes += [f"{name} is passed over: {files[found[0]].path.name} is there" for name in others]
    return notes


def _regular_files(folder: Path) -> dict[str, bool]:
    """Whether each entry of `folder` is a regular file. Links are not followed: they may lead anywhere."""
    with os.scandir(folder) as entries:
        return {entry.name: entry.is_file(follow_symlinks=False) for entry in entries}


def _similar(program: str, names: Iterable[str]) -> str:
    suffix = Path(program).suffix
    close = closest(program, (name for name in names if name.endswith(suffix)))
    return f"; there is {quoted(close)}" if close else ""
