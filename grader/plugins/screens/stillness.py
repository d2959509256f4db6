"""Decides when a program that wakes by itself waits for a key: once its screen has been still for some time.

Such a program polls its input with a timeout, or sleeps before it looks at its input again. Its screen is compared
only while it is blocked, because it may be half drawn at any other time. A busy machine may show few of these moments.
So only what the program did counts: it has drawn the same screen again at least 1.2 seconds after it was first seen
blocked, and all that it printed in between repeats. A clock or an animation that changes the screen every second or
faster never keeps still, so no frame depends on chance.
"""

import platform
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from grader.plugins.screens.watched_screen import ScreenState, WatchedScreen
from grader.run.process import tree
from grader.run.terminal.waiting import WaitState
from grader.run.terminal.waiting_syscall import LONGEST_TIMER, SyscallProbe

_STILL_SECONDS = 1.2
_MAX_ALLOWED_SECONDS = 6.0
"""The time limit is extended by this much for each key while the screen is watched."""
_MIN_POLLS = 2
# A program that sleeps may also be at work, so it is seen asleep more often.
_MIN_SLEEPS = 5
_SLEEPING = {"x86_64": (b"35", b"230"), "aarch64": (b"101", b"115")}
"""The numbers of the system calls nanosleep and clock_nanosleep."""
_LEAST_WAKES = 75
"""The least part of the times that a program is blocked, in percent, in which it waits for a key or sleeps."""
_SWITCHES = b"voluntary_ctxt_switches:"


@dataclass(frozen=True, kw_only=True)
class _StillScreen:
    """A screen that has not changed `since` a time, and was last `seen` at another; `state` and `blocks` are of then.

    `blocks` counts how often the program has been blocked. It has woken `wakes` times, the last time after `drawn`, and
    printed `unit` each time.
    """

    state: ScreenState
    blocks: int
    since: float
    seen: float
    drawn: float
    wakes: int = 0
    unit: bytes = b""
    allowed: float = 0.0


class StillnessProbe(SyscallProbe):
    """A probe for programs that draw. `screen` reads the program's output, and returns the state of the screen."""

    def __init__(self, pid: int, program_fd: int, *, screen: WatchedScreen) -> None:
        """Take the arguments of SyscallProbe, and the screen."""
        super().__init__(pid, program_fd)
        self._screen = screen
        self._still: _StillScreen | None = None

    def look(self, idle_seconds: float) -> WaitState:
        """Return WAITING also if the program keeps sleeping, has no unread input, and its screen keeps still."""
        self._screen.release()
        answer = super().look(idle_seconds)
        if answer is not WaitState.BUSY or self._typed.poll(0):
            return answer
        is_still = self._sleeps() and self._keeps_still(self._pid, self._sleeps, _MIN_SLEEPS)
        return WaitState.WAITING if is_still else answer

    def _is_past_timer(self, _idle_seconds: float, /) -> bool:
        reader = self._last_reader
        if reader is None:
            return True
        if reader.patience > LONGEST_TIMER:
            return self._waits_long(reader.tid)
        return self._keeps_still(reader.tid, self._reads, _MIN_POLLS)

    def _reads(self) -> bool:
        return self._ask_last_reader() is WaitState.WAITING

    def _waits_long(self, tid: int) -> bool:
        """Return whether the timeout of a reader is long, also if it is read again while the reader is blocked.

        It is in the memory of the program, which holds something else as soon as the program wakes.
        """
        blocks = _blocks_of(tid)
        is_long = self._reads() and self._last_reader is not None and self._last_reader.patience > LONGEST_TIMER
        return is_long and _blocks_of(tid) == blocks

    def _sleeps(self) -> bool:
        """Return whether the only thread of the program sleeps."""
        call = tree.read(f"{self._pid}/syscall").partition(b" ")[0]
        return (
            call in _SLEEPING.get(platform.machine(), ())
            and tree.threads(self._pid) == [self._pid]
            and list(tree.descendants(self._pid)) == [self._pid]
        )

    def _keeps_still(self, tid: int, is_blocked: Callable[[], bool], fewest: int) -> bool:
        """Return whether the screen has been the same for long enough each time that a thread was blocked.

        The next frame is then this screen, because the program may wake and draw at once.
        """
        blocks, now = _blocks_of(tid), time.monotonic()
        output = self._screen.read()
        is_certain = output is not None and is_blocked() and _blocks_of(tid) == blocks
        self._screen.draw(output or ())
        if not is_certain:
            return False
        state = self._screen.state(self._still.state.size if self._still else 0)
        still = self._still = self._allow(_after(self._still, state, blocks, now))
        is_still = still.drawn - still.since >= _STILL_SECONDS and still.wakes >= fewest
        if is_still:
            self._hesitation = now - still.since - still.allowed
            self._screen.hold(still.state.text)
        return is_still

    def _allow(self, still: _StillScreen) -> _StillScreen:
        """Extend the time limit by the time in which the screen was watched."""
        more = min(still.seen - still.since, _MAX_ALLOWED_SECONDS) - still.allowed
        if more <= 0:
            return still
        self._screen.allow(more)
        return replace(still, allowed=still.allowed + more)


def _after(still: _StillScreen | None, state: ScreenState, blocks: int, now: float) -> _StillScreen:
    """Return the still screen after another look, which is a new one if the screen or the output has changed."""
    fresh = _StillScreen(state=state, blocks=blocks, since=now, seen=now, drawn=now)
    if still is None or state.keys != still.state.keys:
        return fresh
    fresh = replace(fresh, allowed=still.allowed)
    if state.text != still.state.text:
        return fresh
    if blocks == still.blocks:
        return replace(still, seen=now)
    unit = _repeated(still, state, blocks - still.blocks)
    if unit is None:
        return fresh
    return replace(still, state=state, blocks=blocks, seen=now, drawn=still.seen, wakes=still.wakes + 1, unit=unit)


def _blocks_of(tid: int) -> int:
    """Return how often a thread has given up its processor by itself."""
    lines = tree.read(f"{tid}/status").splitlines()
    return next((int(line.removeprefix(_SWITCHES)) for line in lines if line.startswith(_SWITCHES)), 0)


def _repeated(still: _StillScreen, state: ScreenState, blocks: int) -> bytes | None:
    """Return the output of each time that the program was awake, or None if it did not do the same each time."""
    size = state.size - still.state.size
    output = state.latest[-size:] if size else b""
    if not size or len(output) < size:
        return None if size else still.unit
    return repeated_unit(output, blocks=blocks, known=still.unit)


def repeated_unit(output: bytes, *, blocks: int, known: bytes) -> bytes | None:
    """Return what was printed each time, or None if it was not the same. `known` was printed each time before.

    The program was blocked `blocks` times, sometimes because the terminal had no room for its output, but mostly until
    it woke. An animation whose screens return periodically is so recognised although not every screen is seen.
    """
    counts = range(blocks, _LEAST_WAKES * blocks // 100, -1)
    units = (known, *(output[: len(output) // count] for count in counts if len(output) % count == 0))
    return next((unit for unit in units if unit and output == unit * (len(output) // len(unit))), None)
