"""Opens submissions' sandboxes, either as forks of a shared template or each with its own bubblewrap."""

import os
import select
import signal
import socket
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from threading import Lock

from grader.errors import reported_as
from grader.model.program import Limits
from grader.run.process import tree
from grader.run.process.memory import MemoryGroup
from grader.run.sandbox.bubblewrap import SandboxView, bubblewrap_command, template_command
from grader.run.sandbox.sandbox import (
    LARGEST_MESSAGE,
    Sandbox,
    SandboxError,
    descriptor_message,
    process_id,
    received_descriptor,
)
from grader.run.sandbox.starting import ServerChannel, bubblewrap, open_channel, server_command, start_server

_SECONDS_TO_ANSWER = 20.0
_SECONDS_TO_FORK, _MAX_LOOKS = 0.001, 1000


class SandboxStart(Enum):
    """How sandboxes start: as forks of one prepared interpreter if possible, or each with its own interpreter."""

    FORK = "fork"
    OWN = "own"


class NoForkError(SandboxError):
    """The template cannot create sandboxes here; sandboxes with their own interpreter may work."""


@dataclass(frozen=True, kw_only=True)
class SandboxNeeds:
    """The requirements of a sandbox: the folder with the copy of a submission, its limits, and its control group.

    Without `prepare`, the submission is not read, because merely compiling a program can use up all time and memory, or
    crash the interpreter. `calls` means that functions are going to be called.
    """

    submission: Path
    limits: Limits
    group: MemoryGroup | None
    prepare: bool
    calls: bool

    @property
    def fields(self) -> tuple[str, str]:
        """The memory for preparing the submission (0 if it is not prepared), and the word for calls."""
        return str(self.limits.memory_bytes if self.prepare else 0), "calls" if self.calls else ""

    @property
    def seconds_to_prepare(self) -> float:
        """The maximum time for preparing the submission."""
        return min(self.limits.wall_seconds, _SECONDS_TO_ANSWER) if self.prepare else _SECONDS_TO_ANSWER


class Sandboxes:
    """Creates sandboxes with the same view, and starts the template when the first sandbox is opened."""

    def __init__(self, view: SandboxView, environment: Mapping[str, str], start: SandboxStart) -> None:
        """Take the `environment` for interpreters, and a `view` that shows the folder with copies of submissions."""
        self._view = view
        self._environment = environment
        self._start = start
        self._lock = Lock()
        self._stack = ExitStack()
        self._template: _Template | None = None

    @property
    def start(self) -> SandboxStart:
        """How the next sandbox is expected to start."""
        return self._start

    @contextmanager
    def open(self, needs: SandboxNeeds) -> Iterator[Sandbox]:
        """Open a sandbox; when its context ends, no process in it is left running. Raises SandboxError."""
        with ExitStack() as stack:
            yield self._open(needs, stack)

    def close(self) -> None:
        """End the template and all sandboxes forked from it."""
        self._stack.close()

    def _open(self, needs: SandboxNeeds, stack: ExitStack) -> Sandbox:
        # A submission that broke one sandbox gets the simplest kind.
        if self._start is SandboxStart.FORK and needs.prepare:
            try:
                return stack.enter_context(self._running_template().open_sandbox(needs))
            except NoForkError:
                self._start = SandboxStart.OWN
        return stack.enter_context(self._open_own(needs))

    def _running_template(self) -> "_Template":
        with self._lock:
            if self._template is None:
                self._template = self._stack.enter_context(_open_template(self._view, self._environment))
            return self._template

    @contextmanager
    def _open_own(self, needs: SandboxNeeds) -> Iterator[Sandbox]:
        view = replace(self._view, submission=needs.submission)
        with open_channel() as channel:
            inner = server_command(channel, *needs.fields)
            command = bubblewrap_command(bubblewrap(), view, needs.limits.disk_bytes, inner)
            with _killed_on_exit(start_server(channel, command, self._environment)) as process:
                channel.ours.settimeout(needs.seconds_to_prepare)
                group = _first_process_taken(needs.group, process.pid, channel.ours)
                channel.expect_ready()
                yield _sandbox(channel, process.pid, _rest_taken(group, process.pid))


