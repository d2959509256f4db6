"""Unpacks an archive into a new folder. Harmful content is only rejected for the student who owns it."""

import os
import shutil
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TypeAlias
from zoneinfo import ZoneInfo

from grader.errors import plain_reason, quoted
from grader.files.archive_reader import ArchiveLimits, ArchiveMember, Opener, UnsafeInputError, bytes_words, members_of

ArchiveOwner = tuple[str, ...]
"""The beginning of an archive path that identifies a student; empty for the archive as a whole."""


@dataclass(frozen=True)
class UnpackedArchive:
    """The folder with the unpacked files; `refused` maps the owners of rejected files to the reason."""

    folder: Path
    refused: Mapping[ArchiveOwner, str]


Members: TypeAlias = Sequence[tuple[ArchiveMember, Opener]]
"""The members of an open archive."""


def unpack(archive: Path, folder: Path, limits: ArchiveLimits, zone: ZoneInfo) -> UnpackedArchive:
    """Unpack the whole `archive` into the new `folder`.

    Raises UnsafeInputError if anything is wrong with the archive.
    """
    with members_of(archive, limits, zone) as members:
        unpacked = unpack_each(list(members), folder, limits, limits, owner=lambda _: ())
    for reason in unpacked.refused.values():
        raise UnsafeInputError(reason)
    return unpacked


def unpack_each(
    members: Members,
    folder: Path,
    whole: ArchiveLimits,
    each: ArchiveLimits,
    *,
    owner: Callable[[ArchiveMember], ArchiveOwner],
) -> UnpackedArchive:
    """Unpack `members` into the new `folder`; faulty files are only rejected for their owner.

    Raises UnsafeInputError if the archive exceeds the limits in `whole`.
    """
    refused = _faults(members, whole, each, owner=owner)
    folder.mkdir(parents=True)
    for member, opener in members:
        member_owner = owner(member)
        if member_owner not in refused:
            try:
                _write(folder, member, opener)
            except UnsafeInputError as error:
                refused[member_owner] = str(error)
            except Exception as error:
                refused[member_owner] = f"it is damaged ({plain_reason(error)})"
    for member_owner in refused:
        _leave_empty(folder, member_owner)
    return UnpackedArchive(folder, refused)


def _faults(
    members: Members, whole: ArchiveLimits, each: ArchiveLimits, *, owner: Callable[[ArchiveMember], ArchiveOwner]
) -> dict[ArchiveOwner, str]:
    """Check all names and sizes before writing anything; return the reason for each owner with rejected files."""
    refused: dict[ArchiveOwner, str] = {}
    encoded: dict[tuple[str, ...], tuple[str, ...]] = {}
    files: Counter[ArchiveOwner] = Counter()
    sizes: Counter[ArchiveOwner] = Counter()
    for member, _ in members:
        member_owner = owner(member)
        files[member_owner] += 1
        sizes[member_owner] += member.size
        if member.fault:
            refused.setdefault(member_owner, member.fault)
        elif not member.is_folder and encoded.setdefault(member.parts, member.encoded) != member.encoded:
            name = quoted("/".join(member.parts))
            refused.setdefault(member_owner, f"{name} is in it twice, in names whose accents are encoded differently")
        if files[member_owner] > each.files:
            refused.setdefault(member_owner, f"it has more than {each.files} files")
        if sizes[member_owner] > each.total_bytes:
            refused.setdefault(member_owner, f"it has more than {bytes_words(each.total_bytes)} when it is unpacked")
        if files.total() > whole.files:
            raise UnsafeInputError(f"it has more than {whole.files} files")
    if sizes.total() > whole.total_bytes:
        raise UnsafeInputError(f"it has more than {bytes_words(whole.total_bytes)} when it is unpacked")
    return refused


def _write(folder: Path, member: ArchiveMember, opener: Opener) -> None:
    target = folder.joinpath(*member.parts)
    if member.is_folder:
        target.mkdir(parents=True, exist_ok=True)
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    # An archive may contain a file twice. The later one is used, as in every program that unpacks archives.
    target.unlink(missing_ok=True)
    with opener() as source, target.open("xb") as file:
        _copy(source, file, member.size)
    try:
        os.utime(target, (member.time or 0, member.time or 0))
    except (OSError, OverflowError, ValueError):
        # Some times in archives are not valid for files.
        os.utime(target, (0, 0))


def _copy(source: IO[bytes], target: IO[bytes], most: int) -> None:
    """Copy no more than `most` bytes, the size that the archive declared."""
    while most >= 0 and (data := source.read(min(1 << 16, most + 1))):
        most -= len(data)
        if most < 0:
            raise UnsafeInputError("a file in it is larger than it says")
        target.write(data)


def _leave_empty(folder: Path, owner: ArchiveOwner) -> None:
    """Replace rejected content with an empty entry, so that the student still gets a row."""
    target = folder.joinpath(*owner)
    if owner and not target.is_file():
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir(parents=True, exist_ok=True)
