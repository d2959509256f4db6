"""Replaces a file that other programs may write too: all of the new content is there or none, and no content is lost.

The new content is complete on the disk before it takes the name. Where the system can exchange two files, it is seen
after that whether another program wrote meanwhile; then its content gets the name back.
"""

import ctypes
import errno
import os
import stat
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

from grader.files.digest import content_digest

_UNFINISHED = ".grader-unfinished-"


_NEW = ".grader-new-"


_DIGITS = 16


_EXCHANGE = 2


_HERE = -100
"""Stands for the working folder, as AT_FDCWD does in C."""


def replace_file(file: Path, before: bytes | None, after: bytes) -> bool:
    """Give `file` the content `after`, if its content is still `before` (None: there is no such file).

    Returns whether that was so; if not, the file is left as it is. Only one at a time may do so: of two that exchange
    files at once, neither would know what is the other's. Raises OSError when the file cannot be written.
    """
    file = Path(os.path.realpath(file))
    new = _written(file, before, after)
    try:
        if before is None:
            return _placed(new, file)
        return _exchanged(new, file, before, after)
    finally:
        with suppress(FileNotFoundError):
            new.unlink()
        _keep(file.parent)


def clear_leftovers(folder: Path) -> list[Path]:
    """Remove what a writer that was killed left in `folder`; returns the files that may hold what is nowhere else."""
    left: list[Path] = []
    for file in sorted(folder.glob(f"{_UNFINISHED}*")):
        file.unlink(missing_ok=True)
    for file in sorted(folder.glob(f"{_NEW}*")):
        known = file.name.removeprefix(_NEW).split("-")[:2]
        if content_digest(file.read_bytes())[:_DIGITS] in known:
            file.unlink(missing_ok=True)
        else:
            left.append(file)
    return left


def _written(file: Path, before: bytes | None, after: bytes) -> Path:
    """A file beside `file` that holds `after`, on the disk."""
    unfinished = file.with_name(f"{_UNFINISHED}{uuid4().hex}")
    with unfinished.open("xb") as stream:
        with suppress(FileNotFoundError):
            os.fchmod(stream.fileno(), stat.S_IMODE(file.stat().st_mode))
        stream.write(after)
        stream.flush()
        os.fsync(stream.fileno())
    digests = (content_digest(content)[:_DIGITS] for content in (before or b"", after))
    new = file.with_name(f"{_NEW}{'-'.join(digests)}-{file.name}")
    unfinished.replace(new)
    return new


def _placed(new: Path, file: Path) -> bool:
    try:
        os.link(new, file)
    except FileExistsError:
        return False
    return True


def _exchanged(new: Path, file: Path, before: bytes, after: bytes) -> bool:
    if not _content_is(file, before):
        return False
    try:
        _exchange(new, file)
    except FileNotFoundError:
        return False
    except OSError as error:
        if error.errno not in (errno.ENOSYS, errno.EINVAL):
            raise
        new.replace(file)
        return True
    saved = new.read_bytes()
    if saved == before:
        return True
    # What another program saved gets the name back, and so does what it saves meanwhile.
    there = after
    while True:
        _exchange(new, file)
        found = new.read_bytes()
        if found == there:
            return False
        there, saved = saved, found


def _content_is(file: Path, content: bytes) -> bool:
    try:
        return file.read_bytes() == content
    except FileNotFoundError:
        return False


def _exchange(first: Path, second: Path) -> None:
    """Let two files exchange their names, at once. Raises OSError; with ENOSYS or EINVAL the system cannot do that."""
    rename = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if rename is None:
        raise OSError(errno.ENOSYS, "no renameat2")
    if rename(_HERE, os.fsencode(first), _HERE, os.fsencode(second), _EXCHANGE):
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code), str(second))


def _keep(folder: Path) -> None:
    """Have the names in a folder on the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
