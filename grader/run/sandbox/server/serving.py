"""Serves the grader's requests: starts one program after another without leaving traces.

Each request is received by the process that becomes its test, never by the first process of the sandbox, because all
later tests are forks of that process and could read anything that was ever in its memory.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import _socket
import fcntl
import os
import resource
import termios

from confinement import drop_capabilities, set_dumpable, set_limits
from folders import (
    WORK,
    FolderContent,
    KeptFolders,
    copy_files,
    is_cut,
    lay_out,
    lay_out_from,
    new_folders,
    read_folder,
)
from messages import close_all, receive_message, received, send_message, send_with_hold

TYPE_CHECKING = False
if TYPE_CHECKING:
    import types
    from collections.abc import Callable

    from calls import CallMaker

END = b"end"
BUILD_FAILED = 1 << 8
CLEARED = 64
MAX_COMPLAINED = 1000
# Variables that an interpreter or the C library reads only at startup.
READ_AT_START, READ_PREFIXES = {"LANG", "LANGUAGE", "TZ"}, ("LC_", "LD_", "MALLOC_", "PYTHON")


class ProgramRequest:
    """A parsed message from the grader, and the descriptors that came with it."""

    def __init__(self, message: str, descriptors: list[int], variables: dict[str, str]) -> None:
        """Take the server's variables as `variables`; a test usually has the same ones, so that none need to be set."""
        rest = iter(message.split("\0"))
        self.kind = next(rest)
        self.program = next(rest)
        limits = [next(rest).split("=") for _ in range(int(next(rest)))]
        self.limits = {int(kind): int(limit) for kind, limit in limits}
        self.wanted = [next(rest) for _ in range(int(next(rest)))]
        self.sizes = {next(rest): int(next(rest)) for _ in range(int(next(rest)))}
        self.argv = [next(rest) for _ in range(int(next(rest)))]
        self.environment = dict(field.split("=", 1) for field in rest)
        changed = {name for name, _ in self.environment.items() ^ variables.items()}
        self.sets_variables = bool(changed)
        self.needs_start = any(name in READ_AT_START or name.startswith(READ_PREFIXES) for name in changed)
        self.descriptors = descriptors
        self.streams = descriptors[: len(descriptors) - bool(self.sizes)]
        # The FILE in `python3 FILE`. In a call, this is not the program whose functions are called.
        self.file = self.argv[1] if self.kind == "call" else self.program

    def lay_out(self, submission: FolderContent) -> None:
        """Put the submission and the test's additional files into the working folder.

        Files that the program must write are left out.
        """
        lay_out(submission, {*self.sizes, *self.wanted})
        if self.sizes:
            lay_out_from(self.descriptors[len(self.streams)], self.sizes)


class StartedTest:
    """The information about a started test that the server needs when it ends, and nothing else from its request.

    `builds` is the program whose built files are kept (empty if none), and `terminal` is the terminal of the build.
    """

    def __init__(self, message: str, descriptors: list[int]) -> None:
        file_bytes, self.builds = message.split("\0")
        self.file_bytes = int(file_bytes)
        [self.terminal] = descriptors


class WaitingProcess:
    """A process waiting to become a test, the socket on which it announces this, and a pipe for its errors."""

    def __init__(self) -> None:
        """Fork the process. Raises OSError."""
        self.hear, self.tell = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_SEQPACKET)
        self.complaints, self.complain = open_high_pipe()
        try:
            self.pid = os.fork()
        except OSError:
            close_all([self.complaints, self.complain])
            raise
        if self.pid:
            self.tell.close()
            os.close(self.complain)

    def take_request(self, control: _socket.socket, submission: FolderContent, built: KeptFolders) -> ProgramRequest:
        """Take the next request in the waiting process, lay out its files, and notify the server and the grader."""
        self.hear.close()
        os.close(self.complaints)
        request = next_request(control)
        try:
            is_built = request.kind != "build" and request.program in built.places
            request.lay_out(built.content(request.program) if is_built else submission)
        except OSError as error:
            control.send(f"failed\0{error}".encode())
            os._exit(0)
        facts = f"{request.limits[resource.RLIMIT_FSIZE]}\0{request.program if request.kind == 'build' else ''}"
        send_message(self.tell, facts, [request.streams[1]])
        send_with_hold(control, "started", os.getpid())
        self.tell.close()
        control.close()
        close_all(request.descriptors[len(request.streams) :])
        return request

    def started(self) -> StartedTest | None:
        """Wait until the process becomes a test; return None if it ended before that."""
        message, descriptors = receive_message(self.hear)
        self.hear.close()
        return StartedTest(message, descriptors) if message else None

    def complaint(self) -> bytes:
        """Return the error that the process reported; call this after the process has ended."""
        text = os.read(self.complaints, MAX_COMPLAINED)
        os.close(self.complaints)
        return text


def serve(
    control: _socket.socket,
    submission: FolderContent,
    built: KeptFolders,
    prepared: dict[str, types.CodeType],
    calls: CallMaker,
) -> ProgramRequest:
    """Run one test after another; only return in the process of a test that runs prepared code.

    Each process is forked before its test is requested, while the grader judges the previous test.
    """
    disk_bytes = size_of(WORK)
    while True:
        new_folders(disk_bytes)
        try:
            waiting = WaitingProcess()
        except OSError as error:
            refuse_next(control, error)
            continue
        if waiting.pid == 0:
            request = waiting.take_request(control, submission, built)
            if request.kind == "call" and request.program in prepared:
                calls.load()
            become_test(request, prepared, waiting.complain)
            return request
        started = waiting.started()
        if started is None:
            end_everything(waiting.pid)
            waiting.complaint()
            end_without_grader(control)
        else:
            run_to_end(control, waiting, started, built, disk_bytes)


