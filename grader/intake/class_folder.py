"""The folder with the submissions of a class, as found or unpacked from an archive."""

import os
import shutil
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from zoneinfo import ZoneInfo

from grader.errors import GraderError, reported_as
from grader.files.archive_reader import (
    LONGEST_NAME,
    ArchiveLimits,
    ArchiveMember,
    UnsafeInputError,
    archive_stem,
    members_of,
)
from grader.files.unpack import ArchiveOwner, unpack_each
from grader.intake.attempt import UnpackSettings
from grader.text.names import composed, student_key

_ANY_ZONE = ZoneInfo("UTC")
# The levels are a wrapper folder, the students, and a folder inside a student's.
_LEVELS = 3
_MAX_NAMES = 100_000
# The maximum number of archives to open when determining the assignment of a class.
_MAX_ARCHIVES, _LARGEST_LOOKED_INTO, _LONGEST_END = 20, 100_000_000, 40

_WHOLE = ArchiveLimits(files=200_000, total_bytes=10_000_000_000)
# The limits for peeking into a student's archive, because reading more would be slow without being useful.
_LOOKED_INTO = ArchiveLimits(files=10_000, total_bytes=200_000_000)


class IntakeError(GraderError):
    """The user's path does not contain a submission."""


@dataclass(frozen=True)
class ClassFolder:
    """A folder with submissions: `folder` is `source`, or is inside it, or was unpacked from it.

    `refused` lists the entries that were not unpacked, with reasons.
    """

    folder: Path
    source: Path
    refused: Mapping[Path, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def beside(self) -> Path:
        """Return the folder that may contain extensions, marks and the roster."""
        return beside(self.source)

    def fault(self, path: Path) -> str | None:
        """Return the reason why the entry at `path` is rejected, or None."""
        return self.refused.get(path)

    def entries(self) -> list[os.DirEntry[str]]:
        """List the folder by name, without hidden entries. Raises IntakeError."""
        return [entry for entry in _entries(self.folder) if not _is_hidden(entry.name)]

    def hidden_submissions(self, programs: Collection[str]) -> list[str]:
        """Return the names of hidden entries that are or contain one of the `programs`. Raises IntakeError."""
        hidden = [entry for entry in _entries(self.folder) if _is_hidden(entry.name)]
        return [entry.name for entry in hidden if any(_holds(entry, program) for program in programs)]


def _is_hidden(name: str) -> bool:
    return name.startswith((".", "__"))


def _holds(entry: os.DirEntry[str], program: str) -> bool:
    if entry.is_dir(follow_symlinks=False):
        with suppress(OSError):
            return any(composed(inner.name) == program for inner in Path(entry.path).iterdir())
        return False
    # In archives, macOS stores metadata of a file under the same name with the prefix `._`.
    return composed(entry.name).endswith(program) and not entry.name.startswith("._")


def beside(path: Path) -> Path:
    """Return the folder for the instructor's files about the submissions in the folder or archive `path`."""
    return path.parent if is_archive(path) else path


def is_archive(path: Path) -> bool:
    """Return whether `path` is a class in an archive."""
    return archive_stem(path.name) is not None and path.is_file()


def open_class(path: Path, space: UnpackSettings, programs: Collection[str]) -> ClassFolder:
    """Return the class in the folder or archive `path`, unpacking an archive.

    A folder that wraps the whole archive is skipped, unless it contains one of the `programs` directly, in which case
    it belongs to a student. Raises IntakeError.
    """
    if not is_archive(path):
        return ClassFolder(path, path)
    try:
        with members_of(path, _WHOLE, space.zone) as listed:
            members = list(listed)
            wrapper = _wrapper([member.parts for member, _ in members if not member.fault], programs)
            owner = partial(_owner, wrapper=wrapper)
            unpacked = unpack_each(members, space.new(), _WHOLE, space.limits, owner=owner)
    except (UnsafeInputError, OSError) as error:
        raise IntakeError(f"{path} cannot be taken in: {error}") from None
    worded = {
        owner_parts: f"{'/'.join(owner_parts)} is refused: {reason}" for owner_parts, reason in unpacked.refused.items()
    }
    return ClassFolder(
        unpacked.folder.joinpath(*wrapper),
        path,
        {unpacked.folder.joinpath(*owner_parts): reason for owner_parts, reason in worded.items()},
        tuple(reason for owner_parts, reason in worded.items() if owner_parts[: len(wrapper)] != wrapper),
    )


def names_in(path: Path) -> Iterator[str]:
    """Yield the names of the files and folders of a class, down to the usual level of students' files.

    The first few archives in the class are opened as well.
    """
    archives: list[Path] = []
    if not is_archive(path):
        for entry in islice(_below(path, _LEVELS), _MAX_NAMES):
            yield composed(entry.name)
            if len(archives) < _MAX_ARCHIVES and is_archive(Path(entry.path)):
                archives.append(Path(entry.path))
        for archive in archives:
            yield from _names_in_archive(archive, _LOOKED_INTO)
        return
    yield from _names_in_archive(path, _WHOLE)
    with TemporaryDirectory(prefix="grader-intake-") as folder:
        for archive in _archives_in(path, Path(folder)):
            yield from _names_in_archive(archive, _LOOKED_INTO)


def _names_in_archive(archive: Path, limits: ArchiveLimits) -> set[str]:
    with suppress(UnsafeInputError, OSError), members_of(archive, limits, _ANY_ZONE) as members:
        return {part for member, _ in members for part in member.parts[-1:]}
    return set()


def _archives_in(archive: Path, folder: Path) -> Iterator[Path]:
    """Yield copies, in `folder`, of the first few archives inside an archive, one at a time."""
    remaining = _MAX_ARCHIVES
    with suppress(UnsafeInputError, OSError), members_of(archive, _WHOLE, _ANY_ZONE) as members:
        for member, opened in members:
            if (
                not remaining
                or member.fault
                or member.size > _LARGEST_LOOKED_INTO
                or not archive_stem(member.parts[-1])
            ):
                continue
            remaining -= 1
            copy = folder / f"{remaining}-{member.parts[-1][-_LONGEST_END:]}"
            with opened() as source, copy.open("wb") as target:
                shutil.copyfileobj(source, target)
            yield copy


def _below(folder: Path, levels: int) -> Iterator[os.DirEntry[str]]:
    with suppress(IntakeError):
        for entry in _entries(folder):
            if _is_hidden(entry.name):
                continue
            yield entry
            if levels > 1 and os.path.isdir(entry.path):
                yield from _below(Path(entry.path), levels - 1)


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    with reported_as(IntakeError, f"{folder} cannot be read"), os.scandir(folder) as entries:
        listed = list(entries)
    return sorted(listed, key=lambda entry: entry.name)


def _wrapper(names: Sequence[ArchiveOwner], programs: Collection[str]) -> ArchiveOwner:
    """Return the folder that wraps everything in an archive, or an empty string."""
    files = [parts for parts in names if len(parts) > 1]
    tops = {parts[0] for parts in names}
    if len(tops) != 1 or not files or any(len(parts) == 2 and parts[1] in programs for parts in files):
        return ()
    return (tops.pop(),)


def _owner(member: ArchiveMember, wrapper: ArchiveOwner) -> ArchiveOwner:
    """Return the student's folder or file that contains a member, shortened if it is too long for a file name."""
    parts = member.parts[: len(wrapper) + 1] or wrapper
    return tuple(part if len(os.fsencode(part)) <= LONGEST_NAME else student_key(part) for part in parts)
