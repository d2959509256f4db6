"""The second probe: the kernel function a thread sleeps in, for machines that hide system calls from us."""

import os
import select

from grader.run import proctree
from grader.run.probe import Answer

_READING_TERMINAL = b"wait_woken"
_MANY_DESCRIPTORS = (b"poll", b"select")
_RUNNING_OR_HIDDEN = (b"0", b"")


class WchanProbe:
    """Takes a thread that sleeps in the function terminals wait in for a reader.

    Sockets wait there too, and which descriptors a poll is about cannot be seen: then the answer is UNKNOWN.
    """

    def __init__(self, pid: int, terminal_fd: int) -> None:
        self._pid = pid
        self._typed = select.poll()
        self._typed.register(terminal_fd, select.POLLIN)

    def look(self, idle_seconds: float) -> Answer:  # noqa: ARG002
        if not os.path.exists("/proc/self/wchan"):
            return Answer.UNKNOWN
        if self._typed.poll(0):
            return Answer.BUSY
        answers = {_answer(pid, tid) for pid in proctree.descendants(self._pid) for tid in proctree.threads(pid)}
        for answer in (Answer.WAITING, Answer.UNKNOWN):
            if answer in answers:
                return answer
        return Answer.BUSY

    def hesitation(self) -> float:
        """It is seen at once."""
        return 0.0

    def close(self) -> None:
        """Nothing is held open."""


def _answer(pid: int, tid: int) -> Answer:
    folder = f"{pid}/task/{tid}"
    place = proctree.read(f"{folder}/wchan")
    if place == _READING_TERMINAL:
        return Answer.WAITING
    if any(word in place for word in _MANY_DESCRIPTORS):
        return Answer.UNKNOWN
    if place in _RUNNING_OR_HIDDEN:
        sleeps = proctree.read(f"{folder}/stat").rpartition(b") ")[2].startswith(b"S")
        return Answer.UNKNOWN if sleeps else Answer.BUSY
    return Answer.BUSY