def end_without_grader(control: _socket.socket) -> None:
    """End this process if the grader is gone."""
    try:
        if not control.recv(1, _socket.MSG_PEEK | _socket.MSG_DONTWAIT):
            os._exit(0)
    except BlockingIOError:
        return


def run_to_end(
    control: _socket.socket, test: WaitingProcess, started: StartedTest, built: KeptFolders, disk_bytes: int
) -> None:
    """End all processes on request and report the status; keep built files, and copy back wanted files."""
    wish = control.recv(len(END) + 1, _socket.MSG_PEEK)
    if not wish:
        os._exit(0)
    status, seconds = end_everything(test.pid)
    if started.builds and status == 0:
        status = keep_build(built, started, disk_bytes)
    os.close(started.terminal)
    if wish == END:
        control.recv(len(END))
    else:
        in_a_fork(lambda: hand_back(control))
    answer = f"{status}\0{seconds}\0{'cut' if is_cut(started.file_bytes) else 'whole'}".encode()
    complaint = test.complaint()
    control.send(b"cannot start\0\0" + complaint if complaint else answer)


def hand_back(control: _socket.socket) -> None:
    """Copy the files that the message at the end of the test requests."""
    message, descriptors = receive_message(control)
    copy_files(message.split("\0")[1:], descriptors[0])


def in_a_fork(work: Callable[[], object]) -> bool:
    """Do `work` in a child process, so that it leaves no trace in this one; return whether that succeeded."""
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            work()
            status = 0
        finally:
            os._exit(status)
    return os.waitpid(pid, 0)[1] == 0


def size_of(folder: str) -> int:
    """Return the capacity in bytes of a folder's file system."""
    room = os.statvfs(folder)
    return room.f_blocks * room.f_frsize


def open_high_pipe() -> tuple[int, int]:
    """Return both ends of a close-on-exec pipe, numbered above the descriptors that a test closes."""
    ends = os.pipe()
    high, low = (fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, CLEARED) for end in ends)
    close_all(list(ends))
    return high, low


def keep_build(built: KeptFolders, test: StartedTest, disk_bytes: int) -> int:
    """Keep the files that a build left; return its wait status, or a failure if they cannot be kept."""
    start = built.size
    if not in_a_fork(lambda: keep_files(built, test.terminal, disk_bytes)):
        return BUILD_FAILED
    built.places[test.builds] = start, built.size - start
    return 0


def keep_files(built: KeptFolders, terminal: int, disk_bytes: int) -> None:
    """Keep the files of the working folder. Raises OSError, after printing it on the terminal."""
    try:
        built.write(read_folder(WORK, disk_bytes))
    except OSError as error:
        try_to_print(terminal, f"The files that were built cannot be kept: {error}\n")
        raise


def try_to_print(terminal: int, text: str) -> None:
    """Print on a terminal if there is room for the text."""
    os.set_blocking(terminal, False)
    try:
        os.write(terminal, text.encode())
    except OSError:
        return


def next_request(control: _socket.socket) -> ProgramRequest:
    """Wait for a request; end this process if there will not be one."""
    message, descriptors = receive_message(control)
    if not message:
        os._exit(0)
    return ProgramRequest(message, descriptors, dict(os.environ))


def refuse_next(control: _socket.socket, error: OSError) -> None:
    """Wait for a request, read as little of it as possible, and tell the grader why it cannot be started."""
    data, ancillary, _, _ = control.recvmsg(1, 64)
    if not data:
        os._exit(0)
    close_all(received(ancillary))
    control.send(f"failed\0{error}".encode())


def end_everything(pid: int) -> tuple[int, float]:
    """Kill all other processes, and return the wait status of `pid` and the total processor time."""
    status, before = 0, children_seconds()
    while True:
        kill_others()
        try:
            ended, its_status = os.waitpid(-1, 0)
        except ChildProcessError:
            return status, children_seconds() - before
        if ended == pid:
            status = its_status


def children_seconds() -> float:
    """Return the processor time of all processes that have been waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def kill_others() -> None:
    """Kill all processes except this one, if there are any."""
    try:
        os.kill(-1, _signal.SIGKILL)
    except ProcessLookupError:
        return


def become_test(request: ProgramRequest, prepared: dict[str, types.CodeType], complain: int) -> None:
    """Take over the test's terminal, limits and variables in its process, and execute the command if not prepared.

    If a system program cannot be executed, which is not the submission's fault, `complain` tells the grader.
    """
    try:
        os.setsid()
        # Standard input may be a file instead of the terminal.
        if os.isatty(request.streams[1]):
            fcntl.ioctl(request.streams[1], termios.TIOCSCTTY, 0)
        # Moved up, out of the way of their final numbers.
        moved = [fcntl.fcntl(descriptor, fcntl.F_DUPFD, 10) for descriptor in request.streams]
        for number, descriptor in enumerate(moved):
            os.dup2(descriptor, number)
        os.closerange(len(moved), CLEARED)
        os.chdir(WORK)
        set_limits(request.limits)
        drop_capabilities()
        if request.kind not in ("fork", "call") or request.program not in prepared or request.needs_start:
            # Python ignores these signals, and other programs would inherit that.
            for number in (_signal.SIGPIPE, _signal.SIGXFSZ):
                _signal.signal(number, _signal.SIG_DFL)
            os.execve(request.argv[0], request.argv, request.environment)
        os.close(complain)
        if request.sets_variables:
            os.environ.clear()
            os.environ.update(request.environment)
        _signal.signal(_signal.SIGINT, _signal.default_int_handler)
        set_dumpable(1)
    except BaseException as error:
        if os.path.isabs(request.argv[0]):
            os.write(complain, str(error).encode())
        os.write(2, f"cannot start: {error}\n".encode())
        os._exit(127)
