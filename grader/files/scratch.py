"""Temporary folders, removed when their program ends or, if it was killed, when the next program starts."""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_HELD = ".held"


@contextmanager
def scratch_folder(prefix: str) -> Iterator[str]:
    """Create a folder whose name begins with `prefix`, lock it, and remove it at the end. Raises OSError."""
    clear_abandoned(prefix)
    folder = tempfile.TemporaryDirectory(prefix=prefix, suffix=_HELD)
    descriptor = os.open(folder.name, os.O_RDONLY)
    try:
        with folder as name:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield name
    finally:
        os.close(descriptor)


def clear_abandoned(prefix: str) -> None:
    """Remove the folders of this user's killed programs, whose locks the kernel has released.

    An empty folder is kept, because its program may be about to lock it.
    """
    for abandoned in Path(tempfile.gettempdir()).glob(f"{prefix}*{_HELD}"):
        with suppress(OSError):
            descriptor = os.open(abandoned, os.O_RDONLY | os.O_NOFOLLOW | os.O_DIRECTORY)
            try:
                if os.fstat(descriptor).st_uid == os.getuid() and any(abandoned.iterdir()):
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(abandoned, ignore_errors=True)
            finally:
                os.close(descriptor)
