"""The best probe: Linux tells in /proc/PID/syscall which system call a thread is blocked in.

The order of the two looks is what makes it right. First the kernel says that nothing typed is left to read on the
program's end of the terminal (asking also makes it finish handing over what is on its way); only then does a thread
that is seen blocked in a read prove that it waits for more. The other way round, a thread that was woken by our line
and has not run yet would look blocked.
"""

import os
import select
import stat
import struct
from collections.abc import Iterator

from grader.run import proctree
from grader.run.probe import Answer
from grader.run.system_calls import SystemCall, Wait, parse, waits_of_this_machine

# Looking at every thread and descendant takes longer than one exchange; the thread that read last is tried first.
_WIDEN_AFTER_SECONDS = 0.0004
_CONTROLLING_TERMINAL = os.makedev(5, 0)
_POLLFD = struct.Struct("ihh")
_READABLE = select.POLLIN | select.POLLPRI | select.POLLRDNORM
_LARGEST_SET = 1 << 20


class _Thread:
    """One thread of the program, with its /proc file kept open."""

    def __init__(self, pid: int, tid: int) -> None:
        """Raise OSError if the thread is gone or hidden from us."""
        self.pid, self.tid = pid, tid
        self._fd = os.open(f"/proc/{pid}/task/{tid}/syscall", os.O_RDONLY)

    def blocked_in(self, waits: dict[bytes, Wait]) -> SystemCall | None:
        """Return the call it waits for input in, if it does; raise OSError as the constructor."""
        return parse(os.pread(self._fd, 256, 0), waits)

    def close(self) -> None:
        os.close(self._fd)


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
        if answer is not Answer.WAITING and idle_seconds > _WIDEN_AFTER_SECONDS:
            return self._ask_everyone()
        return answer

    def close(self) -> None:
        if self._last_reader is not None:
            self._last_reader.close()
            self._last_reader = None

    def _ask_last_reader(self) -> Answer:
        try:
            if self._last_reader is None:
                self._last_reader = _Thread(self._pid, self._pid)
            return self._ask(self._last_reader)
        except (ProcessLookupError, FileNotFoundError):
            self.close()
            return Answer.BUSY
        except OSError:
            return Answer.UNKNOWN

    def _ask_everyone(self) -> Answer:
        worst = Answer.BUSY
        for thread in self._all_threads():
            answer = Answer.UNKNOWN
            try:
                answer = self._ask(thread)
            except ProcessLookupError:
                answer = Answer.BUSY
            except OSError:
                pass
            if answer is Answer.WAITING:
                self.close()
                self._last_reader = thread
                return answer
            thread.close()
            worst = Answer.UNKNOWN if answer is Answer.UNKNOWN else worst
        return worst

    def _all_threads(self) -> Iterator[_Thread]:
        for pid in proctree.descendants(self._pid):
            for tid in proctree.threads(pid):
                try:
                    yield _Thread(pid, tid)
                except OSError:
                    continue

    def _ask(self, thread: _Thread) -> Answer:
        call = thread.blocked_in(self._waits)
        if call is None:
            return Answer.BUSY
        if call.wait is Wait.HIDDEN:
            return Answer.UNKNOWN
        waits = any(self._is_terminal(thread.pid, fd) for fd in _descriptors(thread.pid, call))
        return Answer.WAITING if waits else Answer.BUSY

    def _is_terminal(self, pid: int, fd: int) -> bool:
        try:
            status = os.stat(f"/proc/{pid}/fd/{fd}")
        except FileNotFoundError:
            return False
        return stat.S_ISCHR(status.st_mode) and status.st_rdev in (self._terminal_number, _CONTROLLING_TERMINAL)


def _descriptors(pid: int, call: SystemCall) -> list[int]:
    """Return the descriptors from which a blocked call waits to read; raise OSError if they are hidden from us."""
    match call.wait:
        case Wait.ONE:
            return [call.first]
        case Wait.SET:
            return _in_set(_memory(pid, call.second, (call.first + 7) // 8))
        case Wait.LIST:
            return _in_list(_memory(pid, call.first, call.second * _POLLFD.size))
        case Wait.EPOLL:
            return _in_epoll(pid, call.first)
        case Wait.HIDDEN:
            return []


def _memory(pid: int, address: int, size: int) -> bytes:
    if not address or not 0 < size <= _LARGEST_SET:
        return b""
    fd = os.open(f"/proc/{pid}/mem", os.O_RDONLY)
    try:
        return os.pread(fd, size, address)
    finally:
        os.close(fd)


def _in_set(bits: bytes) -> list[int]:
    return [8 * i + j for i, byte in enumerate(bits) for j in range(8) if byte >> j & 1]


def _in_list(entries: bytes) -> list[int]:
    whole = entries[: len(entries) // _POLLFD.size * _POLLFD.size]
    return [fd for fd, events, _ in _POLLFD.iter_unpack(whole) if fd >= 0 and events & _READABLE]


def _in_epoll(pid: int, fd: int) -> list[int]:
    """Read lines such as "tfd:        0 events:       19 data: ..." (events in hexadecimal)."""
    with open(f"/proc/{pid}/fdinfo/{fd}", "rb") as file:
        fields = [line.split() for line in file if line.startswith(b"tfd:")]
    return [int(words[1]) for words in fields if int(words[3], 16) & select.EPOLLIN]
