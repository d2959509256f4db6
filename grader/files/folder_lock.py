"""Keeps programs that would disturb each other out of a folder: a class is marked by one server, and not forgotten."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from grader.errors import GraderError, reported_as


class FolderTakenError(GraderError):
    """Another program is working in a folder that this one needs for itself."""


@contextmanager
def folder_lock(folder: Path, taken: str, *, shared: bool = False) -> Iterator[None]:
    """Lock `folder`, or share it with other programs that do. The kernel ends the lock with this process.

    Raises FolderTakenError, with the words `taken` if another process holds the lock.
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
