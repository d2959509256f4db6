"""Messages and their descriptors, exchanged between the grader and the processes of a sandbox."""

from __future__ import annotations

import _socket
import array
import os

LARGEST_MESSAGE = 1 << 20


def close_all(descriptors: list[int]) -> None:
    """Close every descriptor."""
    for descriptor in descriptors:
        os.close(descriptor)


def receive_message(control: _socket.socket) -> tuple[str, list[int]]:
    """Return the next message, which is empty if the other end is gone, and the descriptors that came with it."""
    data, ancillary, _, _ = control.recvmsg(LARGEST_MESSAGE, 64)
    return data.decode("utf-8", "surrogateescape"), received(ancillary)


def received(ancillary: list[tuple[int, int, bytes]]) -> list[int]:
    """Return the descriptors that came with a message."""
    descriptors = array.array("i")
    for _, _, payload in ancillary:
        descriptors.frombytes(payload)
    return list(descriptors)


def send_message(control: _socket.socket, message: str, descriptors: list[int]) -> None:
    """Send a message with descriptors. Raises OSError if the other end is closed."""
    rights = [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, array.array("i", descriptors))]
    control.sendmsg([message.encode("utf-8", "surrogateescape")], rights)


def send_with_hold(control: _socket.socket, word: str, pid: int) -> None:
    """Send a word and a process's pidfd to the grader."""
    pidfd = os.pidfd_open(pid)
    send_message(control, word, [pidfd])
    os.close(pidfd)
