"""Runs the application at this machine's own address or a Unix socket, in a thread, until it is asked to stop."""

import socket
from asyncio import TimerHandle, Transport
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

_SECONDS_TO_FINISH = 3
_SECONDS_TO_ASK = 10


class PromptConnection(H11Protocol):
    """A connection that closes unless a whole request arrives soon, because idle connections would block markers."""

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


@contextmanager
def running(application: Any, listener: socket.socket) -> Iterator[None]:
    """Answer requests on an open port; pending requests are answered before the end."""
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
