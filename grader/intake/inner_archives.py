"""Opens archives among the files of a submission, but not archives inside them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from grader.files.archive_reader import archive_stem, is_other_archive
from grader.intake.attempt import ArchiveContents, UnpackSettings
from grader.intake.match_files import FoundFile, SubmissionRequirements

_MAX_ARCHIVES = 5


def files_in_archives(
    files: Sequence[FoundFile], requirements: SubmissionRequirements, space: UnpackSettings
) -> Iterator[FoundFile]:
    """Yield the files in the archives of a submission that lacks a program."""
    names = {file.base for file in files if file.regular}
    if all(names.intersection(called) for called in requirements.programs.values()):
        return
    for archive in _archives(files)[:_MAX_ARCHIVES]:
        for file in ArchiveContents(archive.path).files(space):
            yield replace(file, name=f"{archive.name}/{file.name}")


def notes_on_closed_archives(files: Sequence[FoundFile], opened: Sequence[FoundFile]) -> Iterator[tuple[str, str]]:
    """Yield the name of each archive that was not opened, and a note that explains why."""
    for file in (*files, *opened):
        if file.regular and is_other_archive(file.base):
            yield file.name, f"{file.name} cannot be opened: expected a zip or tar archive"
    for file in _archives(files)[_MAX_ARCHIVES:]:
        yield file.name, f"{file.name} is not opened: expected at most {_MAX_ARCHIVES} archives"
    for file in _archives(opened):
        yield file.name, f"{file.name} is not opened: it is an archive in an archive"


def _archives(files: Sequence[FoundFile]) -> list[FoundFile]:
    return [file for file in files if file.regular and archive_stem(file.base)]
