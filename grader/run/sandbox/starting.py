"""Starts the server that runs as the first process of a sandbox, and waits until it is ready."""

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from grader.errors import plain_reason, reported_as
from grader.run.sandbox.sandbox import LARGEST_MESSAGE, SandboxError
from grader.run.sandbox.system_call_filter import filter_program
from grader.run.transcript import PYTHON_FOLDER

SERVER = Path(__file__).with_name("server")
"""The folder of the program that runs first in a sandbox."""


@dataclass(frozen=True)
class ServerChannel:
    """The connection to a server: both ends of a socket, and of a terminal that shows why the server cannot start."""

    ours: socket.socket
    theirs: socket.socket
    screen: int
    terminal: int

    def hand_over(self) -> None:
        """Close the server's ends once it has its own copies, so that its exit can be detected."""
        self.theirs.close()
        os.close(self.terminal)

    def expect_ready(self) -> tuple[str, ...]:
        """Wait until the server is prepared; return the names of the modules it prepared. Raises SandboxError."""
        try:
            answer, *modules = self.ours.recv(LARGEST_MESSAGE).decode("ascii").split("\0")
            if answer == "ready":
                return tuple(modules)
        except (OSError, ValueError):
            pass
        os.set_blocking(self.screen, False)
        shown = b""
        with suppress(OSError):
            shown = os.read(self.screen, LARGEST_MESSAGE)
        lines = shown.decode("utf-8", "replace").strip().splitlines()
        raise SandboxError(f"the sandbox does not start: {lines[-1] if lines else 'it says nothing'}")


@contextmanager
def open_channel() -> Iterator[ServerChannel]:
    """Yield a channel whose other ends have not been handed over yet. Raises SandboxError."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours, theirs:
        with reported_as(SandboxError, "no pseudo-terminal is available"):
            screen, terminal = os.openpty()
        with os.fdopen(screen, "rb", buffering=0):
            yield ServerChannel(ours, theirs, screen, terminal)


def start_server(
    channel: ServerChannel, command: Sequence[str], environment: Mapping[str, str]
) -> "subprocess.Popen[bytes]":
    """Run `command`, which starts the server, and pass it its ends of the channel. Raises SandboxError."""
    try:
        return subprocess.Popen(
            command,
            stdin=channel.terminal,
            stdout=channel.terminal,
            stderr=channel.terminal,
            env=dict(environment),
            pass_fds=(channel.theirs.fileno(),),
            start_new_session=True,
        )
    except OSError as error:
        raise SandboxError(f"cannot start bubblewrap: {plain_reason(error)}") from error
    finally:
        channel.hand_over()


def server_command(channel: ServerChannel, *arguments: str) -> tuple[str, ...]:
    """Return the command to run in a sandbox, with `arguments` after the socket and the filter."""
    server = PYTHON_FOLDER / SERVER.name / "__main__.py"
    python = PYTHON_FOLDER / "bin" / "python3"
    return str(python), str(server), str(channel.theirs.fileno()), filter_program().hex(), *arguments


def bubblewrap() -> str:
    """Return the path of bubblewrap; raise SandboxError if it is not installed."""
    path = shutil.which("bwrap")
    if path is None:
        raise SandboxError("bubblewrap is not installed (on Debian: apt-get install bubblewrap)")
    return path
