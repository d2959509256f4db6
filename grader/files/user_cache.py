"""The user's cache folder. Its content can be recreated, and is always separate from students' files.

grader/last-failed.json                the last results of tests, by program
grader/assignments/DIGEST.pickle       assignments as they were loaded
grader/packages/DIGEST/                packages of assignments, installed
"""

import os
from pathlib import Path


def user_cache() -> Path:
    """Return the cache folder, which is outside students' and courses' folders.

    Raises RuntimeError if the user has no home folder.
    """
    caches = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(caches) if caches else Path.home() / ".cache") / "grader"


def write_whole(file: Path, content: bytes) -> None:
    """Write `file` atomically. Raises OSError."""
    file.parent.mkdir(parents=True, exist_ok=True)
    new = file.with_name(f"{file.name}.{os.getpid()}")
    new.touch(mode=0o600)
    new.write_bytes(content)
    new.replace(file)
