"""Lists the regular files of a copied or built folder, and makes them readable."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from grader.errors import SessionError


def regular_files(folder: Path, most_bytes: int) -> tuple[tuple[Path, str], ...]:
    """Return the path and relative name of each regular file in `folder`. Links are skipped.

    Raises SessionError if they exceed `most_bytes` in total.
    """
    regular = []
    for entry in _all_in(folder):
        if entry.is_file(follow_symlinks=False):
            regular.append((Path(entry.path), os.path.relpath(entry.path, folder)))
            most_bytes -= entry.stat(follow_symlinks=False).st_size
    if most_bytes < 0:
        raise SessionError("The files that were built cannot be kept: they are too large")
    return tuple(regular)


def let_everyone_read(folder: Path) -> None:
    """Allow sandbox users to read everything in a folder, and to execute what its owner may execute.

    The umask may have denied that.
    """
    folder.chmod(0o755)
    for entry in _all_in(folder):
        if entry.is_dir(follow_symlinks=False):
            Path(entry.path).chmod(0o755)
        elif entry.is_file(follow_symlinks=False):
            mode = entry.stat(follow_symlinks=False).st_mode
            Path(entry.path).chmod(0o755 if mode & stat.S_IXUSR else 0o644)


def _all_in(folder: Path) -> Iterator[os.DirEntry[str]]:
    """Yield everything below a folder at any depth. In Python 3.11, `os.walk` fails below a thousand levels."""
    waiting = [str(folder)]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            listed = list(entries)
        yield from listed
        waiting += (entry.path for entry in listed if entry.is_dir(follow_symlinks=False))
