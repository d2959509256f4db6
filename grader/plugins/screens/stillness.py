"""Decides when a program that wakes by itself waits for a key: once its screen has been still for some time.

Such a program polls its input with a timeout, or sleeps before it looks at its input again. Its screen is compared
only while it is blocked, because it may be half drawn at any other time. A clock or an animation that changes the
screen every second or faster never keeps still, however busy the machine is, so no frame depends on chance.
"""

import platform
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from grader.run.process import tree
from grader.run.terminal.waiting import WaitState
from grader.run.terminal.waiting_syscall import LONGEST_TIMER, SyscallProbe

_STILL_SECONDS = 1.2
_MIN_POLLS = 2
# A program that sleeps may also be at work, so it is seen asleep more often.
_MIN_SLEEPS = 5
_IDLE_SECONDS = 0.01
_SLEEPING = {"x86_64": (b"35", b"230"), "aarch64": (b"101", b"115")}
"""The numbers of the system calls nanosleep and clock_nanosleep."""
_SWITCHES = b"voluntary_ctxt_switches:"


@dataclass(frozen=True)
class ScreenState:
    """The compared part of the screen, the size of all output so far, its latest bytes, and the number of keys."""

    text: str
    size: int
    latest: bytes
    keys: int


@dataclass(frozen=True)
class _StillScreen:
    """A screen that has not changed `since` a time, seen `looks` times; `state` and `blocks` are of the last time.

    `blocks` counts how often the program has been blocked.
    """

    state: ScreenState
    blocks: int
    since: float
    looks: int = 0


class StillnessProbe(SyscallProbe):
    """A probe for programs that draw. `screen` reads the program's output, and returns the state of the screen."""

    def __init__(self, pid: int, program_fd: int, *, screen: Callable[[], ScreenState]) -> None:
        """Take the arguments of SyscallProbe, and the screen."""
        super().__init__(pid, program_fd)
        self._screen = screen
        self._still: _StillScreen | None = None

    def look(self, idle_seconds: float) -> WaitState:
        """Return WAITING also if the program keeps sleeping, has no unread input, and its screen keeps still."""
        answer = super().look(idle_seconds)
        if answer is not WaitState.BUSY or self._typed.poll(0):
            return answer
        is_still = self._sleeps() and self._keeps_still(self._pid, self._sleeps, _MIN_SLEEPS)
        return WaitState.WAITING if is_still else answer

    def _is_past_timer(self, _idle_seconds: float, /) -> bool:
        reader = self._last_reader
        if reader is None or reader.patience > LONGEST_TIMER:
            return True
        return self._keeps_still(reader.tid, lambda: self._ask_last_reader() is WaitState.WAITING, _MIN_POLLS)

    def _sleeps(self) -> bool:
        """Return whether the only thread of the program sleeps."""
        call = tree.read(f"{self._pid}/syscall").partition(b" ")[0]
        return (
            call in _SLEEPING.get(platform.machine(), ())
            and tree.threads(self._pid) == [self._pid]
            and list(tree.descendants(self._pid)) == [self._pid]
        )

    def _keeps_still(self, tid: int, is_blocked: Callable[[], bool], fewest: int) -> bool:
        """Return whether the screen has been the same for long enough each time that a thread was blocked."""
        blocks = _blocks_of(tid)
        state = self._screen()
        now = time.monotonic()
        if not is_blocked() or _blocks_of(tid) != blocks:
            return False
        still = self._still
        if still is None or (state.text, state.keys) != (still.state.text, still.state.keys):
            still = _StillScreen(state, blocks, now)
        elif blocks != still.blocks:
            looks = still.looks + _repeats(still.state, state, blocks - still.blocks)
            still = replace(still, state=state, blocks=blocks, looks=looks)
        self._still = still
        self._hesitation = now - still.since
        return self._hesitation >= _STILL_SECONDS and still.looks >= fewest


def _blocks_of(tid: int) -> int:
    """Return how often a thread has given up its processor by itself."""
    lines = tree.read(f"{tid}/status").splitlines()
    return next((int(line.removeprefix(_SWITCHES)) for line in lines if line.startswith(_SWITCHES)), 0)


def _repeats(before: ScreenState, after: ScreenState, blocks: int) -> bool:
    """Return whether the program did the same each time that it was awake between two looks.

    An animation whose screens return periodically is so recognised although not every screen is seen.
    """
    size = after.size - before.size
    if blocks == 1 or not size:
        return True
    output = after.latest[-size:]
    return len(output) == size and size % blocks == 0 and output == output[: size // blocks] * blocks
