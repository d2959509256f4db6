"""The best probe: Linux tells in /proc/PID/syscall which system call a thread is blocked in.

The order of the two looks is what makes it right. First the kernel says that nothing typed is left to read on the
program's end of the terminal (asking also makes it finish handing over what is on its way); only then does a thread
that is seen blocked in a read prove that it waits for more. The other way round, a thread that was woken by our line
and has not run yet would look blocked.
"""

import contextlib
import os
import select
from collections.abc import Iterator

from grader.run import proctree
from grader.run.descriptors import Identity, is_terminal, waited_for
from grader.run.probe import Answer
from grader.run.system_calls import Wait, parse, waits_of_this_machine

# Looking at every thread and descendant takes longer than one exchange; the thread that read last is tried first.
_WIDEN_AFTER_SECONDS = 0.01


class SyscallProbe:
    """Decodes what the threads of the program and its descendants are blocked in."""

    def __init__(self, pid: int, terminal_fd: int) -> None:
        self._pid = pid
        self._terminal_number = os.fstat(terminal_fd).st_rdev
        self._typed = select.poll()
        self._typed.register(terminal_fd, select.POLLIN)
        self._waits = waits_of_this_machine()
        self._last_reader: _Thread | None = None

    def look(self, idle_seconds: float) -> Answer:
        if not self._waits:
            return Answer.UNKNOWN
        if self._typed.poll(0):
            return Answer.BUSY
        answer = self._ask_last_reader()
        if answer is Answer.UNKNOWN or (answer is Answer.BUSY and idle_seconds > _WIDEN_AFTER_SECONDS):
            return self._ask_everyone()
        return answer

    def hesitation(self) -> float:
        """It is seen at once."""
        return 0.0

    def close(self) -> None:
        if self._last_reader is not None:
            self._last_reader.close()
            self._last_reader = None

    def _ask_last_reader(self) -> Answer:
        try:
            if self._last_reader is None:
                self._last_reader = _Thread(self._pid, self._pid)
            return self._last_reader.ask(self._waits, self._terminal_number)
        except (ProcessLookupError, FileNotFoundError):
            self.close()
            return Answer.BUSY
        except OSError:
            return Answer.UNKNOWN

    def _ask_everyone(self) -> Answer:
        """Ask all; those hidden from us (as a sandbox may be) count only if nobody else could be asked."""
        answers = set()
        for pid, tid in _all_threads(self._pid):
            try:
                answers.add(self._ask_one(pid, tid))
            except OSError:
                continue
            if Answer.WAITING in answers:
                return Answer.WAITING
        return Answer.BUSY if answers == {Answer.BUSY} else Answer.UNKNOWN

    def _ask_one(self, pid: int, tid: int) -> Answer:
        with contextlib.ExitStack() as stack:
            thread = stack.enter_context(contextlib.closing(_Thread(pid, tid)))
            answer = thread.ask(self._waits, self._terminal_number)
            if answer is Answer.WAITING:
                stack.pop_all()
                self.close()
                self._last_reader = thread
            return answer


def _all_threads(pid: int) -> Iterator[tuple[int, int]]:
    for process in proctree.descendants(pid):
        for tid in proctree.threads(process):
            yield process, tid


class _Thread:
    """One thread of the program, with its /proc file kept open. Raises OSError if it is gone or hidden from us."""

    def __init__(self, pid: int, tid: int) -> None:
        self._pid = pid
        self._terminal: Identity | None = None
        self._fd = os.open(f"/proc/{pid}/task/{tid}/syscall", os.O_RDONLY)

    def ask(self, waits: dict[bytes, Wait], terminal_number: int) -> Answer:
        call = parse(os.pread(self._fd, 256, 0), waits)
        if call is None:
            return Answer.BUSY
        if call.wait is Wait.HIDDEN:
            return Answer.UNKNOWN
        if call.wait is Wait.ONE and self._terminal is not None and self._terminal.is_of(call.first):
            return Answer.WAITING
        for fd in waited_for(self._pid, call):
            if is_terminal(self._pid, fd, terminal_number):
                self._remember(fd)
                return Answer.WAITING
        return Answer.BUSY

    def close(self) -> None:
        os.close(self._fd)
        if self._terminal is not None:
            self._terminal.close()

    def _remember(self, fd: int) -> None:
        if self._terminal is not None:
            self._terminal.close()
        self._terminal = None
        self._terminal = Identity(self._pid, fd)
