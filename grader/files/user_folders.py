"""Folders that are a user's alone: those about students, and the cache.

What the grader keeps in the cache can be made anew, and is never beside students' files.

grader/last-failed.json                the tests that failed, by program
grader/assignments/DIGEST.pickle       assignments as they were loaded
grader/packages/DIGEST/                packages of assignments, installed
"""

import os
from pathlib import Path


def user_cache() -> Path:
    """The folder for what is remembered, outside those of students and courses. Raises RuntimeError without a home."""
    caches = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(caches) if caches else Path.home() / ".cache") / "grader"


def write_whole(file: Path, content: bytes) -> None:
    """Write `file` so that it is either the old or the new one at any moment. Raises OSError."""
    file.parent.mkdir(parents=True, exist_ok=True)
    new = file.with_name(f"{file.name}.{os.getpid()}")
    new.touch(mode=0o600)
    new.write_bytes(content)
    new.replace(file)


def private_folder(folder: Path) -> None:
    """Make a folder and those around it; what is made is the owner's alone, what is there stays as it is.

    Raises OSError.
    """
    if folder.is_dir():
        return
    private_folder(folder.parent)
    # A umask can only take more away.
    folder.mkdir(mode=0o700, exist_ok=True)
