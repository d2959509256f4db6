"""Lists the members of zip and tar archives, each with the reason if it cannot be unpacked.

An archive may be malicious, and designed to overwrite other files, fill the disk or memory, or take forever. This
module therefore never writes, and only reads a member when its opener is called.
"""

import bz2
import gzip
import lzma
import os
import re
import stat
import struct
import tarfile
import unicodedata
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import IO, Any, TypeAlias, cast
from zoneinfo import ZoneInfo

from grader.errors import GraderError, plain_reason, quoted
from grader.files.digest import READ

_UTF_8 = 0x800
_ENCRYPTED = 0x1
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
_UNICODE_PATH = 0x7075
_TIMESTAMP = 0x5455
_TAR_ENDS: dict[str, Callable[[IO[bytes]], Any]] = {
    ".tar": lambda file: file,
    ".tar.gz": gzip.open,
    ".tgz": gzip.open,
    ".tar.bz2": bz2.open,
    ".tbz2": bz2.open,
    ".tar.xz": lzma.open,
    ".txz": lzma.open,
}
_ENDS = (".zip", *_TAR_ENDS)
_OTHER_ENDS = (".rar", ".7z", ".gz", ".bz2", ".xz", ".zst")
_JUNK = {"__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini", "__pycache__", "site-packages", "node_modules"}
LONGEST_NAME = 255
"""The maximum number of bytes in a file name."""
# Decomposed characters can take up to three times as many bytes.
_LONGEST_DECOMPOSED = 3 * LONGEST_NAME
_DEEPEST = 50
_MAX_AT_ONCE = 10_000_000
# A directory entry of a zip file is never larger, unless its name is too long to be real.
_ENTRY_BYTES = 1_000
# Skipped files, such as the contents of `node_modules`, are not counted but still take time.
_MAX_LEFT_OUT = 50_000
_TAR_BLOCK = 512
_MAX_HEADER_BYTES = 65_536
# More than is ever copied in one go.
_MAX_OF_A_FILE = 1 << 17
_PAX = (b"x", b"g", b"X")
# In Python 3.11, searching for the word after the digits takes quadratic time.
_TOO_MANY_DIGITS = re.compile(rb"[0-9]{64}")


class UnsafeInputError(GraderError):
    """An archive or repository is rejected; the message is the reason, phrased to follow its name and a colon."""


def bytes_words(count: int) -> str:
    """Return a number of bytes in readable form: `512 bytes`, `1.5 MB`."""
    for unit, size in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if count >= size:
            return f"{count / size:.1f}".removesuffix(".0") + f" {unit}"
    return "1 byte" if count == 1 else f"{count} bytes"


def overlapping(entries: Sequence[zipfile.ZipInfo]) -> bool:
    """Return whether any two entries share bytes of the file, which would let a small file expand to a huge size."""
    spans = sorted((info.header_offset, info.compress_size) for info in entries)
    return any(start + size > after for (start, size), (after, _) in pairwise(spans))


def entry_name(info: zipfile.ZipInfo) -> str:
    """Return the name of an entry with `/` as the separator.

    Not every zip program declares the encoding of names. Undeclared names are read as UTF-8 if that is valid, and
    otherwise as code page 437.
    """
    name = info.filename if info.flag_bits & _UTF_8 else _guessed(info)
    if "/" not in name:
        # Windows uses this separator, and names on other systems rarely contain it.
        name = name.replace("\\", "/")
    return name


def _guessed(info: zipfile.ZipInfo) -> str:
    try:
        raw = info.filename.encode("cp437")
    except UnicodeEncodeError:
        return info.filename
    for kind, data in _extras(info.extra):
        # The fields are a version, the checksum of the name to replace, and the new name.
        if kind == _UNICODE_PATH and data[:1] == b"\1" and data[1:5] == struct.pack("<L", zlib.crc32(raw)):
            raw = data[5:]
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return info.filename


def entry_time(info: zipfile.ZipInfo, zone: ZoneInfo) -> float | None:
    """Return the modification time of an entry, in seconds since 1970, or None if its date is impossible.

    A time without a zone is taken as local time in `zone`.
    """
    for kind, data in _extras(info.extra):
        if kind == _TIMESTAMP and len(data) >= 5 and data[0] & 1:
            return float(struct.unpack_from("<l", data, 1)[0])
    try:
        return datetime(*info.date_time, tzinfo=zone).timestamp()
    except ValueError:
        return None


def entry_fault(info: zipfile.ZipInfo) -> str | None:
    """Return the reason why an entry cannot be unpacked, phrased to follow its name, or None."""
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind == stat.S_IFLNK:
        return "is a link"
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        return "is no regular file"
    if info.flag_bits & _ENCRYPTED:
        return "is encrypted"
    if info.compress_type not in _METHODS:
        return "is packed in a way that is not known here"
    return None


