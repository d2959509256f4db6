"""Which system calls wait for input, by number, on the machines we know."""

import os
import platform
from dataclasses import dataclass
from enum import Enum, auto


class Wait(Enum):
    """How a system call says which descriptors it waits for."""

    ONE = auto()  # read(fd, ...)
    SET = auto()  # select(n, *fd_set, ...)
    LIST = auto()  # poll(*pollfd, n, ...)
    EPOLL = auto()  # epoll_wait(epfd, ...)
    HIDDEN = auto()  # the arguments do not tell: io_uring_enter, restart_syscall


@dataclass(frozen=True)
class SystemCall:
    """A blocked system call: what it waits for and its first two arguments."""

    wait: Wait
    first: int
    second: int


_NUMBERS: dict[str, dict[bytes, Wait]] = {
    "x86_64": {
        **dict.fromkeys((b"0", b"17", b"19", b"295", b"327"), Wait.ONE),
        **dict.fromkeys((b"23", b"270"), Wait.SET),
        **dict.fromkeys((b"7", b"271"), Wait.LIST),
        **dict.fromkeys((b"232", b"281", b"441"), Wait.EPOLL),
        **dict.fromkeys((b"219", b"426"), Wait.HIDDEN),
    },
    "aarch64": {
        **dict.fromkeys((b"63", b"65", b"67", b"69", b"286"), Wait.ONE),
        **dict.fromkeys((b"72",), Wait.SET),
        **dict.fromkeys((b"73",), Wait.LIST),
        **dict.fromkeys((b"22", b"441"), Wait.EPOLL),
        **dict.fromkeys((b"128", b"426"), Wait.HIDDEN),
    },
}


def waits_of_this_machine() -> dict[bytes, Wait]:
    """Return the numbers, in decimal, of the calls that wait for input; empty if they cannot be seen here."""
    if not os.path.exists("/proc/self/syscall"):
        return {}
    return _NUMBERS.get(platform.machine(), {})


def parse(line: bytes, waits: dict[bytes, Wait]) -> SystemCall | None:
    """Read the text of /proc/PID/syscall; None if the thread runs or is blocked in another call."""
    number, _, arguments = line.partition(b" ")
    wait = waits.get(number)
    if wait is None:
        return None
    first, second, _ = arguments.split(b" ", 2)
    return SystemCall(wait, int(first, 16), int(second, 16))
