"""Creates a sandbox's system call filter as a program for the kernel (seccomp(2)).

The filter rejects calls with which an unprivileged program could leave something for a later test, use memory that is
not limited, interfere with the sandbox's first process, or gain privileges in its own namespace. Only sockets between
processes in the sandbox are allowed, because other kinds, such as AF_VSOCK, ignore network namespaces.
"""

import errno
import os
import socket
import struct
from collections.abc import Iterator

from grader.errors import SessionError

_INSTRUCTION = struct.Struct("=HBBI")
_LOAD, _JUMP_IF_EQUAL, _JUMP_IF_GREATER, _JUMP_IF_ANY_BIT, _RETURN = 0x20, 0x15, 0x25, 0x45, 0x06
_ALLOW, _FAIL = 0x7FFF0000, 0x00050000
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16
_HIGHEST_NUMBER = 0x3FFFFFFF  # x86_64 has the same calls again above this number (x32)
_NEW_NAMESPACES = 0x7E020080
_GENERIC = {
    "add_key": 217,
    "bpf": 280,
    "clone": 220,
    "clone3": 435,
    "io_uring_setup": 425,
    "keyctl": 219,
    "memfd_create": 279,
    "memfd_secret": 447,
    "mq_open": 180,
    "msgget": 186,
    "perf_event_open": 241,
    "prlimit64": 261,
    "request_key": 218,
    "semget": 190,
    "shmget": 194,
    "socket": 198,
    "socketpair": 199,
    "unshare": 97,
    "userfaultfd": 282,
}

_X86_64 = {
    "add_key": 248,
    "bpf": 321,
    "clone": 56,
    "clone3": 435,
    "io_uring_setup": 425,
    "keyctl": 250,
    "memfd_create": 319,
    "memfd_secret": 447,
    "mq_open": 240,
    "msgget": 68,
    "perf_event_open": 298,
    "prlimit64": 302,
    "request_key": 249,
    "semget": 64,
    "shmget": 29,
    "socket": 41,
    "socketpair": 53,
    "unshare": 272,
    "userfaultfd": 323,
}

_MACHINES = {"x86_64": (0xC000003E, _X86_64), "aarch64": (0xC00000B7, _GENERIC), "riscv64": (0xC00000F3, _GENERIC)}
_REFUSED_BITS = {"clone": _NEW_NAMESPACES, "unshare": _NEW_NAMESPACES, "prlimit64": 0xFFFFFFFF}
"""Rejected if the first argument has any of these bits. A process that sets its own limits passes 0."""


_ALLOWED_VALUES = {"socket": socket.AF_UNIX, "socketpair": socket.AF_UNIX}
"""Rejected if the first argument has any other value."""


def filter_program(machine: str | None = None) -> bytes:
    """Return the filter for a kind of machine (see uname(2)), by default this machine.

    Raises SessionError if it is unknown.
    """
    machine = machine or os.uname().machine
    if machine not in _MACHINES:
        raise SessionError(f"sandboxes are made on {', '.join(_MACHINES)}; this is {machine}")
    return b"".join(_INSTRUCTION.pack(*instruction) for instruction in _filter_instructions(*_MACHINES[machine]))


def _filter_instructions(architecture: int, numbers: dict[str, int]) -> Iterator[tuple[int, int, int, int]]:
    """Yield the instructions: an operation, the number of instructions to skip if true and if false, and a value."""
    missing = (_RETURN, 0, 0, _FAIL | errno.ENOSYS)
    refused = (_RETURN, 0, 0, _FAIL | errno.EPERM)
    yield _LOAD, 0, 0, _ARCHITECTURE
    yield _JUMP_IF_EQUAL, 1, 0, architecture
    yield missing
    yield _LOAD, 0, 0, _NUMBER
    yield _JUMP_IF_GREATER, 0, 1, _HIGHEST_NUMBER
    yield missing
    for name, number in numbers.items():
        if name in _REFUSED_BITS:
            yield _JUMP_IF_EQUAL, 0, 4, number
            yield _LOAD, 0, 0, _FIRST_ARGUMENT
            yield _JUMP_IF_ANY_BIT, 0, 1, _REFUSED_BITS[name]
            yield refused
            yield _RETURN, 0, 0, _ALLOW
        elif name in _ALLOWED_VALUES:
            yield _JUMP_IF_EQUAL, 0, 4, number
            yield _LOAD, 0, 0, _FIRST_ARGUMENT
            yield _JUMP_IF_EQUAL, 1, 0, _ALLOWED_VALUES[name]
            yield _RETURN, 0, 0, _FAIL | errno.EAFNOSUPPORT
            yield _RETURN, 0, 0, _ALLOW
        else:
            # Without clone3, whose arguments cannot be checked, the C library uses clone.
            yield _JUMP_IF_EQUAL, 0, 1, number
            yield missing if name == "clone3" else refused
    yield _RETURN, 0, 0, _ALLOW
