"""Has the pages of memory that every test writes to copied when a process forks, all at once.

A fork shares its memory with the process it comes from until one of both writes to a page; then the kernel is entered
for that page, which takes longer than to copy it. And every test writes to the same hundreds of pages, in which Python
counts the references to what all programs use. But what a device may write to, the kernel copies while it forks. So
the template and the first process of each sandbox register these pages as buffers of io_uring (see
io_uring_register(2)), which they use for nothing else. Where that is not allowed, only time is lost.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import _socket
import array
import ctypes
import fcntl
import os
import sys

from confinement import LIBC
from folders import FolderContent
from messages import send_message, send_with_hold
from python_program import become_main, complete_files, drop_objects, flush
from serving import (
    CLEARED,
    become_test,
    children_seconds,
    next_request,
    pipe_out_of_the_way,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

PAGE = os.sysconf("SC_PAGE_SIZE")
# Of an entry of /proc/PID/pagemap (see the kernel's admin-guide/mm/pagemap): in memory; of no other process, too.
PRESENT, EXCLUSIVE = 1 << 63, 1 << 56
ENTRY_BYTES = 8
# These system calls have the same number on all machines.
IO_URING_SETUP, IO_URING_REGISTER, REGISTER_BUFFERS = 425, 427, 0
PARAMETERS_BYTES = 120
NAME = "rehearsal.py"
# What programs of beginners do: ask, compute, print.
PROGRAM = """\
total = 0
count = int(input("How many numbers? "))
for number in range(count):
    total += int(input(f"Number {number + 1}: "))
    print("Total so far:", total)
print("Done.")
"""
LINES = b"2\n3\n4\n"
# Seconds, bytes and numbers of what a test may use, in the order of LIMITED.
LIMITS = ("60", str(1 << 40), str(1 << 23), str(1 << 30), "64", "64", "0")


class Buffer(ctypes.Structure):
    """The kernel's `struct iovec`."""

    _fields_ = (("address", ctypes.c_size_t), ("length", ctypes.c_size_t))


NOTHING = (Buffer * 0)()


def find_hot_pages(fresh_main: dict[str, Any]) -> ctypes.Array[Buffer]:
    """Return each piece of memory that a test writes to; none if that is not to be seen.

    `fresh_main` is what the module `__main__` has before its first statement.
    """
    # What a test does not do is done here: that writes to memory, too.
    known, variables = frozenset(sys.modules), dict(os.environ)
    before = set(pages("self", PRESENT))
    said, say = pipe_out_of_the_way()
    pid = os.fork()
    if pid == 0:
        try:
            rehearse(fresh_main, known, variables)
            os.write(say, b"done")
            _signal.pause()
        finally:
            os._exit(0)
    os.close(say)
    # It says nothing when it has failed.
    written = pages(pid, EXCLUSIVE) if os.read(said, 1) else ()
    pieces = joined(page for page in written if page in before)
    os.close(said)
    os.kill(pid, _signal.SIGKILL)
    os.waitpid(pid, 0)
    return (Buffer * len(pieces))(*(Buffer(*piece) for piece in pieces))


def rehearse(fresh_main: dict[str, Any], known: frozenset[str], variables: dict[str, str]) -> None:
    """Ask for a small program as the grader does, and take that request and run it as a test does."""
    screen, terminal = os.openpty()
    # A test closes all that has a low number, and is ended when nothing has the screen any more.
    screen = fcntl.fcntl(screen, fcntl.F_DUPFD, CLEARED)
    os.write(screen, LINES)
    grader, server = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_SEQPACKET)
    fields = ("fork", NAME, *LIMITS, "0", "0", "2", "python3", NAME, *map("=".join, variables.items()))
    send_message(grader, "\0".join(fields), [terminal] * 3)
    request = next_request(server)
    request.lay_out(FolderContent())
    send_message(server, "", [terminal])
    send_with_hold(server, "started", os.getpid())
    grader.recv(len(b"started"))
    children_seconds()
    prepared = {NAME: compile(PROGRAM, NAME, "exec")}
    become_test(request, prepared, pipe_out_of_the_way()[1])
    space = become_main(NAME, request.argv, fresh_main)
    exec(prepared[NAME], space)
    flush(sys.stdout)
    del space
    drop_objects(known)
    complete_files()


def pages(process: int | str, mark: int) -> Iterator[int]:
    """Yield the numbers of the private, writable pages of a process whose entries have a mark."""
    with open(f"/proc/{process}/maps") as maps, open(f"/proc/{process}/pagemap", "rb", buffering=0) as entries:
        for line in maps:
            span, rights, *_ = line.split()
            if rights == "rw-p":
                first, end = (int(address, 16) // PAGE for address in span.split("-"))
                entries.seek(first * ENTRY_BYTES)
                found = array.array("Q", entries.read((end - first) * ENTRY_BYTES))
                yield from (page for page, entry in enumerate(found, first) if entry & mark)


def joined(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """Return address and length of each run of pages, whose numbers are in order."""
    pieces: list[tuple[int, int]] = []
    for page in numbers:
        if pieces and sum(pieces[-1]) == page * PAGE:
            address, length = pieces.pop()
            pieces.append((address, length + PAGE))
        else:
            pieces.append((page * PAGE, PAGE))
    return pieces


def copy_when_forking(pieces: ctypes.Array[Buffer]) -> None:
    """Have the kernel copy these pieces of memory in each fork of this process, if it can be had to."""
    if not pieces:
        return
    ring = LIBC.syscall(IO_URING_SETUP, 1, ctypes.create_string_buffer(PARAMETERS_BYTES))
    # The ring stays open. It is none if that is not allowed, and a test closes it with all that is not its own.
    LIBC.syscall(IO_URING_REGISTER, ring, REGISTER_BUFFERS, pieces, len(pieces))
