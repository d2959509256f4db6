"""The dialogue itself: one line is typed whenever the program is blocked waiting for one.

Nothing is sent on a guess and there is no constant delay, so prompts that are wrong or missing cost no time and cannot
put the transcript out of order.
"""

import select
import threading
import time
from collections.abc import Sequence

from grader.run.memory import MemoryWatch
from grader.run.outcome import Ending
from grader.run.probe import Answer, Probe
from grader.run.program import RunningProgram
from grader.run.recording import Recording
from grader.run.terminal import END_OF_FILE, Terminal

_ENDS_OF_FILE = 3
# Most programs answer a line within this time; looking again at once then costs less than sleeping.
_SPIN_SECONDS = 0.00015
_SHORTEST_PAUSE = 0.00005
_LONGEST_PAUSE = 0.016
_CHUNKS_AT_ONCE = 16
_SELECT_LIMIT = 1024


class Dialogue:
    """Talks to one program until it ends or must be ended."""

    def __init__(
        self,
        terminal: Terminal,
        process: RunningProgram,
        probe: Probe,
        recording: Recording,
        deadline: float,
        memory: MemoryWatch,
        cancelled: threading.Event,
    ) -> None:
        """`deadline` is a time of the monotonic clock."""
        self._terminal = terminal
        self._process = process
        self._probe = probe
        self._recording = recording
        self._deadline = deadline
        self._memory = memory
        self._cancelled = cancelled
        self._active_at = time.monotonic()
        self._pause = process.quiet_start_seconds

    def hold(self, lines: Sequence[str]) -> Ending:
        """Type the lines, then the end of input, each when it is asked for.

        Return why the dialogue is over: EXITED if the program ended by itself, otherwise it is to be killed.
        """
        ending = self._pass_time()
        for line in lines:
            ending = ending or self._wait() or self._type_line(line)
            if ending:
                return ending
        for _ in range(_ENDS_OF_FILE):
            ending = ending or self._wait()
            if ending:
                return ending
            self._type(END_OF_FILE)
        return self._wait() or Ending.KEEPS_READING

    def take_everything(self) -> None:
        """Record all that is on the terminal by now."""
        while not self._recording.is_over and self._take():
            pass
        cut = self._terminal.take_cut_character()
        if cut:
            self._recording.show(cut)

    def _type_line(self, line: str) -> Ending | None:
        first, *others = self._terminal.pieces(line)
        self._type(first)
        self._recording.type(line)
        for piece in others:
            ending = self._wait()
            if ending:
                return ending
            self._type(piece)
        return None

    def _type(self, text: str) -> None:
        self._terminal.type(text)
        self._note_activity()

    def _note_activity(self) -> None:
        self._active_at = time.monotonic()
        self._pause = _SHORTEST_PAUSE

    def _wait(self) -> Ending | None:
        """Wait until the program waits for input and all it printed is recorded, else return why it never will."""
        while not self._sees_it_waiting():
            ending = self._pass_time()
            if ending:
                return ending
        # What it takes us to be sure is not the program's time.
        self._deadline += self._probe.hesitation()
        self.take_everything()
        return self._reason_to_stop()

    def _pass_time(self) -> Ending | None:
        """Sleep, a little longer each time nothing happens; record what is printed meanwhile."""
        printed, ended = self._sleep(self._pause)
        self._pause = min(2 * self._pause, _LONGEST_PAUSE)
        if ended:
            return Ending.EXITED
        if printed and self._take_some():
            self._note_activity()
        return self._reason_to_stop()

    def _sees_it_waiting(self) -> bool:
        while True:
            idle = time.monotonic() - self._active_at
            if self._probe.look(idle) is Answer.WAITING:
                return True
            if idle > _SPIN_SECONDS:
                return False

    def _sleep(self, seconds: float) -> tuple[bool, bool]:
        """Sleep, or less if something happens; return whether there is output and whether the program has ended."""
        screen, end = self._terminal.child_fd, self._process.end_fd
        watched = [screen] if end is None else [screen, end]
        ready = wait_readable(watched, seconds)
        return screen in ready, self._process.has_ended() if end is None else end in ready

    def _take_some(self) -> bool:
        """Record what is on the terminal, but no more than lets us look at the clock often enough."""
        for taken in range(_CHUNKS_AT_ONCE):
            if not self._take():
                return taken > 0
        return True

    def _take(self) -> bool:
        text = self._terminal.take()
        if text is None:
            return False
        self._recording.show(text)
        return True

    def _reason_to_stop(self) -> Ending | None:
        if self._recording.is_over:
            return Ending.OUTPUT_LIMIT
        if self._memory.is_over():
            return Ending.MEMORY_LIMIT
        if self._cancelled.is_set():
            return Ending.CANCELLED
        if time.monotonic() > self._deadline:
            return Ending.TIMED_OUT
        return None


def wait_readable(descriptors: list[int], seconds: float) -> list[int]:
    """Return those that are readable, at once or after a time; the time is exact only for low descriptors."""
    if max(descriptors) < _SELECT_LIMIT:
        return select.select(descriptors, [], [], seconds)[0]
    poll = select.poll()
    for descriptor in descriptors:
        poll.register(descriptor, select.POLLIN)
    return [descriptor for descriptor, _ in poll.poll(seconds * 1000)]
