"""The server ends connections on which no whole request comes, and keeps the others."""

import socket

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from grader.plugins.web.serve.listener import HOST, open_port
from grader.plugins.web.serve.server import running

HEAD = b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n"
WHOLE = HEAD + b"Content-Length: 4\r\n\r\nbody"


async def echo(request: Request) -> Response:
    return PlainTextResponse(await request.body())


APPLICATION = Starlette(routes=[Route("/", echo, methods=["POST"])])


@pytest.mark.parametrize(
    "part",
    [b"", HEAD, HEAD + b"Content-Length: 4\r\n\r\nbo", WHOLE + HEAD],
    ids=["nothing", "half a head", "half a body", "half of the second"],
)
def test_a_connection_without_a_whole_request_is_ended(part: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.plugins.web.serve.server._SECONDS_TO_ASK", 0.2)
    with (
        open_port(0) as listener,
        running(APPLICATION, listener),
        socket.create_connection((HOST, listener.getsockname()[1]), timeout=60) as connection,
    ):
        connection.sendall(part)
        said = b"".join(iter(lambda: connection.recv(10_000), b""))
        assert said.count(b"200 OK") == part.count(b"body")


def test_while_others_wait_a_request_is_answered() -> None:
    with open_port(0) as listener, running(APPLICATION, listener):
        address = HOST, listener.getsockname()[1]
        waiting = [socket.create_connection(address, timeout=60) for _ in range(50)]
        with socket.create_connection(address, timeout=60) as connection:
            for _ in range(2):
                connection.sendall(WHOLE)
                answer = b""
                while not answer.endswith(b"body"):
                    answer += connection.recv(10_000)
        for other in waiting:
            other.close()
