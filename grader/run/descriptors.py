"""Which descriptors a blocked system call of another process waits for, and whether one of them is our terminal.

The functions raise OSError if the process is gone or hidden from us.
"""

import os
import select
import stat
import struct

from grader.run.system_calls import SystemCall, Wait

_CONTROLLING_TERMINAL = os.makedev(5, 0)
_POLLFD = struct.Struct("ihh")
_READABLE = select.POLLIN | select.POLLPRI | select.POLLRDNORM
_LARGEST_SET = 1 << 20


def waited_for(pid: int, call: SystemCall) -> list[int]:
    """Return the descriptors from which a blocked call waits to read."""
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


def is_terminal(pid: int, fd: int, terminal_number: int) -> bool:
    """Say whether a descriptor is the terminal with this device number, perhaps under the name /dev/tty."""
    try:
        status = os.stat(f"/proc/{pid}/fd/{fd}")
    except FileNotFoundError:
        return False
    return stat.S_ISCHR(status.st_mode) and status.st_rdev in (terminal_number, _CONTROLLING_TERMINAL)


class Identity:
    """Tells whether a descriptor of another process is still the same open file, at a third of the cost of `stat`."""

    def __init__(self, pid: int, fd: int) -> None:
        self._fd = fd
        self._info = os.open(f"/proc/{pid}/fdinfo/{fd}", os.O_RDONLY)
        self._text = os.pread(self._info, 256, 0)
        # Linux before 5.14 does not show the inode, and without it two files may look the same.
        self._tells = b"ino:" in self._text

    def is_of(self, fd: int) -> bool:
        """Say whether `fd` is the descriptor this was made for and is unchanged since."""
        return self._tells and fd == self._fd and os.pread(self._info, 256, 0) == self._text

    def close(self) -> None:
        """Give back what this holds open."""
        os.close(self._info)


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