def _extras(extra: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the kind and content of each additional field of an entry."""
    while len(extra) >= 4:
        kind, length = struct.unpack_from("<HH", extra)
        yield kind, extra[4 : 4 + length]
        extra = extra[4 + length :]


@dataclass(frozen=True)
class ArchiveLimits:
    """The maximum number of files to unpack, and the maximum number of bytes in total."""

    files: int
    total_bytes: int


@dataclass(frozen=True, kw_only=True)
class ArchiveMember:
    """A file or folder in an archive. `parts` are the components of its path; `time` is in seconds since 1970.

    `encoded` holds the components before their accents were composed. `fault` is the reason why the member must not be
    unpacked.
    """

    encoded: tuple[str, ...]
    parts: tuple[str, ...]
    is_folder: bool
    size: int
    time: float | None
    fault: str | None


Opener: TypeAlias = Callable[[], AbstractContextManager[IO[bytes]]]


def archive_stem(name: str) -> str | None:
    """Return the name of an archive without its suffix, or None if the file is not a supported archive."""
    end = next((end for end in _ENDS if name.lower().endswith(end)), None)
    return name[: -len(end)] if end and len(name) > len(end) else None


def is_other_archive(name: str) -> bool:
    """Return whether the name belongs to an unsupported kind of archive."""
    return archive_stem(name) is None and name.lower().endswith(_OTHER_ENDS)


@contextmanager
def members_of(
    archive: Path, limits: ArchiveLimits, zone: ZoneInfo
) -> Iterator[Iterator[tuple[ArchiveMember, Opener]]]:
    """Yield the members of `archive` in order, each with a function that opens it while the context is active.

    Times without a zone are taken as local time in `zone`. Raises UnsafeInputError, also during iteration.
    """
    name = archive.name.lower()
    try:
        descriptor = os.open(archive, READ)
        with os.fdopen(descriptor, "rb") as file:
            _check_size(os.fstat(descriptor).st_size, limits.total_bytes)
            if name.endswith(".zip"):
                with zipfile.ZipFile(cast("IO[bytes]", _ZipStream(file, limits))) as opened_zip:
                    yield _zip_members(opened_zip, zone)
            else:
                end = next(end for end in _TAR_ENDS if name.endswith(end))
                # Leaves room for the headers of every file.
                stream = _TarStream(_TAR_ENDS[end](file), limits.total_bytes + limits.files * 10_240)
                with tarfile.open(fileobj=cast("IO[bytes]", stream), mode="r:") as opened_tar:
                    yield _tar_members(opened_tar, stream, limits)
    except (UnsafeInputError, GeneratorExit):
        raise
    except Exception as error:
        # The standard library raises many kinds of exceptions for damaged archives.
        raise UnsafeInputError(f"it is damaged or no archive ({plain_reason(error)})") from error


def _check_size(size: int, most: int) -> None:
    """Check that `size` does not exceed `most`, both in bytes. Raises UnsafeInputError if it does."""
    if size > most:
        raise UnsafeInputError(f"it has {bytes_words(size)}; at most {bytes_words(most)} are taken")


def _zip_members(opened: zipfile.ZipFile, zone: ZoneInfo) -> Iterator[tuple[ArchiveMember, Opener]]:
    if overlapping(opened.infolist()):
        raise UnsafeInputError("its files overlap, as in a zip bomb")
    for info in opened.infolist():
        name = entry_name(info)
        if not is_junk(name.split("/")):
            member = _member(
                name, info.file_size, entry_time(info, zone), entry_fault(info), is_folder=name.endswith("/")
            )
            yield member, partial(opened.open, info)


def _tar_members(
    opened: tarfile.TarFile, stream: "_TarStream", limits: ArchiveLimits
) -> Iterator[tuple[ArchiveMember, Opener]]:
    for info in _tar_entries(opened, stream, limits):
        if not is_junk(info.name.split("/")):
            member = _member(info.name, info.size, float(info.mtime), _tar_fault(info), is_folder=info.isdir())
            yield member, partial(_opened, opened, info)


def _member(name: str, size: int, time: float | None, fault: str | None, *, is_folder: bool) -> ArchiveMember:
    parts, fault_of_name = _parts(name)
    worst = fault_of_name or fault
    worded = f"{quoted(name)} in it {worst}" if worst else None
    return ArchiveMember(encoded=_split(name), parts=parts, is_folder=is_folder, size=size, time=time, fault=worded)


def _tar_entries(opened: tarfile.TarFile, stream: "_TarStream", limits: ArchiveLimits) -> Iterator[tarfile.TarInfo]:
    """Yield the entries of a tar file. Raises UnsafeInputError if there are too many."""
    for _ in range(limits.files + _MAX_LEFT_OUT):
        stream.begin_header()
        info = opened.next()
        stream.begin_content()
        if info is None:
            return
        if info.size < 0:
            raise UnsafeInputError(f"{quoted(info.name)} in it has a size below zero")
        yield info
    raise UnsafeInputError(f"it has more than {limits.files} files")


def _opened(archive: tarfile.TarFile, info: tarfile.TarInfo) -> IO[bytes]:
    file = archive.extractfile(info)
    if file is None:
        raise UnsafeInputError(f"{quoted(info.name)} in it is no regular file")
    return file


class _ZipStream:
    """A zip file that limits each read to the size of a directory with the maximum number of files."""

    def __init__(self, file: IO[bytes], limits: ArchiveLimits) -> None:
        self._file = file
        self._limits = limits
        self.seek, self.tell, self.seekable = file.seek, file.tell, file.seekable

    def read(self, size: int = -1) -> bytes:
        if size > max(self._limits.files * _ENTRY_BYTES, _MAX_OF_A_FILE):
            raise UnsafeInputError(f"it has more than {self._limits.files} files")
        return self._file.read(size)


class _TarStream:
    """A decompressed tar file that limits the size of each read and of all reads together.

    Python's tarfile takes quadratic time for some headers, so headers are checked before tarfile sees them.
    """

    def __init__(self, file: IO[bytes], most: int) -> None:
        self._file = file
        self._most = most
        self._header_left: int | None = _MAX_HEADER_BYTES
        self._kind = b""

    def begin_header(self) -> None:
        """Treat the following bytes as the header of an entry."""
        self._header_left = _MAX_HEADER_BYTES

    def begin_content(self) -> None:
        """Treat the following bytes as the content of an entry."""
        self._header_left = None

    def read(self, size: int = -1) -> bytes:
        if not 0 <= size <= _MAX_AT_ONCE:
            raise UnsafeInputError("one of its headers is too large")
        self._check(self._file.tell() + size)
        data = self._file.read(size)
        if self._header_left is not None:
            self._header_left -= len(data)
            if self._header_left < 0:
                raise UnsafeInputError("one of its headers is too large")
            self._check_header(data)
        return data

    def seek(self, position: int) -> int:
        self._check(position)
        return self._file.seek(position)

    def tell(self) -> int:
        return self._file.tell()

    def _check(self, position: int) -> None:
        if position > self._most:
            raise UnsafeInputError(f"it is larger than {bytes_words(self._most)} when it is unpacked")

    def _check_header(self, data: bytes) -> None:
        if len(data) == _TAR_BLOCK:
            self._kind = data[156:157]
        elif self._kind in _PAX and not _has_short_records(data):
            raise UnsafeInputError("one of its headers is damaged")


def _has_short_records(header: bytes) -> bool:
    """Return whether a header consists of lines with `LENGTH KEY=VALUE`, without very long numbers."""
    start = 0
    while header[start : start + 1].strip(b"\0"):
        length, space, _ = header[start : start + 10].partition(b" ")
        end = start + (int(length) if space and length.isdigit() else 0)
        record = header[start:end]
        if b"=" not in record or not record.endswith(b"\n"):
            return False
        start = end
    return not _TOO_MANY_DIGITS.search(header)


def _tar_fault(info: tarfile.TarInfo) -> str | None:
    if info.issym() or info.islnk():
        return "is a link"
    if not (info.isfile() or info.isdir()):
        return "is no regular file"
    return None


def _split(name: str) -> tuple[str, ...]:
    return tuple(part for part in name.split("/") if part not in ("", "."))


def _parts(name: str) -> tuple[tuple[str, ...], str | None]:
    """Return the components of a member's path, and the fault in the path, if any."""
    parts = _split(name)
    if len(parts) > _DEEPEST or any(len(os.fsencode(part)) > _LONGEST_DECOMPOSED for part in parts):
        # Composing characters can take quadratic time.
        return parts[:_DEEPEST], "has a name that is too long"
    parts = tuple(unicodedata.normalize("NFC", part) for part in parts)
    if name.startswith("/") or name[1:3] in (":/", ":\\") or ".." in parts:
        return tuple(part for part in parts if part != ".."), "leads out of the archive"
    if "\0" in name or not parts:
        return parts, "has no name" if not parts else "has a name that no file can have"
    if any(len(os.fsencode(part)) > LONGEST_NAME for part in parts):
        return parts, "has a name that is too long"
    return parts, None


def is_junk(parts: list[str]) -> bool:
    """Return whether a path belongs to files that operating systems, Python, pip or npm create automatically."""
    return any(part in _JUNK or part.startswith("._") for part in parts)
