"""Probes that detect whether a program is waiting for input, and the order in which they are asked.

This module contains two probes for machines that do not show system calls: one checks the kernel function in which a
thread sleeps, and the other assumes that a quiet program that uses no processor time is waiting. The best probe is in
`waiting_syscall`.
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
_MAX_SECONDS_OF_PS = 10
_READY = (b"R", b"D", b"U")


class WaitState(Enum):
    """WAITING: the program has read everything typed so far and is blocked until there is more.

    BUSY: it computes, sleeps, prints or has not yet read what we typed.
    UNKNOWN: this probe cannot tell; another one may.
    """

    WAITING = auto()
    BUSY = auto()
    UNKNOWN = auto()


class WaitProbe(Protocol):
    """Observes a program from its start to its end."""

    def look(self, idle_seconds: float, /) -> WaitState:
        """Return the current state; `idle_seconds` have passed since the last typed text or output."""

    def hesitation(self) -> float:
        """Return how many seconds the program had already been waiting when `look` last returned WAITING."""

    def close(self) -> None:
        """Release the probe's resources."""


ProbeMaker = Callable[[int, int], WaitProbe]
"""A function that creates a probe from the program's process id and a descriptor of its end of the terminal."""


class FirstToKnow:
    """A probe that asks others in order of preference and returns the first definite answer."""

    def __init__(self, probes: Sequence[WaitProbe]) -> None:
        self._probes = probes
        self._last_sure: WaitProbe | None = None

    def look(self, idle_seconds: float) -> WaitState:
        """Return the first definite answer, or UNKNOWN if no probe can tell."""
        for probe in self._probes:
            answer = probe.look(idle_seconds)
            if answer is not WaitState.UNKNOWN:
                self._last_sure = probe
                return answer
        return WaitState.UNKNOWN

    def hesitation(self) -> float:
        """Return the hesitation of the probe that gave the last definite answer."""
        return self._last_sure.hesitation() if self._last_sure else 0.0

    def close(self) -> None:
        """Close every probe."""
        for probe in self._probes:
            probe.close()


class WchanProbe:
    """A probe that looks for a thread asleep in the kernel function in which terminal readers wait.

    Sockets use the same function, and the descriptors of a poll are not visible, in which case the answer is UNKNOWN.
    """

    def __init__(self, pid: int, terminal_fd: int) -> None:
        self._pid = pid
        self._typed = select.poll()
        self._typed.register(terminal_fd, select.POLLIN)

    def look(self, _idle_seconds: float) -> WaitState:
        """Return WAITING if a thread sleeps in that function and all typed text has been read."""
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
        """Return 0, because this probe detects waiting at once."""
        return 0.0

    def close(self) -> None:
        """Do nothing, because nothing is open."""


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
"""A replacement for `processor_use`."""


class QuietProbe:
    """A probe that considers a program to be waiting once it has been idle for some time, even if it only sleeps.

    Less than 50 ms is too short, because on a busy machine, a program that sleeps between two steps may not get a
    processor for 10 ms. A program that is ready to run never counts as idle, however long it has to wait for a
    processor.
    """

    def __init__(
        self, pid: int, _terminal_fd: int, *, use: ProcessorUse | None = None, seconds: float = _QUIET_SECONDS
    ) -> None:
        """Require `seconds` of idleness. `use` measures processor use, by default in the best way for this system."""
        self._seconds = seconds
        self._pid = pid
        self._use = use or processor_use
        self._still_since = float("-inf")
        self._looked_at = 0.0
        self._used: object = None

    def look(self, idle_seconds: float) -> WaitState:
        """Return WAITING if the program has been idle for long enough; never UNKNOWN."""
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
        """Return the seconds since the program was first seen idle."""
        return time.monotonic() - self._looked_at

    def close(self) -> None:
        """Do nothing, because nothing is open."""

    def _start_again(self) -> WaitState:
        # Measuring may itself take longer than the required idle time.
        self._looked_at = time.monotonic()
        self._used = self._use(self._pid)
        self._still_since = time.monotonic()
        return WaitState.BUSY


def processor_use(pid: int) -> object:
    """Return a value that changes as the program and its descendants use the processor; None if any is ready to run."""
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
    """Return the output of POSIX `ps` on the process group; None if a process is ready to run or the program ended.

    Also returns None if `ps` takes more than 10 seconds, because the machine is then too busy to tell.
    """
    command = ["ps", "-A", "-o", "pgid=,pid=,state=,time="]
    try:
        listing = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=_MAX_SECONDS_OF_PS
        ).stdout
    except subprocess.TimeoutExpired:
        return None
    rows = [line.split() for line in listing.splitlines() if line.split()[:1] == [str(pid)]]
    if any(state[:1].encode() in _READY or (process == str(pid) and state[:1] == "Z") for _, process, state, _ in rows):
        return None
    return "\n".join(" ".join(fields) for fields in rows)
