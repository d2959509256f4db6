"""The files of a folder that was copied or built: which there are, and who may read them."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from grader.errors import SessionError


def regular_files(folder: Path, most_bytes: int) -> tuple[tuple[Path, str], ...]:
    """Return the regular files in `folder`: where each is and its relative name. Links are neither taken nor followed.

    Raises SessionError if they have more than `most_bytes` together.
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
    """Let the users of sandboxes read all in a folder, and execute what its owner may; the umask may deny it."""
    folder.chmod(0o755)
    for entry in _all_in(folder):
        if entry.is_dir(follow_symlinks=False):
            Path(entry.path).chmod(0o755)
        elif entry.is_file(follow_symlinks=False):
            mode = entry.stat(follow_symlinks=False).st_mode
            Path(entry.path).chmod(0o755 if mode & stat.S_IXUSR else 0o644)


def _all_in(folder: Path) -> Iterator[os.DirEntry[str]]:
    """Yield everything below a folder, however deep: `os.walk` of Python 3.11 ends at a thousand levels."""
    waiting = [str(folder)]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            listed = list(entries)
        yield from listed
        waiting += (entry.path for entry in listed if entry.is_dir(follow_symlinks=False))
