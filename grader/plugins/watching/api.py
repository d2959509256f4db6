"""Checks a submission with the public tests of a course after every save."""

from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event

from grader.selfcheck.check import SelfCheck
from grader.selfcheck.watching import WatchedRun, watch_saves

# The interval for file systems that do not report changes, such as network file systems.
_POLL_MILLISECONDS = 1000


def watch(prepared: SelfCheck, report: Callable[[WatchedRun], None], cancelled: Event | None = None) -> None:
    """Check now and after every save, and `report` each finished run, until `cancelled` is set or the caller stops.

    `report` is called in another thread. Raises CheckError if the files cannot be read.
    """
    watch_saves(prepared, report, _saves(prepared.path, cancelled))


def _saves(path: Path, cancelled: Event | None) -> Iterator[object]:
    """Yield immediately, after every change in the folder, and from time to time."""
    yield None
    # A single check does not need this module.
    from watchfiles import watch as watch_files

    folder = path if path.is_dir() else path.parent
    yield from watch_files(
        folder,
        watch_filter=None,
        recursive=False,
        rust_timeout=_POLL_MILLISECONDS,
        yield_on_timeout=True,
        stop_event=cancelled,
    )
