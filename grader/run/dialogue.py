"""The dialogue itself: one line is typed whenever the program is blocked waiting for one.

Nothing is sent on a guess and there is no constant delay, so prompts that are wrong or missing cost no time and cannot
put the transcript out of order.
"""

import select
import threading
import time
from collections.abc import Sequence

from grader.run.outcome import Ending
from grader.run.probe import Answer, Probe
from grader.run.process import Process
from grader.run.recording import Recording
from grader.run.terminal import END_OF_FILE, Terminal

_ENDS_OF_FILE = 3
# Most programs answer a line within this time; looking again at once then costs less than sleeping.
_SPIN_SECONDS = 0.00015
_SHORTEST_PAUSE = 0.00005
_LONGEST_PAUSE = 0.016
_SELECT_LIMIT = 1024


class Dialogue:
    """Talks to one program until it ends or must be ended."""

    def __init__(
        self,
        terminal: Terminal,
        process: Process,
        probe: Probe,
        recording: Recording,
        deadline: float,
        cancelled: threading.Event,
    ) -> None:
        """`deadline` is a time of the monotonic clock."""
        self._terminal = terminal
        self._process = process
        self._probe = probe
        self._recording = recording
        self._deadline = deadline
        self._cancelled = cancelled
        self._active_at = time.monotonic()

    def hold(self, lines: Sequence[str]) -> Ending:
        """Type the lines, then the end of input, each when it is asked for.

        Return why the dialogue is over: EXITED if the program ended by itself, otherwise it is to be killed.
        """
        for line in lines:
            ending = self._wait() or self._type_line(line)
            if ending:
                return ending
        for _ in range(_ENDS_OF_FILE):
            ending = self._wait()
            if ending:
                return ending
            self._type(END_OF_FILE)
        return self._wait() or Ending.KEEPS_READING

    def take_everything(self) -> None:
        """Record all that is on the terminal by now."""
        while not self._recording.is_over and self._take():
            pass
        self._recording.show(self._terminal.take_cut_character())

    def _type_line(self, line: str) -> Ending | None:
        self._recording.type(line)
        first, *others = self._terminal.pieces(line)
        self._type(first)
        for piece in others:
            ending = self._wait()
            if ending:
                return ending
            self._type(piece)
        return None

    def _type(self, text: str) -> None:
        self._terminal.type(text)
        self._active_at = time.monotonic()

    def _wait(self) -> Ending | None:
        """Wait until the program waits for input and all it printed is recorded, else return why it never will."""
        pause = _SHORTEST_PAUSE
        while not self._sees_it_waiting():
            printed, ended = self._sleep(pause)
            if ended:
                return Ending.EXITED
            pause = min(2 * pause, _LONGEST_PAUSE)
            if printed and self._take():
                self._active_at = time.monotonic()
                pause = _SHORTEST_PAUSE
            ending = self._reason_to_stop()
            if ending:
                return ending
        self.take_everything()
        return Ending.OUTPUT_LIMIT if self._recording.is_over else None

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

    def _take(self) -> bool:
        text = self._terminal.take()
        self._recording.show(text)
        return bool(text)

    def _reason_to_stop(self) -> Ending | None:
        if self._recording.is_over:
            return Ending.OUTPUT_LIMIT
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
