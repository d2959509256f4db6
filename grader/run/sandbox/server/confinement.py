"""Restricts the processes in a sandbox: their privileges, system calls and resources."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import _thread
import ctypes
import os
import resource

STUDENT = 1000
PR_SET_DUMPABLE, PR_SET_SECCOMP = 4, 22
SECCOMP_MODE_FILTER = 2
MS_RDONLY, MS_NOSUID, MS_NODEV = 1, 2, 4
MAX_SKIPPED = 100
LAST_NUMBER = "/proc/sys/kernel/ns_last_pid"
# The id that the kernel shows for ids that do not exist in a container.
OVERFLOW_ID = 65534
# Ids that systems do not assign to users, and that systemd does not use either.
FIRST_ID, MAX_IDS = 1_879_048_192, 1 << 24
CLONE_NEWUSER, CLONE_NEWNS = 0x10000000, 0x00020000
CAPABILITY_VERSION = 0x20080522

LIBC = ctypes.CDLL(None, use_errno=True)
# Created once, because creating array types and looking up a function would cost each test more than the call itself.
SET_CAPABILITIES = LIBC.capset
CAPABILITY_HEADER, NO_CAPABILITIES = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION, 0), (ctypes.c_uint32 * 6)()


class SystemCallFilter(ctypes.Structure):
    """The kernel's `struct sock_fprog`."""

    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p))


def restore_signals() -> None:
    """Restore signals that the grader ignores, as under `nohup`, except the ones that Python itself ignores."""
    for number in _signal.valid_signals() - {_signal.SIGPIPE, _signal.SIGXFSZ}:
        if _signal.getsignal(number) == _signal.SIG_IGN:
            _signal.signal(number, _signal.SIG_DFL)
    _signal.signal(_signal.SIGINT, _signal.SIG_DFL)


def drop_privileges() -> None:
    """Become an unprivileged user who can mount folders, in a new user namespace that counts its processes.

    If root created this sandbox, the user is chosen at random, so that sandboxes do not share anything that the kernel
    counts per user on the whole machine, such as descriptors in transit through a socket.

    The first process does not receive signals from inside the sandbox unless it handles them.
    """
    restore_signals()
    if os.getuid() == 0 and number_of_ids() > 1:
        os.setgroups([])
        identity = random_id()
        os.setresgid(identity, identity, identity)
        os.setresuid(identity, identity, identity)
    user, group = os.getuid(), os.getgid()
    set_dumpable(1)
    if LIBC.unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0:
        # Some systems do not allow mounting in a bubblewrap sandbox.
        check_result(LIBC.unshare(CLONE_NEWUSER))
    for name, line in (("setgroups", "deny"), ("uid_map", f"{STUDENT} {user} 1"), ("gid_map", f"{STUDENT} {group} 1")):
        write_file(f"/proc/self/{name}", line)
    set_dumpable(0)


def id_ranges(kind: str) -> list[tuple[int, int]]:
    """Return the first id and the length of each available range of "uid" or "gid"."""
    with open(f"/proc/self/{kind}_map") as file:
        return [(int(first), int(count)) for first, _, count in map(str.split, file)]


def number_of_ids() -> int:
    """Return the number of user ids available here, which is 1 if an ordinary user created the sandbox."""
    return sum(count for _, count in id_ranges("uid"))


def random_id() -> int:
    """Return a random id that other users do not have, or `OVERFLOW_ID` if the container has too few ids."""
    number = FIRST_ID + int.from_bytes(os.urandom(8), "little") % MAX_IDS
    for kind in "uid", "gid":
        if not any(first <= number < first + count for first, count in id_ranges(kind)):
            return OVERFLOW_ID
    return number


def hide_own_process() -> None:
    """Hide this process's data in /proc, such as the processor time used so far, if mounting is allowed."""
    LIBC.mount(b"tmpfs", b"/proc/1", b"tmpfs", MS_RDONLY, b"size=4096")


def skip_process_numbers() -> None:
    """Continue with a random process number, so that a program cannot tell whether its test is the first."""
    skipped = os.urandom(1)[0] % MAX_SKIPPED
    try:
        write_file(LAST_NUMBER, str(os.getpid() + skipped))
    except OSError:
        for _ in range(skipped):
            start_and_end_thread()
        # The last one may still be ending, and a process with two threads cannot enter a user namespace.
        while len(os.listdir("/proc/self/task")) > 1:
            os.sched_yield()


def start_and_end_thread() -> None:
    """Start and end a thread, which uses up one process number."""
    ended = _thread.allocate_lock()
    ended.acquire()
    _thread.start_new_thread(ended.release, ())
    ended.acquire()


def filter_system_calls(program: bytes) -> None:
    """Make the kernel filter the system calls of this process and everything it starts."""
    instructions = ctypes.create_string_buffer(program, len(program))
    description = SystemCallFilter(len(program) // 8, ctypes.addressof(instructions))
    check_result(LIBC.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(description), 0, 0))


def drop_capabilities() -> None:
    """Drop all capabilities of the first process of a user namespace."""
    check_result(SET_CAPABILITIES(CAPABILITY_HEADER, NO_CAPABILITIES))


def set_limits(limits: dict[int, int]) -> None:
    """Set limits by resource, but never above the current ones."""
    for kind, limit in limits.items():
        hard = resource.getrlimit(kind)[1]
        soft = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        if kind != resource.RLIMIT_STACK:
            # Reaching the first limit on processor time sends a signal that reveals the cause; the second would simply
            # kill.
            hard = soft + (kind == resource.RLIMIT_CPU and soft == limit)
        resource.setrlimit(kind, (soft, hard))


def set_dumpable(value: int) -> None:
    """Set whether other processes of the same user may inspect this one (1) or not (0)."""
    check_result(LIBC.prctl(PR_SET_DUMPABLE, value, 0, 0, 0))


def mount(kind: str, target: str, flags: int, settings: str = "") -> None:
    """Mount a virtual file system. Raises OSError."""
    check_result(LIBC.mount(kind.encode(), target.encode(), kind.encode(), flags, settings.encode()))


def check_result(result: int) -> None:
    """Raise OSError if a call of the C library failed."""
    if result != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def write_file(path: str, text: str) -> None:
    """Write `text` to a kernel file in a single call, as the kernel requires."""
    with open(path, "w") as file:
        file.write(text)
