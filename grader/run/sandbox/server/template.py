"""Creates sandboxes by forking one prepared interpreter into separate namespaces.

The template itself does not see anything of a submission except the name of its folder. In the protocol, NUL separates
fields:

    grader to template:  folder of the submission, bytes of a writable folder, bytes of memory to prepare it,
                         `calls` if functions will be called, otherwise empty,
                         names of modules to load first because earlier submissions import them...
                         with descriptors: the socket of the new sandbox, and a terminal for messages
    sandbox to grader:   entered, with a descriptor: a pidfd of its first process | failed and why
    grader to sandbox:   go on

After that, the socket is used as in a separate sandbox; see `__main__`.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import _socket
import gc
import os

from confinement import CLONE_NEWNS, LIBC, MS_NODEV, MS_NOSUID, MS_RDONLY, check_result, mount, skip_process_numbers
from folders import SUBMISSION, WRITABLE
from messages import close_all, receive_message, send_with_hold
from module_shelf import PRELOADED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from calls import CallMaker
    from module_shelf import ModuleShelf

CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC = 0x02000000, 0x04000000, 0x08000000
CLONE_NEWPID, CLONE_NEWNET = 0x20000000, 0x40000000
SEPARATED = CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWNET
MS_NOEXEC, MS_REMOUNT, MS_BIND, MS_REC = 8, 32, 4096, 16384
# A single sandbox cannot exhaust the machine's terminals, of which there are several thousand.
MAX_TERMINALS = 64
# The files inside that root could change; bubblewrap covers the same files.
COVERED = ("sys", "sysrq-trigger", "irq", "bus")


class SandboxRequest:
    """A parsed message from the grader, and its descriptors."""

    def __init__(self, text: str, descriptors: list[int]) -> None:
        self.folder, disk_bytes, memory_bytes, calls, *modules = text.split("\0")
        self.disk_bytes = int(disk_bytes)
        self.memory_bytes = int(memory_bytes)
        self.calls = bool(calls)
        self.modules = [name for name in modules if name in PRELOADED]
        self.control = _socket.socket(fileno=descriptors[0])
        self.terminal = descriptors[1]

    def fail(self, error: OSError) -> None:
        """Report why the sandbox could not be created."""
        self.control.send(f"failed\0{error}".encode())


def next_sandbox(grader: _socket.socket, shelf: ModuleShelf, calls: CallMaker) -> SandboxRequest:
    """Create one sandbox after another; return in the first process of each."""
    # Children are never waited for.
    _signal.signal(_signal.SIGCHLD, _signal.SIG_IGN)
    own_processes = os.open("/proc/self/ns/pid", os.O_RDONLY)
    while True:
        message, descriptors = receive_message(grader)
        if not message:
            os._exit(0)
        request = SandboxRequest(message, descriptors)
        load_modules(request, shelf, calls)
        try:
            is_template = fork_first_process(own_processes) != 0
        except OSError as error:
            request.fail(error)
            is_template = True
        if is_template:
            request.control.close()
            close_all([request.terminal])
            continue
        grader.close()
        os.close(own_processes)
        try:
            become_first_process(request)
        except OSError as error:
            request.fail(error)
            os._exit(1)
        return request


def load_modules(request: SandboxRequest, shelf: ModuleShelf, calls: CallMaker) -> None:
    """Load the requested modules that are missing, once for all later sandboxes."""
    if request.calls:
        calls.load()
    missing = [name for name in request.modules if name not in shelf]
    if missing:
        shelf.load(missing)
        gc.freeze()


def fork_first_process(own_processes: int) -> int:
    """Fork a process as the first one in a new process namespace; the next fork gets another namespace.

    `own_processes` is a descriptor of the namespace of this process. Raises OSError.
    """
    check_result(LIBC.unshare(CLONE_NEWPID))
    pid = -1
    try:
        pid = os.fork()
    finally:
        if pid != 0:
            check_result(LIBC.setns(own_processes, CLONE_NEWPID))
    return pid


def become_first_process(request: SandboxRequest) -> None:
    """Enter new namespaces of all other kinds, and wait until the grader has registered this process."""
    check_result(LIBC.unshare(SEPARATED))
    # Not every kernel has these namespaces.
    LIBC.unshare(CLONE_NEWCGROUP)
    _signal.signal(_signal.SIGCHLD, _signal.SIG_DFL)
    os.setsid()
    for number in range(3):
        os.dup2(request.terminal, number)
    os.close(request.terminal)
    mount_own_folders(request)
    send_with_hold(request.control, "entered", os.getpid())
    if not request.control.recv(64):
        os._exit(0)


def mount_own_folders(request: SandboxRequest) -> None:
    """Show only this submission, and mount what bubblewrap would have mounted for a separate sandbox."""
    bind(f"{SUBMISSION}/{request.folder}", SUBMISSION)
    mount("proc", "/proc", MS_NOSUID | MS_NODEV | MS_NOEXEC)
    skip_process_numbers()
    for name in COVERED:
        if os.access(f"/proc/{name}", os.W_OK):
            bind(f"/proc/{name}", f"/proc/{name}", MS_NOEXEC)
    settings = f"newinstance,ptmxmode=0666,mode=620,max={MAX_TERMINALS}"
    mount("devpts", "/dev/pts", MS_NOSUID | MS_NOEXEC, settings)
    for top in WRITABLE:
        mount("tmpfs", top, MS_NOSUID | MS_NODEV, f"size={request.disk_bytes},mode=0777")


def bind(source: str, target: str, flags: int = 0) -> None:
    """Mount a folder read-only in place of another."""
    check_result(LIBC.mount(source.encode(), target.encode(), b"", MS_BIND | MS_REC, b""))
    again = MS_BIND | MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NODEV | flags
    check_result(LIBC.mount(b"", target.encode(), b"", again, b""))
