"""Runs the application on this machine's own address or at a Unix socket, in a thread, until it is asked to stop."""

import os
import socket
from asyncio import TimerHandle, Transport
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from grader.errors import GraderError

HOST = "127.0.0.1"
_SECONDS_TO_FINISH = 3
_SECONDS_TO_ASK = 10


class PortError(GraderError):
    """The server cannot listen on the port."""


class PromptConnection(H11Protocol):
    """A connection that ends unless a whole request arrives soon, because many waiting ones would keep markers out."""

    patience: TimerHandle | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Start the time limit of a connection."""
        super().connection_made(transport)
        self.patience = self.loop.call_later(_SECONDS_TO_ASK, transport.close)

    def data_received(self, data: bytes) -> None:
        """Stop the time limit once a request is complete, and start it when part of the next one has arrived."""
        super().data_received(data)
        is_whole = self.conn.their_state.__name__ not in ("IDLE", "SEND_BODY")
        if self.patience is not None and is_whole:
            self.patience.cancel()
            self.patience = None
        elif self.patience is None and not is_whole:
            self.patience = self.loop.call_later(_SECONDS_TO_ASK, self.transport.close)


def open_port(port: int) -> socket.socket:
    """Take a port of this machine's own address; 0 stands for any that is free. Raises PortError."""
    # asyncio sends every piece at once only on a socket declared as TCP.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
        # Clients that come before the application runs wait.
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
    """Listen at a port, or at a path; a path is gone afterwards. Raises PortError."""
    with open_port(port) if path is None else open_path(path) as listener:
        try:
            yield listener
        finally:
            if path is not None:
                path.unlink(missing_ok=True)


def open_path(path: Path) -> socket.socket:
    """Take a path as a Unix socket for the owner and the group alone. Raises PortError."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        if path.is_socket() and not _is_answered(path):
            path.unlink()
        # Nobody else may come in between.
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
    """Return whether a server listens at a socket; one that was killed has left it."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as asking:
        try:
            asking.connect(str(path))
        except OSError:
            return False
    return True


@contextmanager
def running(application: Any, listener: socket.socket) -> Iterator[None]:
    """Answer requests on an open port; requests under way are answered before the end."""
    config = uvicorn.Config(
        application,
        log_config=None,
        access_log=False,
        lifespan="off",
        loop="asyncio",
        http=PromptConnection,
        ws="none",
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=_SECONDS_TO_FINISH,
    )
    server = uvicorn.Server(config)
    thread = Thread(target=lambda: server.run(sockets=[listener]), name="server", daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.should_exit = True
        thread.join()
