"""Creates a session's private folder with copies of the files it needs, and removes it afterwards."""

import errno
import os
import shutil
import stat
import tempfile
import time
from codecs import BOM_UTF8
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path, PurePosixPath

from grader.errors import SessionError, reported_as
from grader.files.digest import READ
from grader.time_limit import TimeLimit

_SECONDS_TO_END = 10.0
_SECONDS_BETWEEN_TRIES = 0.001


@contextmanager
def workspace(sources: Sequence[tuple[Path, str]], parent: Path) -> Iterator[Path]:
    """Yield a fresh folder below `parent` that holds a copy of each file under the given relative name.

    Only regular files are copied, because a link could lead to a file that the program must not see. All copies are
    executable, because archives and downloads lose that permission. The byte order mark of a Java file is removed,
    because javac rejects it. The folder is removed afterwards, with everything that the program created in it. Raises
    SessionError if a file cannot be copied, a name leads out of the folder, or something cannot be removed.
    """
    folder = Path(tempfile.mkdtemp(prefix="session-", dir=parent)).resolve()
    try:
        for file, name in sources:
            _copy_file(file, _path_inside(folder, name))
        yield folder
    finally:
        remove_folder(folder)


def remove_folder(folder: Path) -> None:
    """Remove a folder that may contain read-only folders, and folders nested too deep for a path.

    Inner folders are moved out before they are emptied, so that paths never get long. Killed processes may still add
    and remove files for a moment. Raises SessionError if anything remains.
    """
    spare = (folder.with_name(f"{folder.name}.{number}") for number in count())
    limit = TimeLimit(_SECONDS_TO_END)
    waiting = [folder]
    with reported_as(SessionError, f"cannot remove {str(folder)!r}"):
        while waiting:
            current = waiting.pop()
            os.chmod(current, stat.S_IRWXU)
            with os.scandir(current) as entries:
                listed = list(entries)
            for entry in listed:
                with suppress(FileNotFoundError):
                    waiting += _removed_or_moved(entry, spare)
            try:
                os.rmdir(current)
            except OSError as error:
                if error.errno != errno.ENOTEMPTY or limit.is_over():
                    raise
                time.sleep(_SECONDS_BETWEEN_TRIES)
                waiting.append(current)


def _removed_or_moved(entry: os.DirEntry[str], spare: Iterator[Path]) -> list[Path]:
    """Remove a file or an empty folder; move any other folder to the next free name, and return it."""
    if not entry.is_dir(follow_symlinks=False):
        os.unlink(entry.path)
        return []
    if _remove_empty(entry.path):
        return []
    os.chmod(entry.path, stat.S_IRWXU)
    moved = next(spare)
    os.rename(entry.path, moved)
    return [moved]


def _remove_empty(folder: str) -> bool:
    """Remove an empty folder, as most are when a program creates many; return whether that succeeded."""
    try:
        os.rmdir(folder)
    except OSError:
        return False
    return True


def _path_inside(folder: Path, name: str) -> Path:
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or not path.parts:
        raise SessionError(f"{name!r} is not the name of a file inside the folder of a program")
    return folder / path


def _copy_file(source: Path, target: Path) -> None:
    with reported_as(SessionError, f"cannot copy {str(source)!r}"):
        descriptor = os.open(source, READ)
        with os.fdopen(descriptor, "rb") as reader:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise SessionError(f"{str(source)!r} is not a regular file")
            target.parent.mkdir(parents=True, exist_ok=True)
            if target.suffix == ".java" and reader.read(len(BOM_UTF8)) != BOM_UTF8:
                reader.seek(0)
            with target.open("xb") as writer:
                shutil.copyfileobj(reader, writer)
            target.chmod(0o755)
            wait_until_executable(target)


def wait_until_executable(file: Path) -> None:
    """Wait until no file is open for writing, because the kernel refuses to execute a "busy" file.

    A program that another thread started during the writing has the file open until its own exec. A read lease is only
    granted without writers (see fcntl(2)); on a file system without leases, this does not wait.
    """
    try:
        import fcntl
    except ImportError:
        return
    if not hasattr(fcntl, "F_SETLEASE"):
        return
    limit = TimeLimit(_SECONDS_TO_END)
    with file.open("rb") as reader:
        while not limit.is_over():
            try:
                fcntl.fcntl(reader, fcntl.F_SETLEASE, fcntl.F_RDLCK)
            except BlockingIOError:
                time.sleep(_SECONDS_BETWEEN_TRIES)
            except OSError:
                return
            else:
                fcntl.fcntl(reader, fcntl.F_SETLEASE, fcntl.F_UNLCK)
                return
