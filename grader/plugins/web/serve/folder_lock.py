"""Keeps a second program of the same kind out of a folder while the first one runs."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from grader.errors import GraderError, reported_as


class FolderTakenError(GraderError):
    """Another program is working in a folder that this one needs for itself."""


@contextmanager
def only_one(folder: Path, who: str) -> Iterator[None]:
    """Lock `folder`. The kernel releases the lock however this process ends.

    Raises FolderTakenError if `who` holds it in another process, or the folder cannot be opened.
    """
    with reported_as(FolderTakenError, f"{folder} cannot be opened"):
        descriptor = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise FolderTakenError(
                f"Another {who} has {folder} open: go to its address, or end it before you start a new one."
            ) from None
        yield
    finally:
        os.close(descriptor)