@contextmanager
def _killed_on_exit(process: "subprocess.Popen[bytes]") -> Iterator["subprocess.Popen[bytes]"]:
    """Kill a process when the context ends; killing bubblewrap also ends everything inside."""
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@contextmanager
def _open_template(view: SandboxView, environment: Mapping[str, str]) -> Iterator["_Template"]:
    """Start the interpreter from which sandboxes are forked. Raises NoForkError.

    It ends with this process, because that closes this end of the socket.
    """
    with open_channel() as channel:
        try:
            command = template_command(bubblewrap(), view, server_command(channel))
            process = start_server(channel, command, environment)
            channel.ours.settimeout(_SECONDS_TO_ANSWER)
            with _killed_on_exit(process):
                channel.expect_ready()
                try:
                    yield _Template(channel.ours)
                finally:
                    channel.ours.shutdown(socket.SHUT_RDWR)
                    process.wait()
        except SandboxError as error:
            raise NoForkError(str(error)) from error


class _Template:
    """A sandboxed interpreter that never runs a submitted program."""

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._modules: frozenset[str] = frozenset()

    @contextmanager
    def open_sandbox(self, needs: SandboxNeeds) -> Iterator[Sandbox]:
        """Open a sandbox; see `Sandboxes.open`.

        Raises NoForkError if this fails before the sandbox has read the submission.
        """
        folder = needs.submission.name, str(needs.limits.disk_bytes)
        fields = *folder, *needs.fields, *sorted(self._modules)
        with open_channel() as channel:
            channel.ours.settimeout(_SECONDS_TO_ANSWER)
            with reported_as(NoForkError, "the template does not answer"):
                rights = descriptor_message([channel.theirs.fileno(), channel.terminal])
                self._control.sendmsg(["\0".join(fields).encode()], rights)
                channel.hand_over()
                answer, ancillary, _, _ = channel.ours.recvmsg(LARGEST_MESSAGE, 64, socket.MSG_CMSG_CLOEXEC)
            if answer != b"entered":
                raise NoForkError(answer.decode("utf-8", "replace"))
            with _killed(received_descriptor(ancillary)) as pid:
                group = _put_into_group(needs.group, [pid])
                channel.ours.settimeout(needs.seconds_to_prepare)
                channel.ours.send(b"go on")
                self._modules = self._modules.union(channel.expect_ready())
                yield _sandbox(channel, pid, group)


@contextmanager
def _killed(pidfd: int) -> Iterator[int]:
    """Yield the id of a sandbox's first process, then kill it, which ends all processes there."""
    try:
        yield process_id(pidfd)
    finally:
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(pidfd, signal.SIGKILL)
        ended = select.poll()
        ended.register(pidfd, select.POLLIN)
        ended.poll()
        os.close(pidfd)


def _sandbox(channel: ServerChannel, pid: int, group: MemoryGroup | None) -> Sandbox:
    channel.ours.settimeout(_SECONDS_TO_ANSWER)
    return Sandbox(channel.ours, pid, group, _other_user(pid))


def _first_process_taken(group: MemoryGroup | None, root: int, control: socket.socket) -> MemoryGroup | None:
    """Put the first process of a sandbox, the child of `root`, into the group; return None if that fails.

    This is done as soon as the process exists, because the kernel may take 10 ms, during which the interpreter starts.
    """
    if group is None:
        return None
    processes: list[int] = []
    for _ in range(_MAX_LOOKS):
        has_answered = bool(select.select([control], [], [], _SECONDS_TO_FORK)[0])
        processes = [pid for pid in tree.descendants(root) if pid != root]
        if processes or has_answered:
            break
    return _put_into_group(group, processes)


def _rest_taken(group: MemoryGroup | None, root: int) -> MemoryGroup | None:
    """Put any processes that the first one forked before it was moved into the group; return None if that fails."""
    if group is None:
        return None
    inside = group.processes()
    return _put_into_group(group, [pid for pid in tree.descendants(root) if pid != root and pid not in inside])


def _put_into_group(group: MemoryGroup | None, processes: list[int]) -> MemoryGroup | None:
    """Put processes into the group; return None if that fails."""
    if group is None:
        return None
    try:
        for pid in processes:
            group.take(pid)
    except OSError:
        return None
    return group


def _other_user(root: int) -> int | None:
    """Return the user of the processes below `root` if this process runs as root and they do not, or else None."""
    if os.geteuid() != 0:
        return None
    lines = (line for pid in tree.descendants(root) for line in tree.read(f"{pid}/status").splitlines())
    users = [int(line.split()[1]) for line in lines if line.startswith(b"Uid:")]
    return next((user for user in users if user != 0), None)
