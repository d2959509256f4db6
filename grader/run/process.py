"""A program: noticing its end, and ending it together with what it started.

The program leads a session of its own, whose controlling terminal is the given one if there is one.
"""

import contextlib
import os
import select
import signal
import sys
import time
from types import TracebackType
from typing import Self

from grader.run import proctree
from grader.run.errors import SessionError
from grader.run.launch import Launch
from grader.run.program import Status
from grader.run.start import Start, start
from grader.run.streams import Streams
from grader.run.terminal import Terminal
from grader.spec.limits import Limits

_SECONDS_TO_DIE = 10.0


class Process:
    """A started program. Use as a context manager: on leaving, it and its descendants are gone."""

    # No interpreter is up sooner.
    quiet_start_seconds = 0.01

    def __init__(self, launch: Launch, limits: Limits, stdio: Terminal | Streams, start: Start = start) -> None:
        """Start the program, the way of `start`; raise SessionError if it cannot be started."""
        _check(launch)
        self._status: Status | None = None
        try:
            self.pid = start(launch, limits, stdio.path if isinstance(stdio, Terminal) else stdio)
        except (OSError, ValueError) as error:
            raise SessionError(f"cannot start {launch.argv[0]!r}: {error}") from error
        self.end_fd = _end_fd(self.pid)

    @property
    def root_pid(self) -> int:
        """The process that all it started descends from, as far as it was not given away."""
        return self.pid

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.kill()
            self.reap()
        finally:
            if self.end_fd is not None:
                os.close(self.end_fd)

    def has_ended(self) -> bool:
        """Say whether the program itself has ended; what it started may still run."""
        if self._status is None and self.end_fd is not None:
            return _is_readable(self.end_fd, 0)
        if self._status is None and self._try_to_reap():
            self._kill_group()
        return self._status is not None

    def kill(self) -> None:
        """Kill the program, its process group and its descendants; harmless after the end."""
        if self._status is not None:
            return
        found = [] if self.has_ended() else list(proctree.descendants(self.pid))
        self._kill_group()
        for pid in found:
            proctree.kill(pid)

    def kill_holders(self, terminal: os.stat_result) -> None:
        """Kill whatever has the terminal open: descendants that left the session and lost their parent."""
        if sys.platform == "linux":
            for pid in proctree.holders(terminal):
                proctree.kill(pid)

    def reap(self) -> Status:
        """Wait for the program, which has ended or been killed, and return how it ended.

        Raise SessionError if the kernel cannot end it.
        """
        deadline = time.monotonic() + _SECONDS_TO_DIE
        while (status := self._try_to_reap()) is None:
            if time.monotonic() > deadline:
                raise SessionError(f"process {self.pid} cannot be killed; it may hang in the kernel")
            if self.end_fd is None:
                time.sleep(0.001)
            else:
                _is_readable(self.end_fd, 0.1)
        return status

    def _try_to_reap(self) -> Status | None:
        if self._status is None:
            pid, status, usage = os.wait4(self.pid, os.WNOHANG)
            if pid:
                self._status = Status(status, usage.ru_utime + usage.ru_stime)
        return self._status

    def _kill_group(self) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)


def _check(launch: Launch) -> None:
    """Raise SessionError if there is nothing to start or nowhere to start it."""
    executable = launch.argv[0]
    if not os.path.isabs(executable) or not os.path.isfile(executable) or not os.access(executable, os.X_OK):
        raise SessionError(f"there is no executable program {executable!r}")
    if not os.path.isdir(launch.workdir) or not os.access(launch.workdir, os.X_OK):
        raise SessionError(f"there is no folder {str(launch.workdir)!r} to run in")


def _end_fd(pid: int) -> int | None:
    """Return a descriptor that becomes readable when the process ends, None where there is no such thing."""
    if not hasattr(os, "pidfd_open"):
        return None
    try:
        return os.pidfd_open(pid)
    except OSError:
        return None


def _is_readable(descriptor: int, seconds: float) -> bool:
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(seconds * 1000))
