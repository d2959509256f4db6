"""The best probe, which reads from /proc/PID/syscall which system call blocks a thread, and on which descriptors.

The order of the two checks is essential. First, the kernel must report that all typed text has been read from the
program's end of the terminal (asking also makes it deliver text that is still on its way). Only then does a thread
blocked in a read prove that it is waiting for more. In the opposite order, a thread that was woken by a typed line but
has not run yet would look blocked.

Functions that look at another process raise OSError if it is gone or hidden.
"""

import contextlib
import math
import os
import platform
import select
import stat
import struct
import time
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from functools import cache

from grader.run.process import tree
from grader.run.terminal.waiting import WaitState

_CONTROLLING_TERMINAL = os.makedev(5, 0)
_POLLFD = struct.Struct("ihh")
_TIME = struct.Struct("ll")
_READABLE = select.POLLIN | select.POLLPRI | select.POLLRDNORM
_LARGEST_SET = 1 << 20
# Checking every thread and descendant takes longer than one exchange, so the thread that read last is checked first.
_WIDEN_AFTER_SECONDS = 0.01
# Other threads need less processor time than this to print their output while one thread reads.
_PATIENCE_SECONDS = 1.0
# A call with a shorter timeout may be a pause in which a program also watches its input. A program that waits longer
# gives a person time to answer.
LONGEST_TIMER = 3.0
# A timer may fire late by this much.
_TIMER_SLACK = 0.002


class InputWait(Enum):
    """How a system call specifies the descriptors it waits for."""

    ONE = auto()  # read(fd, ...)
    SET = auto()  # select(n, *fd_set, ...)
    LIST = auto()  # poll(*pollfd, n, ...)
    EPOLL = auto()  # epoll_wait(epfd, ...)
    HIDDEN = auto()  # not in the arguments: io_uring_enter, restart_syscall


class TimeUnit(Enum):
    """The form of a timeout: a number, or the address of a structure."""

    MILLISECONDS = auto()
    TIMESPEC = auto()
    TIMEVAL = auto()


@dataclass(frozen=True)
class Timeout:
    """The argument of a system call that holds its timeout; the first has index 0."""

    index: int
    unit: TimeUnit


@dataclass(frozen=True)
class CallKind:
    """A kind of system call, identified by its number. Without a timeout, it waits indefinitely."""

    wait: InputWait
    timeout: Timeout | None = None


@dataclass(frozen=True)
class SystemCall:
    """A blocked system call and its arguments, as shown by /proc/PID/syscall."""

    kind: CallKind
    arguments: bytes

    def argument(self, index: int) -> int:
        """Return one of the arguments; the first has index 0."""
        return int(self.arguments.split(None, index + 1)[index], 16)


@cache
def waits_of_this_machine() -> dict[bytes, CallKind]:
    """Return the numbers, in decimal, of the calls that are waiting for input; empty if they are not visible here."""
    read, hidden = CallKind(InputWait.ONE), CallKind(InputWait.HIDDEN)
    pselect = CallKind(InputWait.SET, Timeout(4, TimeUnit.TIMESPEC))
    ppoll = CallKind(InputWait.LIST, Timeout(2, TimeUnit.TIMESPEC))
    epoll_wait = CallKind(InputWait.EPOLL, Timeout(3, TimeUnit.MILLISECONDS))
    epoll_pwait2 = CallKind(InputWait.EPOLL, Timeout(3, TimeUnit.TIMESPEC))
    match platform.machine() if os.path.exists("/proc/self/syscall") else None:
        case "x86_64":
            return {
                **dict.fromkeys((b"0", b"17", b"19", b"295", b"327"), read),
                b"23": CallKind(InputWait.SET, Timeout(4, TimeUnit.TIMEVAL)),
                b"270": pselect,
                b"7": CallKind(InputWait.LIST, Timeout(2, TimeUnit.MILLISECONDS)),
                b"271": ppoll,
                **dict.fromkeys((b"232", b"281"), epoll_wait),
                b"441": epoll_pwait2,
                **dict.fromkeys((b"219", b"426"), hidden),
            }
        case "aarch64":
            return {
                **dict.fromkeys((b"63", b"65", b"67", b"69", b"286"), read),
                b"72": pselect,
                b"73": ppoll,
                b"22": epoll_wait,
                b"441": epoll_pwait2,
                **dict.fromkeys((b"128", b"426"), hidden),
            }
    return {}


def parse_system_call(line: bytes, waits: dict[bytes, CallKind]) -> SystemCall | None:
    """Parse the text of /proc/PID/syscall; return None if the thread is running or is blocked in another call."""
    number, _, arguments = line.partition(b" ")
    kind = waits.get(number)
    return None if kind is None else SystemCall(kind, arguments)


