"""Starts a program in its working folder under its limits, notices when it ends, and ends everything it started.

The program leads its own session. If a terminal is given, it becomes the program's controlling terminal. No Python code
runs between fork and exec, because that is not safe with threads. Instead, a tiny shell script changes to the working
folder, sets the limits and then becomes the program, which takes about 1 ms.
"""

import contextlib
import fcntl
import os
import resource
import select
import signal
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Self

from grader.errors import SessionError, plain_reason
from grader.model.program import Limits
from grader.run.interface import Launch
from grader.run.process import tree
from grader.run.process.kernel_limits import SHELL_LIMITS, allowed_limit, kernel_limits
from grader.run.process.program import ExitReport, StandardStreams
from grader.run.process.terminal import Terminal
from grader.time_limit import TimeLimit

_SHELL = "/bin/sh"
_SCRIPT = 'cd -- "$1" && {limits} && shift && unset OLDPWD SHLVL && exec "$@"'
_ALL_SIGNALS = signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}
# The program gets its descriptors under lower numbers.
_PROGRAM_GETS = 10
_SECONDS_TO_DIE = 10.0


def _start(launch: Launch, limits: Limits, stdio: str | StandardStreams) -> int:
    """Start a shell that changes to the folder, sets the limits and becomes the program.

    If the limits were set later, the program could briefly run without them, or reach them while they are being set.
    """
    script = _SCRIPT.format(limits=" && ".join(_limit_commands(limits)))
    argv = (_SHELL, "-c", script, "sh", str(launch.workdir), *launch.argv)
    with _move_up(launch.descriptors) as descriptors:
        return os.posix_spawn(
            _SHELL,
            argv,
            launch.environment,
            file_actions=[
                *_standard_streams(stdio),
                *((os.POSIX_SPAWN_CLOSE, fd) for fd in _inheritable_descriptors()),
                *((os.POSIX_SPAWN_DUP2, fd, number) for number, fd in sorted(descriptors.items())),
            ],
            setsid=True,
            setsigmask=[],
            setsigdef=_ALL_SIGNALS,
        )


def _limit_commands(limits: Limits) -> Iterator[str]:
    for kind, limit in kernel_limits(limits).items():
        option, unit = SHELL_LIMITS[kind]
        soft = allowed_limit(kind, limit)
        match kind:
            case resource.RLIMIT_CPU:
                # Reaching the first limit sends a signal that reveals the cause, whereas the second would simply kill.
                yield f"ulimit -S -t {soft} && ulimit -H -t {allowed_limit(kind, soft + 1)}"
            case resource.RLIMIT_STACK:
                yield f"ulimit -S -s {soft // unit}"
            case _:
                yield f"ulimit -{option} {soft // unit}"


@contextlib.contextmanager
def _move_up(descriptors: Mapping[int, int]) -> Iterator[Mapping[int, int]]:
    """Yield copies of descriptors with numbers outside the range used by the program."""
    with contextlib.ExitStack() as stack:
        copies = {}
        for number, descriptor in descriptors.items():
            copies[number] = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, _PROGRAM_GETS)
            stack.callback(os.close, copies[number])
        yield copies


def _standard_streams(stdio: str | StandardStreams) -> Sequence[tuple[int, int, str, int, int] | tuple[int, int, int]]:
    if isinstance(stdio, str):
        copies = [(os.POSIX_SPAWN_DUP2, 0, number) for number in (1, 2)]
        return [(os.POSIX_SPAWN_OPEN, 0, stdio, os.O_RDWR, 0), *copies]
    return [(os.POSIX_SPAWN_DUP2, descriptor, number) for number, descriptor in enumerate(stdio.descriptors)]


def _inheritable_descriptors() -> list[int]:
    """Return the descriptors that the program would inherit from the grader in addition to the standard streams."""
    descriptors = []
    for name in os.listdir("/dev/fd"):
        with contextlib.suppress(OSError):
            if int(name) > 2 and os.get_inheritable(int(name)):
                descriptors.append(int(name))
    return descriptors


class Process:
    """A started program. Use it as a context manager, which ends the program and its descendants on exit."""

    # An interpreter needs at least this long to start.
    quiet_start_seconds = 0.01

    memory_group = None

    def __init__(self, launch: Launch, limits: Limits, stdio: Terminal | StandardStreams) -> None:
        """Start the program; raise SessionError if it cannot be started."""
        _check_launch(launch)
        self._status: ExitReport | None = None
        self._is_killed = False
        try:
            self.pid = _start(launch, limits, stdio.path if isinstance(stdio, Terminal) else stdio)
        except (OSError, ValueError) as error:
            raise SessionError(f"cannot start {launch.argv[0]!r}: {plain_reason(error)}") from error
        self.end_fd = _end_fd(self.pid)

    @property
    def root_pid(self) -> int:
        """The process from which everything it started descends, except orphans that were adopted elsewhere."""
        return self.pid

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.kill()
            self.reap()
        finally:
            if self.end_fd is not None:
                os.close(self.end_fd)

    def has_ended(self) -> bool:
        """Return whether the program itself has ended; its child processes may still run."""
        if self._status is None and self.end_fd is not None:
            return _is_readable(self.end_fd, 0)
        if self._status is None and self._try_to_reap():
            self._kill_group()
        return self._status is not None

    def has_left(self) -> bool:
        """Return whether its process group has other members; see `RunningProgram`."""
        return self._try_to_reap() is not None and self._group_is_there()

    def kill(self) -> None:
        """Kill the program, its process group and its descendants; harmless after the program has ended."""
        if self._is_killed:
            return
        self._is_killed = True
        started = [] if self.has_ended() else list(tree.descendants(self.pid))
        # Once the program has been waited for, its number may belong to another process, unless its group keeps it
        # reserved.
        if self._status is None or self._group_is_there():
            self._kill_group()
        for pid in started:
            tree.kill_tree(pid)

    def kill_holders(self, terminal: os.stat_result) -> None:
        """Kill all processes that have the terminal open: descendants that left the session and lost their parent."""
        if sys.platform == "linux":
            for pid in tree.holders(terminal):
                tree.kill_tree(pid)

    def reap(self) -> ExitReport:
        """Wait for the ended or killed program and return how it ended.

        Raises SessionError if the kernel cannot end it.
        """
        limit = TimeLimit(_SECONDS_TO_DIE)
        while (status := self._try_to_reap()) is None:
            if limit.is_over():
                raise SessionError(f"process {self.pid} cannot be killed; it may hang in the kernel")
            if self.end_fd is None:
                time.sleep(0.001)
            else:
                _is_readable(self.end_fd, 0.1)
        return status

    def _try_to_reap(self) -> ExitReport | None:
        if self._status is None:
            pid, status, usage = os.wait4(self.pid, os.WNOHANG)
            if pid:
                self._status = ExitReport(status, usage.ru_utime + usage.ru_stime)
        return self._status

    def _group_is_there(self) -> bool:
        try:
            os.killpg(self.pid, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            return True
        return True

    def _kill_group(self) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)


def _check_launch(launch: Launch) -> None:
    """Raise SessionError if the executable or the folder does not exist."""
    executable = launch.workdir / launch.argv[0]
    if not os.path.isfile(executable) or not os.access(executable, os.X_OK):
        raise SessionError(f"there is no executable program {str(executable)!r}")
    if not os.path.isdir(launch.workdir) or not os.access(launch.workdir, os.X_OK):
        raise SessionError(f"there is no folder {str(launch.workdir)!r} to run in")


def _end_fd(pid: int) -> int | None:
    """Return a descriptor that becomes readable when the process ends, or None on systems without such descriptors."""
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
