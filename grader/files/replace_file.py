"""Replaces a file that other programs may also write, atomically and without losing content.

The new content is completely on disk before it gets the name. Where the system can exchange two files, a check
afterwards detects whether another program wrote in the meantime, and if so, that program's content gets the name back.
Where the system has leases, a file that another program has open for writing is not replaced, because later writes by
that program would go to an unnamed file.
"""

import ctypes
import errno
import fcntl
import os
import shutil
import signal
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

from grader.files.digest import READ, content_digest

NEW = ".grader-new-"
"""The name of a prepared file begins with this, and with the digests of both contents."""

DIGITS = 16
_UNFINISHED = ".grader-unfinished-"
_EXCHANGE = 2
_WRITABLE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH
_SETSIG = getattr(fcntl, "F_SETSIG", 10)
_HERE = -100
"""The working directory, AT_FDCWD in C."""


def replace_file(file: Path, before: bytes | None, after: bytes, announce: Callable[[], None]) -> bool:
    """Give `file` the content `after` if its content is still `before` (None if the file does not exist).

    `announce` is called once the content is on disk, just before it gets the name. Returns whether the file was
    replaced. If not, another program wrote it or has it open for writing, and it is left unchanged. Only one caller at
    a time may do this, because two callers that exchange files at once could not tell whose content is whose. Raises
    OSError if the file cannot be written, or would get a different owner.
    """
    file = Path(os.path.realpath(file))
    new = _written(file, before, after)
    try:
        _keep(file.parent)
        announce()
        if before is None:
            return _placed(new, file)
        with held_file(file) as is_wanted:
            return _exchanged(new, file, (before, after), is_wanted)
    except (FileNotFoundError, BlockingIOError):
        return False
    finally:
        with suppress(FileNotFoundError):
            new.unlink()
        _keep(file.parent)


def put_in_place(new: Path, place: Path) -> None:
    """Give a file or folder the name `place`, and its previous holder the name `new`, atomically if possible.

    Raises OSError.
    """
    try:
        _exchange(new, place)
    except FileNotFoundError:
        new.replace(place)
    except OSError as error:
        if error.errno not in (errno.ENOSYS, errno.EINVAL):
            raise
        with suppress(FileNotFoundError):
            place.replace(new.with_name(f"{new.name}.before"))
        new.replace(place)


def clear_leftovers(folder: Path) -> list[Path]:
    """Remove the leftovers of killed writers in `folder`; return files whose content may not exist anywhere else."""
    remaining: list[Path] = []
    for file in sorted(folder.glob(f"{_UNFINISHED}*")):
        file.unlink(missing_ok=True)
    for file in sorted(folder.glob(f"{NEW}*")):
        parts = file.name.removeprefix(NEW).split("-")[:2]
        if content_digest(file.read_bytes())[:DIGITS] in parts:
            file.unlink(missing_ok=True)
        else:
            remaining.append(file)
    return remaining


def _written(file: Path, before: bytes | None, after: bytes) -> Path:
    """Write `after` to a new file next to `file` with the same owner and permissions, and wait until it is on disk."""
    unfinished = file.with_name(f"{_UNFINISHED}{uuid4().hex}")
    try:
        with unfinished.open("xb") as stream:
            with suppress(FileNotFoundError):
                _keep_access(file, stream.fileno())
                shutil.copystat(file, unfinished)
            stream.write(after)
            stream.flush()
            os.fsync(stream.fileno())
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise
    digests = (content_digest(content)[:DIGITS] for content in (before or b"", after))
    new = file.with_name(f"{NEW}{'-'.join(digests)}-{file.name}")
    unfinished.replace(new)
    return new


def _keep_access(file: Path, new: int) -> None:
    """Give a new file the owner and group of `file`, or at least the group if the owner cannot be changed.

    Raises PermissionError if `file` is read-only, even for root, or if the group cannot be kept.
    """
    old_status, new_status = file.stat(), os.fstat(new)
    if not old_status.st_mode & _WRITABLE or not os.access(file, os.W_OK):
        raise PermissionError(errno.EACCES, "it is read-only", str(file))
    if (old_status.st_uid, old_status.st_gid) == (new_status.st_uid, new_status.st_gid):
        return
    try:
        os.fchown(new, old_status.st_uid, old_status.st_gid)
    except PermissionError:
        if old_status.st_gid != new_status.st_gid:
            os.fchown(new, -1, old_status.st_gid)


@contextmanager
def held_file(file: Path) -> Iterator[Callable[[], bool]]:
    """Make programs that open `file` for writing wait; yield a function that returns whether any program is waiting.

    Raises BlockingIOError if a program has it open, and OSError if it cannot be opened. Nothing is blocked where the
    system does not have leases, or does not allow them for other users' files.
    """
    descriptor = os.open(file, READ)
    try:
        is_leased = _leased(descriptor)
        yield lambda: is_leased and fcntl.fcntl(descriptor, fcntl.F_GETLEASE) != fcntl.F_RDLCK
    finally:
        os.close(descriptor)


def _leased(descriptor: int) -> bool:
    if not hasattr(fcntl, "F_SETLEASE"):
        return False
    try:
        # The kernel sends this signal when a program starts to wait; SIGWINCH is harmless.
        fcntl.fcntl(descriptor, _SETSIG, signal.SIGWINCH)
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    except BlockingIOError:
        raise
    except OSError:
        return False
    return True


def _placed(new: Path, file: Path) -> bool:
    try:
        os.link(new, file)
    except FileExistsError:
        return False
    return True


def _exchanged(new: Path, file: Path, contents: tuple[bytes, bytes], is_wanted: Callable[[], bool]) -> bool:
    before, after = contents
    if file.read_bytes() != before:
        return False
    try:
        _exchange(new, file)
    except OSError as error:
        if error.errno not in (errno.ENOSYS, errno.EINVAL):
            raise
        new.replace(file)
        return True
    saved = new.read_bytes()
    if saved == before and not is_wanted():
        return True
    # Content that another program has saved, or is saving, gets the name back.
    present = after
    while True:
        _exchange(new, file)
        new_content = new.read_bytes()
        if new_content == present:
            return False
        present, saved = saved, new_content


def _exchange(first: Path, second: Path) -> None:
    """Exchange two files atomically. Raises OSError, with ENOSYS or EINVAL if the system does not support this."""
    rename = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if rename is None:
        raise OSError(errno.ENOSYS, "no renameat2")
    if rename(_HERE, os.fsencode(first), _HERE, os.fsencode(second), _EXCHANGE):
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code), str(second))


def _keep(folder: Path) -> None:
    """Wait until the names in a folder are on disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
