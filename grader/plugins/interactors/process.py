"""The process of an interactor as seen from a session. It does not run any student code, and its time is limited."""

import json
import os
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO

from grader.checkers.ask import PACKAGE_FOLDER, kill_group
from grader.errors import GraderError, reported_as
from grader.plugins.interactors.interaction import InteractorRun
from grader.plugins.interactors.protocol import Request, Turn, request_in, turn_line

INTERACTOR_SECONDS = 120.0
_SECONDS_TO_EXIT = 5.0
_READ_BYTES = 1 << 16
_LONGEST_REQUEST = 1 << 20
_CHILD = "import sys; sys.path.insert(0, sys.argv[1]); from grader.plugins.interactors.child import main; main()"


class InteractorError(GraderError):
    """An interactor failed or took too long, which does not mean that the student's program is wrong."""


@contextmanager
def started_interactor(run: InteractorRun, seconds: float = INTERACTOR_SECONDS) -> Iterator["InteractorProcess"]:
    """Start an interactor that may think for `seconds` in total; it is stopped on exit. Raises InteractorError."""
    with tempfile.TemporaryFile() as errors:
        with reported_as(InteractorError, f"The interactor {run.interactor.name} cannot be started"):
            process = subprocess.Popen(
                [sys.executable, "-c", _CHILD, PACKAGE_FOLDER],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                bufsize=0,
                # With a fixed hash seed, sets and dictionaries always have the same order.
                env={**os.environ, "PYTHONHASHSEED": "0"},
                start_new_session=True,
            )
        with process:
            try:
                interactor = InteractorProcess(run.interactor.name, process, errors, seconds)
                interactor.write(_settings_line(run))
                yield interactor
            finally:
                kill_group(process)


class InteractorProcess:
    """An interactor that plays one session. The time that `request` waits counts as the interactor's."""

    def __init__(self, name: str, process: "subprocess.Popen[bytes]", errors: IO[bytes], seconds: float) -> None:
        self._name = name
        self._process = process
        self._errors = errors
        self._seconds_left = seconds
        self._received = b""
        [self._to_it, self._from_it] = (pipe.fileno() for pipe in (process.stdin, process.stdout) if pipe)
        os.set_blocking(self._to_it, False)

    def request(self, seconds: float) -> Request | None:
        """Return its next request, or None if it makes none within `seconds`. Raises InteractorError."""
        started = time.monotonic()
        if b"\n" not in self._received and _is_ready(self._from_it, select.POLLIN, min(seconds, self._seconds_left)):
            self._receive()
        # A longer wait means that the grader itself was stopped in the meantime.
        self._seconds_left -= min(time.monotonic() - started, seconds)
        line, newline, rest = self._received.partition(b"\n")
        if not newline:
            if self._seconds_left <= 0 or len(line) > _LONGEST_REQUEST:
                raise InteractorError(f"The interactor {self._name} took too long.")
            return None
        self._received = rest
        try:
            return request_in(line)
        except ValueError as error:
            raise InteractorError(f"The interactor {self._name} breaks the protocol: {error}") from None

    def tell(self, turn: Turn) -> None:
        """Send the reply to its last request. Raises InteractorError."""
        self.write(turn_line(turn))

    def _receive(self) -> None:
        received = os.read(self._from_it, _READ_BYTES)
        if not received:
            raise self._failure()
        self._received += received

    def write(self, line: bytes) -> None:
        """Write a line to the interactor. Raises InteractorError."""
        started = time.monotonic()
        remaining = memoryview(line)
        try:
            while remaining:
                if not _is_ready(self._to_it, select.POLLOUT, self._seconds_left):
                    raise InteractorError(f"The interactor {self._name} does not listen.")
                remaining = remaining[os.write(self._to_it, remaining) :]
        except BrokenPipeError:
            raise self._failure() from None
        self._seconds_left -= time.monotonic() - started

    def _failure(self) -> InteractorError:
        """Return an error that says how it ended, or that it closed its streams but is still running."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_SECONDS_TO_EXIT)
        kill_group(self._process)
        self._errors.seek(max(self._errors.seek(0, os.SEEK_END) - _READ_BYTES, 0))
        lines = self._errors.read().decode("utf-8", "replace").strip().splitlines()
        reason = lines[-1] if lines else f"it ended with exit status {self._process.wait()} and no answer"
        return InteractorError(f"The interactor {self._name} failed: {reason}")


def _settings_line(run: InteractorRun) -> bytes:
    settings = run.interactor
    content = {
        "name": settings.name,
        "file": str(settings.file),
        "options": dict(settings.options),
        "seed": settings.seed,
        "channel": run.channel,
    }
    return json.dumps(content).encode("ascii") + b"\n"


def _is_ready(descriptor: int, event: int, seconds: float) -> bool:
    poll = select.poll()
    poll.register(descriptor, event)
    return bool(poll.poll(max(seconds, 0) * 1000))
