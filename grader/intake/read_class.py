"""Reads the submissions of a class in any of the formats in which they arrive."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from grader.class_files.roster import FILE_NAMES as ROSTERS
from grader.class_files.roster import Roster
from grader.intake import plain_folder
from grader.intake.attempt import ReceivedClass, UnpackSettings
from grader.intake.choose_attempt import submission_of
from grader.intake.class_file import arranged
from grader.intake.class_folder import ClassFolder, IntakeError
from grader.intake.download_format import DownloadFormat, Evidence, RecognisedFormats
from grader.intake.further_files import is_leftover
from grader.intake.match_files import SubmissionRequirements
from grader.intake.plain_folder import folder_attempt
from grader.intake.sections import refuse_sections
from grader.model.submission import Submission

_MAX_WRAPPERS = 3
PLAIN = DownloadFormat(name="plain", title="a plain folder", fits=plain_folder.fits, read=plain_folder.read)


def read_class(
    where: ClassFolder,
    requirements: SubmissionRequirements,
    space: UnpackSettings,
    recognised: RecognisedFormats,
    *,
    chosen: DownloadFormat | None = None,
    roster: Roster | None = None,
) -> ReceivedClass:
    """Read the folder `where` in the format `chosen`, or else in the detected format.

    With a roster, every student in it gets a row, even if the folder is empty.

    Raises IntakeError if the folder cannot be read, does not contain a submission, or contains the folders of several
    classes, and SpecError if a file about the class is faulty.
    """
    outer = where
    where, entries = _inner(outer, requirements, recognised.formats, chosen)
    notes: tuple[str, ...] = ()
    if chosen is None:
        chosen, notes = _detected(entries, requirements, recognised.formats)
        notes = (*recognised.notes, *notes)
        if chosen is PLAIN:
            refuse_sections(entries, requirements, roster, outer.source)
    arrived = chosen.read(where, requirements, space)
    if not arrived.arrivals and not (roster and _is_empty(entries)):
        raise IntakeError(
            f"No submission in {outer.source}: expected a folder per student, or files such as STUDENT_"
            f"{requirements.names[0]}. For one submission alone, use `grader check`; more: `grader docs platforms`."
        )
    shaped = tuple(replace(arrival, shape=chosen.name) for arrival in arrived.arrivals)
    arrived = ReceivedClass(shaped, (*notes, *where.notes, *_notes_on_misplaced_files(outer, where), *arrived.notes))
    return arranged(arrived, outer.beside, roster, requirements)


def _is_empty(entries: Sequence[os.DirEntry[str]]) -> bool:
    """Return whether nothing was submitted, so that there are only files about the class and leftovers."""
    return all(entry.name in plain_folder.INSTRUCTORS or is_leftover(entry.name) for entry in entries)


def _detected(
    entries: Sequence[os.DirEntry[str]], requirements: SubmissionRequirements, formats: Sequence[DownloadFormat]
) -> tuple[DownloadFormat, tuple[str, ...]]:
    """Return the format that most entries fit, and a note about it unless it is a plain class."""
    names = {entry.name for entry in entries}
    possible = [download for download in formats if download.index is None or download.index in names]
    fitting = {download.name: sum(download.fits(entry, requirements) for entry in entries) for download in possible}
    best = max(possible, key=lambda download: fitting[download.name], default=PLAIN)
    students = sum(name not in plain_folder.INSTRUCTORS for name in names)
    if 2 * fitting.get(best.name, 0) < max(students, 1):
        return PLAIN, ()
    note = f"Taken for {best.title}: {fitting[best.name]} of {students} entries are named so"
    others = [name for name, count in fitting.items() if name != best.name and 2 * count >= students]
    if best.evidence is Evidence.LOOSE_NAME and all(plain_folder.fits(entry, requirements) for entry in entries):
        others.append(PLAIN.name)
    if others:
        note += f"; {' and '.join(others)} would fit too (--download-format says which)"
    return best, (note,)


def _inner(
    where: ClassFolder,
    requirements: SubmissionRequirements,
    formats: Sequence[DownloadFormat],
    chosen: DownloadFormat | None,
) -> tuple[ClassFolder, Sequence[os.DirEntry[str]]]:
    """Return the folder with the submissions and its entries: `where`, or the only download or class inside it."""
    outside = where.entries()
    inner, entries = where, outside
    for _ in range(_MAX_WRAPPERS):
        others = [entry for entry in entries if entry.name not in plain_folder.INSTRUCTORS]
        if len(others) != 1 or not others[0].is_dir(follow_symlinks=False):
            break
        if any(download.entry_is_student and download.fits(others[0], requirements) for download in formats):
            break
        inner = replace(inner, folder=inner.folder / others[0].name)
        try:
            entries = inner.entries()
        except IntakeError:
            break
        looks_like = _detected(entries, requirements, formats)[0]
        if chosen not in (None, looks_like):
            break
        if looks_like is not PLAIN:
            return inner, entries
        if plain_folder.holds_class(entries, requirements):
            name = inner.folder.relative_to(where.folder)
            program = requirements.names[0]
            note = f"{name} is taken for the class: it holds a folder per student, with {program} or the like"
            return replace(inner, notes=(*inner.notes, note)), entries
    return where, outside


def _notes_on_misplaced_files(outer: ClassFolder, inner: ClassFolder) -> Iterator[str]:
    """Yield a note for each file about the class that is in the wrong place."""
    folders = (folder for folder in (inner.folder, *inner.folder.parents) if folder.is_relative_to(outer.folder))
    elsewhere = [folder for folder in folders if folder != outer.beside]
    names = sorted(name for name in plain_folder.INSTRUCTORS for folder in elsewhere if (folder / name).is_file())
    if names:
        yield (
            f"{', '.join(names)} among the submissions: not read, unless an option such as --roster names it; "
            f"move the files about the class to {outer.beside}"
        )
    around = Path(os.path.abspath(outer.beside)).parent
    for name in sorted(plain_folder.INSTRUCTORS.difference(ROSTERS)):
        if (around / name).is_file():
            yield f"{around / name} is not read: move it to {outer.beside} if it is about this class"


def submission_in(folder: Path, requirements: SubmissionRequirements, unpacked: Path) -> Submission:
    """Read the submission of the student who owns this folder; archives in it are unpacked to `unpacked`."""
    return submission_of(
        folder_attempt(folder), requirements, UnpackSettings(unpacked, requirements.limits, requirements.zone)
    )
