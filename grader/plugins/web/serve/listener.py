"""Opens the place where the server listens: a local port of this machine, or a Unix socket for a proxy."""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from grader.errors import GraderError

HOST = "127.0.0.1"


class PortError(GraderError):
    """The server cannot listen on the port."""


def open_port(port: int) -> socket.socket:
    """Open a port at this machine's own address; 0 means any free port. Raises PortError."""
    # asyncio sends every piece at once only on a socket declared as TCP.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
        # Clients that connect before the application runs will wait.
        listener.listen()
    except (OSError, OverflowError) as error:
        listener.close()
        reason = getattr(error, "strerror", None) or error
        raise PortError(
            f"Port {port} cannot be used ({reason}): name another one with --port, or any free one with --port 0."
        ) from None
    return listener


@contextmanager
def listening(port: int, path: Path | None) -> Iterator[socket.socket]:
    """Listen at a port or a path; the path is removed afterwards. Raises PortError."""
    with open_port(port) if path is None else open_path(path) as listener:
        try:
            yield listener
        finally:
            if path is not None:
                path.unlink(missing_ok=True)


def open_path(path: Path) -> socket.socket:
    """Open a path as a Unix socket for the owner and the group only. Raises PortError."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        if path.is_socket() and not _is_answered(path):
            path.unlink()
        # No other user must be able to connect in between.
        before = os.umask(0o117)
        try:
            listener.bind(str(path))
        finally:
            os.umask(before)
        listener.listen()
    except OSError as error:
        listener.close()
        raise PortError(f"The socket {path} cannot be used ({error.strerror or error}): name another path.") from None
    return listener


def _is_answered(path: Path) -> bool:
    """Return whether a server listens at a socket, which may be left over from a killed server."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as asking:
        try:
            asking.connect(str(path))
        except OSError:
            return False
    return True
