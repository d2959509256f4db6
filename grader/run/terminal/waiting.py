"""Decides when to type: probes that tell whether a program waits for input, and in which order they are asked.

Two of them are here, for machines that do not show system calls: one looks at the kernel function a thread sleeps in,
the other takes a program as waiting that is quiet and uses no processor. The best one is in `waiting_syscall`.
"""

import os
import select
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from enum import Enum, auto
from typing import Protocol

from grader.run.process import tree

_READING_TERMINAL = b"wait_woken"
_MANY_DESCRIPTORS = (b"poll", b"select")
_RUNNING_OR_HIDDEN = (b"0", b"")
_QUIET_SECONDS = 0.05
_MOST_SECONDS_OF_PS = 10
_READY = (b"R", b"D", b"U")


class WaitState(Enum):
    """WAITING: the program has read all we typed and is blocked until there is more.

    BUSY: it computes, sleeps, prints or has not yet read what we typed.
    UNKNOWN: this probe cannot tell; another one may.
    """

    WAITING = auto()
    BUSY = auto()
    UNKNOWN = auto()


class WaitProbe(Protocol):
    """Looks at one program, from its start to its end."""

    def look(self, idle_seconds: float, /) -> WaitState:
        """Answer for this moment; `idle_seconds` have passed since we last typed something or saw output."""

    def hesitation(self) -> float:
        """For how many seconds the program already waited for us when it was last answered that it does."""

    def close(self) -> None:
        """Give back what the probe holds open."""


ProbeMaker = Callable[[int, int], WaitProbe]
"""Makes a probe from the process id of the program and a descriptor of its end of the terminal."""


class FirstToKnow:
    """Asks probes in order of preference, and answers what the first says that can tell."""

    def __init__(self, probes: Sequence[WaitProbe]) -> None:
        self._probes = probes
        self._last_sure: WaitProbe | None = None

    def look(self, idle_seconds: float) -> WaitState:
        """Return the first sure answer, UNKNOWN when no probe can tell."""
        for probe in self._probes:
            answer = probe.look(idle_seconds)
            if answer is not WaitState.UNKNOWN:
                self._last_sure = probe
                return answer
        return WaitState.UNKNOWN

    def hesitation(self) -> float:
        """That of the probe that was sure last."""
        return self._last_sure.hesitation() if self._last_sure else 0.0

    def close(self) -> None:
        """Close every probe."""
        for probe in self._probes:
            probe.close()


class WchanProbe:
    """Takes a thread that sleeps in the function terminals wait in for a reader.

    Sockets wait there too, and which descriptors a poll is about cannot be seen: then the answer is UNKNOWN.
    """

    def __init__(self, pid: int, terminal_fd: int) -> None:
        self._pid = pid
        self._typed = select.poll()
        self._typed.register(terminal_fd, select.POLLIN)

    def look(self, _idle_seconds: float) -> WaitState:
        """WAITING when a thread sleeps in that function and nothing typed is left to read."""
        if not os.path.exists("/proc/self/wchan"):
            return WaitState.UNKNOWN
        if self._typed.poll(0):
            return WaitState.BUSY
        answers = {_thread_state(pid, tid) for pid in tree.descendants(self._pid) for tid in tree.threads(pid)}
        for answer in (WaitState.WAITING, WaitState.UNKNOWN):
            if answer in answers:
                return answer
        return WaitState.BUSY

    def hesitation(self) -> float:
        """It is seen at once."""
        return 0.0

    def close(self) -> None:
        """Nothing is held open."""


def _thread_state(pid: int, tid: int) -> WaitState:
    folder = f"{pid}/task/{tid}"
    place = tree.read(f"{folder}/wchan")
    if place == _READING_TERMINAL:
        return WaitState.WAITING
    if any(word in place for word in _MANY_DESCRIPTORS):
        return WaitState.UNKNOWN
    if place in _RUNNING_OR_HIDDEN:
        return WaitState.UNKNOWN if tree.stat_fields(folder)[:1] == [b"S"] else WaitState.BUSY
    return WaitState.BUSY


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
        _terminal_fd: int,
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

    def look(self, idle_seconds: float) -> WaitState:
        """WAITING when the program has been still for long enough; never UNKNOWN."""
        now = time.monotonic()
        if self._still_since < now - idle_seconds:
            return self._start_again()
        if now - self._still_since < self._seconds:
            return WaitState.BUSY
        used = self._use(self._pid)
        if used is None or used != self._used:
            return self._start_again()
        return WaitState.WAITING

    def hesitation(self) -> float:
        """Since it was seen to be still for the first time."""
        return time.monotonic() - self._looked_at

    def close(self) -> None:
        """Nothing is held open."""

    def _start_again(self) -> WaitState:
        # To look may itself take longer than a program must be still.
        self._looked_at = time.monotonic()
        self._used = self._use(self._pid)
        self._still_since = time.monotonic()
        return WaitState.BUSY


def processor_use(pid: int) -> object:
    """Return a value that changes as the program and its descendants use the processor; None if one is ready to."""
    return _processor_ticks(pid) if sys.platform == "linux" else times_by_ps(pid)


def _processor_ticks(pid: int) -> int | None:
    """Add up user and system time, in clock ticks: fields 3, 14 and 15 of proc_pid_stat(5)."""
    total = 0
    for process in tree.descendants(pid):
        fields = tree.stat_fields(str(process))
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
    rows = [line.split() for line in listing.splitlines() if line.split()[:1] == [str(pid)]]
    if any(state[:1].encode() in _READY or (process == str(pid) and state[:1] == "Z") for _, process, state, _ in rows):
        return None
    return "\n".join(" ".join(fields) for fields in rows)
