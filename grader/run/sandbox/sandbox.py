"""A sandbox with a prepared interpreter for a submission, whose tests run in it one after another."""

import array
import os
import resource
import select
import signal
import socket
import stat
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from grader.errors import SessionError, reported_as
from grader.model.program import Limits
from grader.run.interface import Launch
from grader.run.process import tree
from grader.run.process.kernel_limits import kernel_limits
from grader.run.process.memory import MemoryGroup
from grader.run.process.program import ExitReport, StandardStreams
from grader.run.process.terminal import Terminal
from grader.run.sandbox.bubblewrap import SYSTEM

LARGEST_MESSAGE = 4096
"""The maximum number of bytes in an answer."""


class SandboxError(SessionError):
    """The sandbox cannot be created, or no longer answers."""


class LostProgramError(SandboxError):
    """The sandbox broke while a program ran in it."""


class RequestKind(StrEnum):
    """The kinds of request: run or call prepared code, execute a command, or execute a command and keep its files."""

    FORK = "fork"
    CALL = "call"
    EXECUTE = "execute"
    BUILD = "build"


class Sandbox:
    """A sandbox that runs programs, one at a time."""

    def __init__(self, control: socket.socket, pid: int, group: MemoryGroup | None, user: int | None) -> None:
        """Take the common ancestor of all processes in the sandbox as `pid`; they belong to `group` if there is one.

        They run as `user`, or as the same user as this process if it is None.
        """
        self._control = control
        self._pid = pid
        self._group = group
        self._user = user

    def start(
        self,
        kind: RequestKind,
        program: str,
        launch: Launch,
        limits: Limits,
        stdio: Terminal | StandardStreams,
        *,
        files: Mapping[str, bytes],
        wanted: "WantedFiles",
    ) -> "SandboxedProgram":
        """Start a program; paths in `launch` are paths inside the sandbox. Raises SandboxError.

        `program` is its file: FORK runs it, CALL calls it, and BUILD keeps the built files for it if the exit status is
        0. Later programs with this name find the kept files. `files` maps names to contents that replace the files of
        the submission in the working folder, for this run only. The `wanted` files are copied once the program has
        ended.
        """
        if self._group is not None:
            self._group.allow(limits.memory_bytes, limits.disk_bytes)
        asked = (str(len(wanted.names)), *wanted.names)
        given = (str(len(files)), *(field for name, content in files.items() for field in (name, str(len(content)))))
        argv = (str(len(launch.argv)), *launch.argv)
        request = "\0".join((kind, program, *_limit_fields(limits), *asked, *given, *argv, *_variable_fields(launch)))
        standard = stdio.descriptors if isinstance(stdio, StandardStreams) else (stdio.program_fd,) * 3
        self._hand_over(standard)
        program_gets = [fd for _, fd in sorted({**dict(enumerate(standard)), **launch.descriptors}.items())]
        with reported_as(SandboxError, "the sandbox does not answer"):
            with _one_after_the_other(files.values()) as contents:
                rights = descriptor_message([*program_gets, *contents])
                self._control.sendmsg([request.encode("utf-8", "surrogateescape")], rights)
            answer, ancillary, _, _ = self._control.recvmsg(LARGEST_MESSAGE, 64, socket.MSG_CMSG_CLOEXEC)
        if answer != b"started":
            raise SandboxError(_failure_reason(answer))
        return SandboxedProgram(self._control, received_descriptor(ancillary), self._pid, self._group, wanted)

    def _hand_over(self, standard: Sequence[int]) -> None:
        """Give the terminal or pipes to the sandbox's user, who can then open them, for example as /dev/stdin.

        The owner of a regular file does not change, so the user can only read it.
        """
        if self._user is None:
            return
        for descriptor in set(standard):
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                os.fchown(descriptor, self._user, -1)


@dataclass(frozen=True)
class WantedFiles:
    """Files that a program may write to its folder; if there are any, they are copied to the single descriptor."""

    names: tuple[str, ...] = ()
    descriptors: tuple[int, ...] = ()


@contextmanager
def _one_after_the_other(contents: Collection[bytes]) -> Iterator[tuple[int, ...]]:
    """Yield the descriptor of an unnamed file that holds all `contents`; yield nothing without contents."""
    if not contents:
        yield ()
        return
    with tempfile.TemporaryFile(buffering=0) as file:
        file.write(b"".join(contents))
        yield (file.fileno(),)


class CannotStartError(SessionError):
    """A program that is not part of the submission cannot be executed inside the sandbox."""