def waited_for(pid: int, call: SystemCall) -> list[int]:
    """Return the descriptors from which a blocked call waits to read."""
    first = call.argument(0)
    match call.kind.wait:
        case InputWait.ONE:
            return [first]
        case InputWait.SET:
            return _in_set(_read_memory(pid, call.argument(1), (first + 7) // 8))
        case InputWait.LIST:
            return _in_list(_read_memory(pid, first, call.argument(1) * _POLLFD.size))
        case InputWait.EPOLL:
            return _in_epoll(pid, first)
        case InputWait.HIDDEN:
            return []


def patience_seconds(pid: int, call: SystemCall) -> float:
    """Return the timeout of a blocked call, or infinity without one."""
    timeout = call.kind.timeout
    if timeout is None:
        return math.inf
    argument = call.argument(timeout.index)
    match timeout.unit:
        case TimeUnit.MILLISECONDS:
            return _milliseconds(argument)
        case TimeUnit.TIMESPEC:
            return _time_in_memory(pid, argument, 1e9)
        case TimeUnit.TIMEVAL:
            return _time_in_memory(pid, argument, 1e6)


def _milliseconds(argument: int) -> float:
    """Convert a C int in milliseconds to seconds; a negative number means no limit."""
    number = argument & 0xFFFFFFFF
    return math.inf if number & 0x80000000 else number / 1000


def _time_in_memory(pid: int, address: int, parts: float) -> float:
    """Read a time in seconds and fractions (`parts` per second); a null address means no limit."""
    content = _read_memory(pid, address, _TIME.size)
    if len(content) < _TIME.size:
        return math.inf
    seconds, fraction = _TIME.unpack(content)
    return float(seconds + fraction / parts)


def is_input(pid: int, fd: int, program_end: os.stat_result) -> bool:
    """Return whether a descriptor is this terminal, perhaps under the name /dev/tty, or this pipe."""
    try:
        status = os.stat(f"/proc/{pid}/fd/{fd}")
    except FileNotFoundError:
        return False
    if stat.S_ISFIFO(program_end.st_mode):
        return os.path.samestat(status, program_end)
    return stat.S_ISCHR(status.st_mode) and status.st_rdev in (program_end.st_rdev, _CONTROLLING_TERMINAL)


def _read_memory(pid: int, address: int, size: int) -> bytes:
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
    """Parse lines such as "tfd:        0 events:       19 data: ..." (events in hexadecimal)."""
    with open(f"/proc/{pid}/fdinfo/{fd}", "rb") as file:
        fields = [line.split() for line in file if line.startswith(b"tfd:")]
    return [int(words[1]) for words in fields if int(words[3], 16) & select.EPOLLIN]


class SyscallProbe:
    """A probe that decodes the system calls in which threads of the program and its descendants are blocked."""

    def __init__(self, pid: int, program_fd: int) -> None:
        """Take the program's end of its terminal, or of the pipe from which it reads, as `program_fd`."""
        self._pid = pid
        self._program_end = os.fstat(program_fd)
        self._typed = select.poll()
        self._typed.register(program_fd, select.POLLIN)
        self._waits = waits_of_this_machine()
        self._last_reader: _BlockedThread | None = None
        self._is_patient = True
        self._reading_since = float("-inf")
        """When a thread was first seen waiting while others worked, and the total processor time by then."""
        self._work_before = 0.0
        self._timed_since = float("-inf")
        """When the reader was first seen waiting in a call with a timeout."""
        self._hesitation = 0.0

    def look(self, idle_seconds: float) -> WaitState:
        """Return WAITING if a thread is blocked in a call that reads its input and all typed text has been read."""
        if not self._waits:
            return WaitState.UNKNOWN
        if self._typed.poll(0):
            return WaitState.BUSY
        answer = self._ask_last_reader()
        if answer is WaitState.UNKNOWN or (answer is WaitState.BUSY and idle_seconds > _WIDEN_AFTER_SECONDS):
            answer = self._ask_everyone()
        if answer is WaitState.WAITING and not (self._is_settled(idle_seconds) and self._is_past_timer(idle_seconds)):
            return WaitState.BUSY
        return answer

    def hesitation(self) -> float:
        """Return the seconds since a thread was seen waiting while others worked or a timer ran; otherwise 0."""
        return self._hesitation

    def close(self) -> None:
        """Close the descriptors of the thread that read last."""
        if self._last_reader is not None:
            self._last_reader.close()
            self._last_reader = None

    def _is_settled(self, idle_seconds: float) -> bool:
        """Return whether no thread except the reader can still print something, as in a pipeline of programs.

        Threads that never stop are not waited for, and are ignored permanently once they have worked for some time.
        """
        self._hesitation = 0.0
        reader = self._last_reader
        if reader is None or not self._is_patient or reader.is_alone(self._pid):
            return True
        # A single pass over the threads could miss work that one thread hands to another in the meantime.
        before = _seen_at_rest(self._pid, reader.tid)
        others_work = before is None or before != _seen_at_rest(self._pid, reader.tid)
        now = time.monotonic()
        is_new = self._reading_since < now - idle_seconds
        if others_work:
            work = sum(tree.used_seconds(self._pid))
            if is_new:
                self._reading_since, self._work_before = now, work
            self._is_patient = work - self._work_before < _PATIENCE_SECONDS
        elif is_new:
            return True
        self._hesitation = now - self._reading_since
        return not (others_work and self._is_patient)

    def _is_past_timer(self, idle_seconds: float, /) -> bool:
        """Return whether the reader is only waiting for input, and not also for a timer, as an event loop does.

        A reader that polls repeatedly with a short timeout counts as waiting once that time has passed.
        """
        reader = self._last_reader
        if reader is None or reader.patience > LONGEST_TIMER:
            return True
        now = time.monotonic()
        if self._timed_since < now - idle_seconds:
            self._timed_since = now
        waited = now - self._timed_since
        self._hesitation = max(self._hesitation, waited)
        return waited >= reader.patience + _TIMER_SLACK

    def _ask_last_reader(self) -> WaitState:
        try:
            if self._last_reader is None:
                self._last_reader = _BlockedThread(self._pid, self._pid)
            return self._last_reader.wait_state(self._waits, self._program_end)
        except (ProcessLookupError, FileNotFoundError):
            self.close()
            return WaitState.BUSY
        except OSError:
            return WaitState.UNKNOWN

    def _ask_everyone(self) -> WaitState:
        """Ask all threads; hidden ones (as in some sandboxes) only count if no others could be asked."""
        answers = set()
        for pid, tid in _all_threads(self._pid):
            try:
                answers.add(self._ask_one(pid, tid))
            except OSError:
                continue
            if WaitState.WAITING in answers:
                return WaitState.WAITING
        return WaitState.BUSY if answers == {WaitState.BUSY} else WaitState.UNKNOWN

    def _ask_one(self, pid: int, tid: int) -> WaitState:
        with contextlib.ExitStack() as stack:
            thread = stack.enter_context(contextlib.closing(_BlockedThread(pid, tid)))
            answer = thread.wait_state(self._waits, self._program_end)
            if answer is WaitState.WAITING:
                stack.pop_all()
                self.close()
                self._last_reader = thread
            return answer


def _all_threads(pid: int) -> Iterator[tuple[int, int]]:
    for process in tree.descendants(pid):
        for tid in tree.threads(process):
            yield process, tid


def _seen_at_rest(root: int, reader: int) -> dict[int, bytes] | None:
    """Return the kernel's processor statistics of each other thread, or None if any of these is working."""
    counted = {}
    for pid, tid in _all_threads(root):
        if tid != reader and tree.works(pid, tid):
            return None
        counted[tid] = tree.read(f"{pid}/task/{tid}/schedstat")
    return counted


class _BlockedThread:
    """A thread of the program, with its /proc file kept open. Raises OSError if it is gone or hidden."""

    def __init__(self, pid: int, tid: int) -> None:
        self._pid = pid
        self.tid = tid
        self.patience = math.inf
        """The timeout in seconds of the call in which it was last seen waiting."""
        self._fd = os.open(f"/proc/{pid}/task/{tid}/syscall", os.O_RDONLY)

    def is_alone(self, root: int) -> bool:
        """Return whether it is the only thread among `root` and its descendants, or is gone."""
        return all(thread == (root, self.tid) for thread in _all_threads(root))

    def wait_state(self, waits: dict[bytes, CallKind], program_end: os.stat_result) -> WaitState:
        call = parse_system_call(os.pread(self._fd, 256, 0), waits)
        if call is None:
            return WaitState.BUSY
        if call.kind.wait is InputWait.HIDDEN:
            return WaitState.UNKNOWN
        # Uses the thread id, because a process whose first thread has ended can only be read that way.
        for fd in waited_for(self.tid, call):
            if is_input(self.tid, fd, program_end):
                self.patience = patience_seconds(self.tid, call)
                return WaitState.WAITING
        return WaitState.BUSY

    def close(self) -> None:
        os.close(self._fd)
