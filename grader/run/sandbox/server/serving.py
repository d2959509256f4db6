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
FILE_BYTES = LIMITED.index(resource.RLIMIT_FSIZE)


class ProgramRequest:
    """A message of the grader, taken apart, and the descriptors that came with it."""

    def __init__(self, text: str, descriptors: list[int], variables: dict[str, str]) -> None:
        """`variables` are those of the server; as a rule a test gets the same, and none needs to be set."""
        fields = text.split("\0")
        self.kind = fields[0]
        self.program = fields[1]
        self.limits = [int(field) for field in fields[2 : 2 + len(LIMITED)]]
        rest = iter(fields[2 + len(LIMITED) :])
        self.wanted = [next(rest) for _ in range(int(next(rest)))]
        self.sizes = {next(rest): int(next(rest)) for _ in range(int(next(rest)))}
        self.argv = [next(rest) for _ in range(int(next(rest)))]
        self.environment = dict(field.split("=", 1) for field in rest)
        self.sets_variables = self.environment != variables
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


def serve(
    control: _socket.socket, submission: FolderContent, prepared: dict[str, types.CodeType], calls: CallMaker
) -> ProgramRequest:
    """Run one test after another; returns in the process of a test that is to run prepared code."""
    built: dict[str, FolderContent] = {}
    variables = dict(os.environ)
    disk_bytes = size_of(WORK)
    new_folders(disk_bytes)
    while True:
        message, descriptors = receive_message(control)
        if not message:
            os._exit(0)
        request = ProgramRequest(message, descriptors, variables)
        building = request.kind == "build"
        try:
            request.lay_out(submission if building else built.get(request.program, submission))
            if request.kind == "call" and request.program in prepared:
                calls.load()
            complaints, complain = pipe_out_of_the_way()
            pid = os.fork()
        except OSError as error:
            close_all(descriptors)
            new_folders(disk_bytes)
            control.send(f"failed\0{error}".encode())
            continue
        if pid == 0:
            control.close()
            os.close(complaints)
            close_all(descriptors[len(request.streams) :])
            become_test(request, request.streams, prepared, complain)
            return request
        os.close(complain)
        status, seconds = run_to_end(control, pid)
        if building and status == 0:
            status = keep_build(built, request.program, request.streams[1], disk_bytes)
        request.hand_back()
        close_all(descriptors)
        answer = f"{status}\0{seconds}\0{'cut' if is_cut(request.limits[FILE_BYTES]) else 'whole'}".encode()
        complaint = read_and_close(complaints)
        control.send(b"cannot start\0\0" + complaint if complaint else answer)
        new_folders(disk_bytes)


def size_of(folder: str) -> int:
    """Return how many bytes the file system of a folder has room for when it is empty."""
    room = os.statvfs(folder)
    return room.f_blocks * room.f_frsize


def read_and_close(pipe: int) -> bytes:
    """Return what was written into a pipe that no other process has any more."""
    content = os.read(pipe, 1000)
    os.close(pipe)
    return content


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


def run_to_end(control: _socket.socket, pid: int) -> tuple[int, float]:
    """Tell the grader about the process, and end everything when told to; return wait status and processor seconds."""
    send_with_hold(control, b"started", pid)
    if not control.recv(64):
        os._exit(0)
    return end_everything(pid)


def send_with_hold(control: _socket.socket, word: bytes, pid: int) -> None:
    """Send the grader a word, and a pidfd of a process."""
    pidfd = os.pidfd_open(pid)
    control.sendmsg([word], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, array.array("i", [pidfd]))])
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


def become_test(
    request: ProgramRequest, descriptors: list[int], prepared: dict[str, types.CodeType], complain: int
) -> None:
    """In the process of a test: take the terminal, the limits and the variables. Execute what is not prepared.

    That a program of the system cannot be executed is no fault of the submission, so the grader is told by `complain`.
    """
    try:
        os.setsid()
        # Standard input may be a file beside the terminal.
        if os.isatty(descriptors[1]):
            fcntl.ioctl(descriptors[1], termios.TIOCSCTTY, 0)
        # Moved up, out of the way of the numbers they are to get.
        moved = [fcntl.fcntl(descriptor, fcntl.F_DUPFD, 10) for descriptor in descriptors]
        for number, descriptor in enumerate(moved):
            os.dup2(descriptor, number)
        os.closerange(len(moved), CLEARED)
        os.chdir(WORK)
        set_limits(request.limits)
        drop_capabilities()
        if request.kind not in ("fork", "call") or request.program not in prepared:
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