class SandboxedProgram:
    """A program in a sandbox.

    When its context ends, all processes it started have ended and all its files have been removed.
    """

    # A prepared interpreter is forked within a millisecond.
    quiet_start_seconds = 0.001

    def __init__(
        self, control: socket.socket, pidfd: int, root_pid: int, group: MemoryGroup | None, wanted: WantedFiles
    ) -> None:
        self._control = control
        self._wanted = wanted
        self._status: ExitReport | CannotStartError | None = None
        self._told_to_end = False
        self.end_fd = pidfd
        self.pid = process_id(pidfd)
        self.root_pid = root_pid
        self.memory_group = group

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.kill()
            self.reap()
        finally:
            os.close(self.end_fd)

    def has_ended(self) -> bool:
        """Return whether the program itself has ended; its child processes may still run."""
        poll = select.poll()
        poll.register(self.end_fd, select.POLLIN)
        return bool(poll.poll(0))

    def has_left(self) -> bool:
        """Return whether orphans of the program are still running, as children of the sandbox's first process."""
        fields = tree.stat_fields(str(self.pid))
        if not fields:
            return False
        parent = fields[1].decode()
        others = (int(child) for child in tree.read(f"{parent}/task/{parent}/children").split())
        return any(
            tree.stat_fields(str(candidate))[:1] not in ([], [b"Z"]) for candidate in others if candidate != self.pid
        )

    def kill(self) -> None:
        """Request that all processes in the sandbox be killed and its files removed; `reap` waits for this."""
        if self._told_to_end:
            return
        self._told_to_end = True
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.end_fd, signal.SIGKILL)
        names = (name.encode("utf-8", "surrogateescape") for name in self._wanted.names)
        rights = descriptor_message(list(self._wanted.descriptors)) if self._wanted.descriptors else ()
        with suppress(OSError):
            self._control.sendmsg([b"\0".join((b"end", *names))], rights)

    def reap(self) -> ExitReport:
        """Wait until all processes have ended, and return how the program ended.

        Raises LostProgramError if that fails, and CannotStartError if the program never started.
        """
        if self._status is None:
            self.kill()
            try:
                answer = self._control.recv(LARGEST_MESSAGE).decode("utf-8", "replace")
                self._status = _status_in(answer)
            except (OSError, ValueError) as error:
                raise LostProgramError(f"the sandbox does not end its program: {error}") from error
        if isinstance(self._status, CannotStartError):
            raise self._status
        return self._status

    def kill_holders(self, terminal: os.stat_result) -> None:
        """Do nothing, because no process in the sandbox has the terminal open once the program has been reaped."""


def _limit_fields(limits: Limits) -> tuple[str, ...]:
    """Return the number of limits, and each limit as `RESOURCE=VALUE`.

    The limit on processes and threads counts everything that a user runs, so only a sandbox, which has its own user,
    can have it.
    """
    all_limits = {**kernel_limits(limits), resource.RLIMIT_NPROC: limits.processes}
    return str(len(all_limits)), *(f"{kind}={limit}" for kind, limit in all_limits.items())


def _variable_fields(launch: Launch) -> tuple[str, ...]:
    return tuple(f"{name}={value}" for name, value in launch.environment.items())


def descriptor_message(descriptors: list[int]) -> Sequence[tuple[int, int, "array.array[int]"]]:
    """Return the ancillary data that passes descriptors along with a message."""
    return [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))]


def received_descriptor(ancillary: Sequence[tuple[int, int, bytes]]) -> int:
    """Return the only descriptor passed with a message. Raises SandboxError if there is not exactly one."""
    descriptors = array.array("i")
    for _, _, payload in ancillary:
        descriptors.frombytes(payload)
    if len(descriptors) != 1:
        raise SandboxError("the sandbox started a program, but gave no hold on it")
    return descriptors[0]


def _failure_reason(answer: bytes) -> str:
    reason = answer.decode("utf-8", "replace").partition("\0")[2]
    return f"the sandbox cannot start the program: {reason or 'it has ended'}"


def _status_in(message: str) -> ExitReport | CannotStartError:
    """Parse the report on how a program ended. Raises ValueError if it is not a report."""
    if not message:
        raise ValueError("it has ended itself")
    answer, seconds, reason = message.split("\0")
    if answer != "cannot start":
        return ExitReport(int(answer), float(seconds), files_cut=reason == "cut")
    return CannotStartError(
        f"a program cannot be started inside the sandbox: {reason}. There, programs are only in {', '.join(SYSTEM)}: "
        "install it there, or name another one in `run` or `build`"
    )


def process_id(pidfd: int) -> int:
    """Return this side's process id for the process that a descriptor refers to (see pidfd_open(2))."""
    for line in tree.read(f"self/fdinfo/{pidfd}").splitlines():
        if line.startswith(b"Pid:"):
            return int(line.split()[1])
    raise SandboxError("the kernel does not tell the process id of a program in the sandbox")
