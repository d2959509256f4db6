"""The last probe, for machines that tell nothing about blocked programs: it is quiet and uses no processor."""

import subprocess
import sys
import time
from collections.abc import Callable

from grader.run import proctree
from grader.run.probe import Answer

_QUIET_SECONDS = 0.05
_MOST_SECONDS_OF_PS = 10
_READY = (b"R", b"D", b"U")

ProcessorUse = Callable[[int], object]
"""Gives, for a process id, what `processor_use` gives."""


class QuietProbe:
    """Takes a program that has been still for some time as waiting. One that sleeps is mistaken for one that waits.

    Less than 50 ms is not usable: beside other work, a program that sleeps between two steps may get no processor for
    10 ms. One that is ready to run is never taken as still, however long it gets none.
    """

    def __init__(
        self,
        pid: int,
        terminal_fd: int,  # noqa: ARG002
        *,
        use: ProcessorUse | None = None,
        seconds: float = _QUIET_SECONDS,
    ) -> None:
        """It must be still for `seconds`. `use` looks at the use of the processor; default: this system's best way."""
        self._seconds = seconds
        self._pid = pid
        self._use = use or processor_use
        self._still_since = float("-inf")
        self._looked_at = 0.0
        self._used: object = None

    def look(self, idle_seconds: float) -> Answer:
        now = time.monotonic()
        if self._still_since < now - idle_seconds:
            return self._start_again()
        if now - self._still_since < self._seconds:
            return Answer.BUSY
        used = self._use(self._pid)
        if used is None or used != self._used:
            return self._start_again()
        return Answer.WAITING

    def hesitation(self) -> float:
        return time.monotonic() - self._looked_at

    def close(self) -> None:
        """Nothing is held open."""

    def _start_again(self) -> Answer:
        # To look may itself take longer than a program must be still.
        self._looked_at = time.monotonic()
        self._used = self._use(self._pid)
        self._still_since = time.monotonic()
        return Answer.BUSY


def processor_use(pid: int) -> object:
    """Return a value that changes as the program and its descendants use the processor; None if one is ready to."""
    return _ticks(pid) if sys.platform == "linux" else times_by_ps(pid)


def _ticks(pid: int) -> int | None:
    """Add up user and system time, in clock ticks: fields 3, 14 and 15 of proc_pid_stat(5)."""
    total = 0
    for process in proctree.descendants(pid):
        fields = proctree.read(f"{process}/stat").rpartition(b") ")[2].split()
        if not fields:
            continue
        if fields[0] in _READY:
            return None
        total += int(fields[11]) + int(fields[12])
    return total


def times_by_ps(pid: int) -> str | None:
    """Return what POSIX `ps` says about the processes of the program's group; None if the program has ended.

    None too if `ps` is not done in 10 seconds: then the machine is too busy for anything to be told.
    """
    command = ["ps", "-A", "-o", "pgid=,pid=,state=,time="]
    try:
        listing = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=_MOST_SECONDS_OF_PS
        ).stdout
    except subprocess.TimeoutExpired:
        return None
    own = [line.split() for line in listing.splitlines() if line.split()[:1] == [str(pid)]]
    if any(state[:1].encode() in _READY or (process == str(pid) and state[:1] == "Z") for _, process, state, _ in own):
        return None
    return "\n".join(" ".join(fields) for fields in own)
