"""Takes digests: one short text that stands for a value, a file or a whole folder.

Files may have been put in place by others, so they are opened without following links or waiting for pipes.
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
"""For reading: no link is followed and nothing is waited for, as far as the system knows how to ask for that."""


_LEAST_AT_ONCE, _MOST_AT_ONCE = 1 << 13, 1 << 20
_COMPILED = "__pycache__"


class UntraceableError(Exception):
    """A folder holds a link to something that exists: what it stands for cannot be told by looking at the folder."""


def digest(value: object) -> str:
    """The digest of a value made of dataclasses, mappings, sequences, frozen sets, texts, numbers, paths and None.

    Of dataclasses, the fields that are compared count. It is the same in every process. Raises TypeError for any other
    kind of value.
    """
    return text_digest(digested_text(value))


def digested_text(value: object) -> str:
    """The text of a value that `digest` is taken of; that of a list is made of those of its items. Raises TypeError."""
    return json.dumps(value, default=_plain, sort_keys=True, separators=(",", ":"))


def text_digest(text: str) -> str:
    """Return the digest of the value that has this text."""
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _plain(value: object) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        # What is not compared does not tell values apart, such as where a file is whose content is known.
        return {field.name: getattr(value, field.name) for field in fields(value) if field.compare}
    if isinstance(value, Decimal | Path):
        return [type(value).__name__.removeprefix("Posix"), str(value)]
    if isinstance(value, frozenset):
        return ["set", *sorted(digest(item) for item in value)]
    raise TypeError(f"a {type(value).__name__} has no digest")


def file_digest(file: str | Path) -> str:
    """Return the digest of the content of a regular file. Raises OSError when it is none or cannot be read."""
    return _content(file).hexdigest()


def read_regular_file(file: str | Path) -> bytes:
    """Return the content of a regular file. Raises OSError when it is none or cannot be read."""
    return b"".join(_pieces(file))


def read_named_file(file: Path) -> bytes:
    """Return the content of the regular file at a path that the user chose, which may be a link.

    Raises OSError, also when there is something else, such as a pipe that would be waited for.
    """
    path = Path(os.path.realpath(file))
    if not stat.S_ISREG(path.stat().st_mode):
        raise OSError(errno.EINVAL, "it is a folder, a pipe or a device", str(path))
    return read_regular_file(path)


def content_digest(content: bytes) -> str:
    """Return the digest that `file_digest` has for a file with this content."""
    return hashlib.sha256(content).hexdigest()


def _content(file: str | Path) -> "HASH":
    total = hashlib.sha256()
    for piece in _pieces(file):
        total.update(piece)
    return total


def _pieces(file: str | Path) -> Iterator[bytes]:
    """Read a regular file; a file object would call the system twice as often."""
    descriptor = os.open(file, READ)
    try:
        status = os.fstat(descriptor)
        # Neither a link nor a pipe may have taken the place of the file since the folder was listed.
        if not stat.S_ISREG(status.st_mode):
            raise OSError(f"{str(file)!r} is not a regular file")
        # The kernel's own files have no size.
        size = min(max(_LEAST_AT_ONCE, status.st_size + 1), _MOST_AT_ONCE)
        while piece := os.read(descriptor, size):
            yield piece
    finally:
        os.close(descriptor)


def folder_digest(folder: str | Path, *, times: bool = False) -> str:
    """Return the digest of everything in `folder`: names, kinds, contents and, if asked for, the times of files.

    What cannot be read counts as such. Nothing but a regular file is opened. Raises UntraceableError.
    """
    total = hashlib.sha256()
    _add_folder(total, os.fspath(folder), times=times)
    return total.hexdigest()


def _add_folder(total: "HASH", folder: str, *, times: bool) -> None:
    # A folder can be nested more deeply than functions.
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
