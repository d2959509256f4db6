"""Locks a folder against programs that would disturb each other, such as a second server, or `grader forget`."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from grader.errors import GraderError, reported_as


class FolderTakenError(GraderError):
    """Another program has locked a folder, or the folder cannot be opened."""


@contextmanager
def folder_lock(folder: Path, taken: str, *, shared: bool = False) -> Iterator[None]:
    """Lock `folder`, exclusively or `shared`. The kernel releases the lock when this process ends.

    Raises FolderTakenError, with the message `taken` if another process holds the lock.
    """
    with reported_as(FolderTakenError, f"{folder} cannot be opened"):
        descriptor = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            raise FolderTakenError(taken) from None
        yield
    finally:
        os.close(descriptor)
