"""Serves the grader's requests: starts one program after the other and leaves nothing of it behind."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import _socket
import array
import fcntl
import os
import resource
import termios

from confinement import LIMITED, drop_capabilities, set_dumpable, set_limits
from folders import WORK, FolderContent, copy_files, is_cut, lay_out, lay_out_from, new_folders, read_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    import types

    from calls import CallMaker

LARGEST_MESSAGE = 1 << 20
BUILD_FAILED = 1 << 8
CLEARED = 64
MOST_COMPLAINED = 1000
FILE_BYTES = LIMITED.index(resource.RLIMIT_FSIZE)
# Variables that an interpreter or the C library looks at once.
READ_AT_START, READ_PREFIXES = {"LANG", "LANGUAGE", "TZ"}, ("LC_", "LD_", "MALLOC_", "PYTHON")


class ProgramRequest:
    """A message of the grader, taken apart, and the descriptors that came with it."""

    def __init__(self, message: str, descriptors: list[int], variables: dict[str, str]) -> None:
        """`variables` are those of the server; as a rule a test gets the same, and none needs to be set."""
        self.message = message
        fields = message.split("\0")
        self.kind = fields[0]
        self.program = fields[1]
        self.limits = [int(field) for field in fields[2 : 2 + len(LIMITED)]]
        rest = iter(fields[2 + len(LIMITED) :])
        self.wanted = [next(rest) for _ in range(int(next(rest)))]
        self.sizes = {next(rest): int(next(rest)) for _ in range(int(next(rest)))}
        self.argv = [next(rest) for _ in range(int(next(rest)))]
        self.environment = dict(field.split("=", 1) for field in rest)
        changed = {name for name, _ in self.environment.items() ^ variables.items()}
        self.sets_variables = bool(changed)
        self.needs_start = any(name in READ_AT_START or name.startswith(READ_PREFIXES) for name in changed)
        self.descriptors = descriptors
        self.streams = descriptors[: len(descriptors) - bool(self.wanted) - bool(self.sizes)]
        # What `python3 FILE` runs: for a call it is not the program whose functions are called.
        self.file = self.argv[1] if self.kind == "call" else self.program

    def lay_out(self, submission: FolderContent) -> None:
        """Put the submission and the files that the test has in addition into the working folder.

        A file that the program must write is not there before.
        """
        lay_out(submission, {*self.sizes, *self.wanted})
        if self.sizes:
            lay_out_from(self.descriptors[len(self.streams)], self.sizes)

    def hand_back(self) -> None:
        """Copy the files that are wanted."""
        if self.wanted:
            copy_files(self.wanted, self.descriptors[-1])


class WaitingProcess:
    """A process that waits to become a test: what it is told by, and a pipe for what it has to complain of."""

    def __init__(self) -> None:
        """Fork it. Raises OSError."""
        self.tell, self.hear = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_SEQPACKET)
        self.complaints, self.complain = pipe_out_of_the_way()
        try:
            self.pid = os.fork()
        except OSError:
            close_all([self.complaints, self.complain])
            raise
        if self.pid:
            self.hear.close()
            os.close(self.complain)

    def wait(self, variables: dict[str, str]) -> ProgramRequest:
        """In that process: wait for what it is to do."""
        self.tell.close()
        os.close(self.complaints)
        request = next_request(self.hear, variables)
        self.hear.close()
        close_all(request.descriptors[len(request.streams) :])
        return request

    def start(self, request: ProgramRequest) -> None:
        """Have it become a test. Raises OSError if it has ended."""
        send_message(self.tell, request.message, request.descriptors)
        self.tell.close()

    def complaint(self) -> bytes:
        """Return what it complained of; it has ended."""
        said = os.read(self.complaints, MOST_COMPLAINED)
        os.close(self.complaints)
        return said

    def end(self) -> None:
        """End it before it is a test."""
        self.tell.close()
        end_everything(self.pid)
        os.close(self.complaints)


def serve(
    control: _socket.socket, submission: FolderContent, prepared: dict[str, types.CodeType], calls: CallMaker
) -> ProgramRequest:
    """Run one test after another; returns in the process of a test that is to run prepared code.

    Each process is forked before its test is asked for, while the grader judges the test before.
    """
    built: dict[str, FolderContent] = {}
    variables = dict(os.environ)
    disk_bytes = size_of(WORK)
    request = None
    while True:
        new_folders(disk_bytes)
        try:
            waiting = WaitingProcess()
        except OSError as error:
            refuse(control, request or next_request(control, variables), error)
            request = None
            continue
        if waiting.pid == 0:
            control.close()
            request = waiting.wait(variables)
            become_test(request, prepared, waiting.complain)
            return request
        request = request or next_request(control, variables)
        if request.kind == "call" and request.program in prepared and not calls.is_loaded:
            # The process that waits has nothing of what is loaded now.
            waiting.end()
            calls.load()
            continue
        try:
            request.lay_out(submission if request.kind == "build" else built.get(request.program, submission))
            waiting.start(request)
        except OSError as error:
            waiting.end()
            refuse(control, request, error)
        else:
            run_to_end(control, request, waiting, built, disk_bytes)
        request = None


def run_to_end(
    control: _socket.socket,
    request: ProgramRequest,
    test: WaitingProcess,
    built: dict[str, FolderContent],
    disk_bytes: int,
) -> None:
    """Tell the grader about the process, end everything when told to, and tell how it ended; keep what was built."""
    send_with_hold(control, "started", test.pid)
    if not control.recv(64):
        os._exit(0)
    status, seconds = end_everything(test.pid)
    if request.kind == "build" and status == 0:
        status = keep_build(built, request.program, request.streams[1], disk_bytes)
    request.hand_back()
    close_all(request.descriptors)
    answer = f"{status}\0{seconds}\0{'cut' if is_cut(request.limits[FILE_BYTES]) else 'whole'}".encode()
    complaint = test.complaint()
    control.send(b"cannot start\0\0" + complaint if complaint else answer)


def size_of(folder: str) -> int:
    """Return how many bytes the file system of a folder has room for when it is empty."""
    room = os.statvfs(folder)
    return room.f_blocks * room.f_frsize


def pipe_out_of_the_way() -> tuple[int, int]:
    """Return the two ends of a pipe, which close when a program is executed, above the numbers that a test clears."""
    ends = os.pipe()
    high, low = (fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, CLEARED) for end in ends)
    close_all(list(ends))
    return high, low


def keep_build(built: dict[str, FolderContent], program: str, terminal: int, disk_bytes: int) -> int:
    """Keep the files that a build left; return its wait status, which is a failure if they cannot be kept."""
    try:
        built[program] = read_folder(WORK, disk_bytes)
    except OSError as error:
        try_to_print(terminal, f"The files that were built cannot be kept: {error}\n")
        return BUILD_FAILED
    return 0


def try_to_print(terminal: int, text: str) -> None:
    """Print on a terminal that has room for it."""
    os.set_blocking(terminal, False)
    try:
        os.write(terminal, text.encode())
    except OSError:
        return


def close_all(descriptors: list[int]) -> None:
    """Close every descriptor."""
    for descriptor in descriptors:
        os.close(descriptor)


def receive_message(control: _socket.socket) -> tuple[str, list[int]]:
    """Return the next message, empty when the grader is gone, and the descriptors that came with it."""
    data, ancillary, _, _ = control.recvmsg(LARGEST_MESSAGE, 64)
    descriptors = array.array("i")
    for _, _, payload in ancillary:
        descriptors.frombytes(payload)
    return data.decode("utf-8", "surrogateescape"), list(descriptors)


def send_message(control: _socket.socket, message: str, descriptors: list[int]) -> None:
    """Send a message together with descriptors. Raises OSError if the other end is closed."""
    rights = [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, array.array("i", descriptors))]
    control.sendmsg([message.encode("utf-8", "surrogateescape")], rights)


def next_request(control: _socket.socket, variables: dict[str, str]) -> ProgramRequest:
    """Wait for a request; end this process when there will be none. See `ProgramRequest`."""
    message, descriptors = receive_message(control)
    if not message:
        os._exit(0)
    return ProgramRequest(message, descriptors, variables)


def refuse(control: _socket.socket, request: ProgramRequest, error: OSError) -> None:
    """Tell the grader why a test cannot be started."""
    close_all(request.descriptors)
    control.send(f"failed\0{error}".encode())


def send_with_hold(control: _socket.socket, word: str, pid: int) -> None:
    """Send the grader a word, and a pidfd of a process."""
    pidfd = os.pidfd_open(pid)
    send_message(control, word, [pidfd])
    os.close(pidfd)


def end_everything(pid: int) -> tuple[int, float]:
    """Kill all processes but this one, until there is none."""
    status, before = 0, children_seconds()
    while True:
        kill_others()
        try:
            found, its_status = os.waitpid(-1, 0)
        except ChildProcessError:
            return status, children_seconds() - before
        if found == pid:
            status = its_status


def children_seconds() -> float:
    """Return the processor time of all processes that were waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def kill_others() -> None:
    """Kill all processes but this one, if there are any."""
    try:
        os.kill(-1, _signal.SIGKILL)
    except ProcessLookupError:
        return


def become_test(request: ProgramRequest, prepared: dict[str, types.CodeType], complain: int) -> None:
    """In the process of a test: take the terminal, the limits and the variables. Execute what is not prepared.

    That a program of the system cannot be executed is no fault of the submission, so the grader is told by `complain`.
    """
    try:
        os.setsid()
        # Standard input may be a file beside the terminal.
        if os.isatty(request.streams[1]):
            fcntl.ioctl(request.streams[1], termios.TIOCSCTTY, 0)
        # Moved up, out of the way of the numbers they are to get.
        moved = [fcntl.fcntl(descriptor, fcntl.F_DUPFD, 10) for descriptor in request.streams]
        for number, descriptor in enumerate(moved):
            os.dup2(descriptor, number)
        os.closerange(len(moved), CLEARED)
        os.chdir(WORK)
        set_limits(request.limits)
        drop_capabilities()
        if request.kind not in ("fork", "call") or request.program not in prepared or request.needs_start:
            # Python ignores these itself, and would have other programs do so.
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
        if not request.argv[0].startswith(f"{WORK}/"):
            os.write(complain, str(error).encode())
        os.write(2, f"cannot start: {error}\n".encode())
        os._exit(127)
