"""Finds out in which shape the submissions of a class came, and reads them."""

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from grader.intake.arrival import Arrived, Space
from grader.intake.class_folder import ClassFolder, IntakeError
from grader.intake.enrolment import enrolled
from grader.intake.git_repository import git_folder
from grader.intake.kinds import canvas, git, gradescope, moodle, plain
from grader.intake.kinds.kind import IntakeKind
from grader.intake.roster import Roster
from grader.intake.wanted import Wanted

_CALLED = {
    IntakeKind.MOODLE: "a Moodle download",
    IntakeKind.CANVAS: "a Canvas download",
    IntakeKind.GRADESCOPE: "a Gradescope export",
    IntakeKind.GIT: "Git repositories",
}
_FITS: dict[IntakeKind, Callable[[os.DirEntry[str], Wanted], bool]] = {
    IntakeKind.GRADESCOPE: gradescope.fits,
    IntakeKind.MOODLE: moodle.fits,
    IntakeKind.CANVAS: canvas.fits,
    IntakeKind.GIT: git.fits,
}


def find_arrivals(
    where: ClassFolder, wanted: Wanted, space: Space, *, kind: IntakeKind | None = None, roster: Roster | None = None
) -> Arrived:
    """What arrived in `where`, read as `kind`, or as what it looks like; with a roster, a row for everyone in it.

    Raises IntakeError when the folder cannot be read or holds nothing.
    """
    where, entries = _inner(where, wanted, kind)
    said: tuple[str, ...] = ()
    if kind is None:
        kind, said = _detected(entries, wanted)
    arrived = _read(kind, where, wanted, space)
    if not arrived.arrivals:
        raise IntakeError(
            f"No submission in {where.folder}: expected a folder per student, or files such as "
            f"STUDENT_{wanted.names[0]}. To grade one submission alone, use `grader check`."
        )
    shaped = tuple(replace(arrival, shape=kind) for arrival in arrived.arrivals)
    arrived = Arrived(shaped, (*said, *where.notes, *arrived.notes))
    return enrolled(arrived, roster) if roster else arrived


def _read(kind: IntakeKind, where: ClassFolder, wanted: Wanted, space: Space) -> Arrived:
    match kind:
        case IntakeKind.PLAIN:
            return plain.read(where, wanted)
        case IntakeKind.MOODLE:
            return moodle.read(where, wanted)
        case IntakeKind.CANVAS:
            return canvas.read(where, wanted)
        case IntakeKind.GRADESCOPE:
            return gradescope.read(where, wanted)
        case IntakeKind.GIT:
            return git.read(where, wanted, space)


def _detected(entries: Sequence[os.DirEntry[str]], wanted: Wanted) -> tuple[IntakeKind, tuple[str, ...]]:
    """The kind that most entries fit, and a note on it; a plain class is not worth one.

    Of kinds that fit equally, the one that asks for more is listed first.
    """
    fitting = {kind: sum(fits(entry, wanted) for entry in entries) for kind, fits in _FITS.items()}
    if not any(entry.name == gradescope.METADATA for entry in entries):
        fitting[IntakeKind.GRADESCOPE] = 0
    best = max(fitting, key=lambda kind: fitting[kind])
    students = sum(entry.name not in plain.INSTRUCTORS for entry in entries)
    if 2 * fitting[best] < max(students, 1):
        return IntakeKind.PLAIN, ()
    note = f"Taken for {_CALLED[best]}: {fitting[best]} of {students} entries are named so"
    others = [str(kind) for kind, count in fitting.items() if kind is not best and 2 * count >= students]
    if best is IntakeKind.CANVAS and all(plain.fits(entry, wanted) for entry in entries):
        others.append(str(IntakeKind.PLAIN))
    if others:
        note += f"; {' and '.join(others)} would fit too (--intake says which)"
    return best, (note,)


def _inner(
    where: ClassFolder, wanted: Wanted, kind: IntakeKind | None
) -> tuple[ClassFolder, Sequence[os.DirEntry[str]]]:
    """The folder with the submissions: the only one in `where`, if it is a download; else that itself."""
    entries = where.entries()
    others = [entry for entry in entries if entry.name not in plain.INSTRUCTORS]
    if len(others) != 1 or not others[0].is_dir(follow_symlinks=False) or git_folder(Path(others[0].path)):
        return where, entries
    inner = replace(where, folder=where.folder / others[0].name)
    try:
        inside = inner.entries()
    except IntakeError:
        return where, entries
    looks_like = _detected(inside, wanted)[0]
    is_one_student = looks_like is IntakeKind.PLAIN or moodle.fits(others[0], wanted)
    return (where, entries) if is_one_student or kind not in (None, looks_like) else (inner, inside)
