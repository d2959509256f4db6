"""Computes digests: short strings that identify a value, a file or a whole folder.

Files may have been placed by others, so they are opened without following links or waiting for pipes.
"""

import errno
import hashlib
import json
import os
import stat
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _hashlib import HASH


READ = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"))
"""Flags for reading without following links or blocking, as far as the system supports them."""


_MIN_AT_ONCE, _MAX_AT_ONCE = 1 << 13, 1 << 20
_COMPILED = "__pycache__"


class UntraceableError(Exception):
    """A folder contains a valid link, so its listing does not determine its content."""


def digest(value: object) -> str:
    """Return the digest of a value.

    The value can consist of dataclasses, mappings, sequences, frozen sets, strings, numbers, paths and None. Only
    fields of dataclasses that are used in comparisons are included. The digest is the same in every process. Raises
    TypeError for any other kind of value.
    """
    return text_digest(digested_text(value))


def digested_text(value: object) -> str:
    """Return the text that `digest` hashes for a value; for a list, the texts of its items. Raises TypeError."""
    return json.dumps(value, default=_plain, sort_keys=True, separators=(",", ":"))


def text_digest(text: str) -> str:
    """Return the digest of the value with this text."""
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _plain(value: object) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        # Fields that are not compared, such as the location of a file with known content, do not distinguish values.
        return {field.name: getattr(value, field.name) for field in fields(value) if field.compare}
    if isinstance(value, Decimal | Path):
        return [type(value).__name__.removeprefix("Posix"), str(value)]
    if isinstance(value, frozenset):
        return ["set", *sorted(digest(item) for item in value)]
    raise TypeError(f"a {type(value).__name__} has no digest")


def file_digest(file: str | Path) -> str:
    """Return the digest of a regular file's content. Raises OSError if the file is not regular or cannot be read."""
    return _content(file).hexdigest()


def read_regular_file(file: str | Path) -> bytes:
    """Return the content of a regular file. Raises OSError if the file is not regular or cannot be read."""
    return b"".join(_pieces(file))


def read_named_file(file: Path) -> bytes:
    """Return the content of the regular file at a path chosen by the user, which may be a link.

    Raises OSError, also for anything else, such as a pipe that would block.
    """
    path = Path(os.path.realpath(file))
    if not stat.S_ISREG(path.stat().st_mode):
        raise OSError(errno.EINVAL, "it is a folder, a pipe or a device", str(path))
    return read_regular_file(path)


def content_digest(content: bytes) -> str:
    """Return the digest that `file_digest` would return for a file with this content."""
    return hashlib.sha256(content).hexdigest()


def _content(file: str | Path) -> "HASH":
    total = hashlib.sha256()
    for piece in _pieces(file):
        total.update(piece)
    return total


def _pieces(file: str | Path) -> Iterator[bytes]:
    """Yield the content of a regular file in pieces, with half as many system calls as a file object."""
    descriptor = os.open(file, READ)
    try:
        status = os.fstat(descriptor)
        # The file may have been replaced by a link or pipe since the folder was listed.
        if not stat.S_ISREG(status.st_mode):
            raise OSError(f"{str(file)!r} is not a regular file")
        # The kernel's own files have size 0.
        size = min(max(_MIN_AT_ONCE, status.st_size + 1), _MAX_AT_ONCE)
        while piece := os.read(descriptor, size):
            yield piece
    finally:
        os.close(descriptor)


def folder_digest(folder: str | Path, *, times: bool = False) -> str:
    """Return the digest of everything in `folder`: names, kinds, contents and optionally modification times.

    An unreadable file contributes the fact that it is unreadable. Only regular files are opened. Raises
    UntraceableError if the folder contains a valid link.
    """
    total = hashlib.sha256()
    _add_folder(total, os.fspath(folder), times=times)
    return total.hexdigest()


def _add_folder(total: "HASH", folder: str, *, times: bool) -> None:
    # Folders can be nested more deeply than the recursion limit allows.
    opened = [_entries(total, folder)]
    while opened:
        entry = next(opened[-1], None)
        if entry is None:
            opened.pop()
            continue
        name = os.fsencode(entry.name)
        total.update(f"{len(name)} ".encode() + name)
        if entry.is_dir(follow_symlinks=False):
            opened.append(_entries(total, entry.path))
        elif entry.is_file(follow_symlinks=False):
            _add_file(total, entry, times=times)
        else:
            _add_other(total, entry)


def _entries(total: "HASH", folder: str) -> Iterator[os.DirEntry[str]]:
    """Yield the entries of a folder in order, after adding their number to the digest."""
    try:
        with os.scandir(folder) as entries:
            ordered = sorted((entry for entry in entries if entry.name != _COMPILED), key=lambda entry: entry.name)
    except OSError as error:
        total.update(f"error {error.errno}\n".encode())
        return iter(())
    total.update(f"folder {len(ordered)}\n".encode())
    return iter(ordered)


def _add_file(total: "HASH", entry: os.DirEntry[str], *, times: bool) -> None:
    try:
        content = _content(entry.path).hexdigest()
        time = entry.stat(follow_symlinks=False).st_mtime_ns if times else 0
    except OSError as error:
        total.update(f"error {error.errno}\n".encode())
    else:
        total.update(f"file {content} {time}\n".encode())


def _add_other(total: "HASH", entry: os.DirEntry[str]) -> None:
    if not entry.is_symlink():
        total.update(b"special\n")
    elif os.path.exists(entry.path):
        raise UntraceableError(entry.path)
    else:
        total.update(b"broken link\n")
