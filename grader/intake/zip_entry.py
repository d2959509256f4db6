"""Single entries of zip files: what they are called, when they were changed, and what is wrong with them."""

import os
import stat
import struct
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import pairwise
from typing import IO
from zoneinfo import ZoneInfo

_UTF_8 = 0x800
_ENCRYPTED = 0x1
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
_DOS = 0
_UNICODE_PATH = 0x7075
_TIMESTAMP = 0x5455
_END = b"PK\x05\x06"
_END_BYTES = 22
_LONGEST_COMMENT = 65_535


def directory_bytes(file: IO[bytes]) -> int:
    """How many bytes the list of entries at the end of a zip file has, as it says itself; 0 when there is no end."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - _END_BYTES - _LONGEST_COMMENT))
    tail = file.read()
    found = tail.rfind(_END)
    if found < 0 or len(tail) - found < _END_BYTES:
        return 0
    (length,) = struct.unpack_from("<L", tail, found + 12)
    return int(length)


def overlapping(entries: Sequence[zipfile.ZipInfo]) -> bool:
    """Whether two entries share bytes of the file: a small file can so stand for very much."""
    spans = sorted((info.header_offset, info.compress_size) for info in entries)
    return any(start + size > after for (start, size), (after, _) in pairwise(spans))


def entry_name(info: zipfile.ZipInfo) -> str:
    """The name of an entry with `/` between folders, in composed characters.

    Not every program that makes zip files says in which encoding names are. Without a word on that they are UTF-8 if
    they can be, or else code page 437.
    """
    name = info.filename if info.flag_bits & _UTF_8 else _guessed(info)
    if info.create_system == _DOS and "/" not in name:
        name = name.replace("\\", "/")
    return unicodedata.normalize("NFC", name)


def _guessed(info: zipfile.ZipInfo) -> str:
    try:
        raw = info.filename.encode("cp437")
    except UnicodeEncodeError:
        return info.filename
    for kind, data in _extras(info.extra):
        # Version, check sum of the name that this one stands for, name.
        if kind == _UNICODE_PATH and data[:1] == b"\1" and data[1:5] == struct.pack("<L", zlib.crc32(raw)):
            raw = data[5:]
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return info.filename


def entry_time(info: zipfile.ZipInfo, zone: ZoneInfo) -> float | None:
    """When an entry was last changed, in seconds since 1970; a time that says no zone is local to `zone`."""
    for kind, data in _extras(info.extra):
        if kind == _TIMESTAMP and len(data) >= 5 and data[0] & 1:
            return float(struct.unpack_from("<l", data, 1)[0])
    try:
        return datetime(*info.date_time, tzinfo=zone).timestamp()
    except ValueError:
        return None


def entry_fault(info: zipfile.ZipInfo) -> str | None:
    """Why an entry must not be unpacked, in words that follow its name."""
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
    """The additional fields of an entry: kind and content."""
    while len(extra) >= 4:
        kind, length = struct.unpack_from("<HH", extra)
        yield kind, extra[4 : 4 + length]
        extra = extra[4 + length :]
