"""The processes and threads below a program, as shown by Linux in /proc.

Processes may vanish while they are being read, in which case they are ignored.
"""

import os
import signal
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from grader.files.digest import read_regular_file


def read(path: str) -> bytes:
    """Return the content of a file below /proc, such as `PID/stat`; empty if it is gone or hidden."""
    try:
        return read_regular_file(f"/proc/{path}")
    except OSError:
        return b""


def stat_fields(place: str) -> list[bytes]:
    """Return the fields of `PID/stat` or `PID/task/TID/stat` after the program's name, which can contain anything.

    The first field is the state, field 3 of proc_pid_stat(5). The list is empty if `place` is gone or hidden.
    """
    return read(f"{place}/stat").rpartition(b") ")[2].split()


def threads(pid: int) -> list[int]:
    """Return the thread ids of a process; empty if it is gone."""
    try:
        return [int(name) for name in os.listdir(f"/proc/{pid}/task")]
    except OSError:
        return []


def descendants(pid: int) -> Iterator[int]:
    """Yield a process and its descendants, parents first.

    Orphans are missing, because the kernel gives them another parent.
    """
    waiting = [pid]
    while waiting:
        process = waiting.pop()
        yield process
        for thread in threads(process):
            waiting.extend(int(child) for child in read(f"{process}/task/{thread}/children").split())


@dataclass(frozen=True)
class ProcessorUsage:
    """The processor time of processes in seconds, or 0 if the kernel does not report it (/proc/PID/schedstat).

    `total` is the time of all threads, including ended children that were waited for, and `longest` the maximum of any
    thread. `waited` is the longest time that a thread was ready to run but kept waiting by other programs, not counting
    time that the processes may have taken from each other. `works` is true if any thread has or is waiting for a
    processor or disk.
    """

    total: float
    longest: float
    waited: float
    works: bool


def processor_usage(processes: Iterable[int]) -> ProcessorUsage:
    """Return the processor usage of processes and their threads."""
    pairs = [(process, thread) for process in processes for thread in threads(process)]
    scheduled = [_scheduling_times(*pair) for pair in pairs]
    ticks = sum(sum(map(int, stat_fields(str(process))[11:15])) for process in processes)
    total = max(sum(ran for ran, _ in scheduled) / 1e9, ticks / os.sysconf("SC_CLK_TCK"))
    return ProcessorUsage(
        total=total,
        longest=max((ran for ran, _ in scheduled), default=0) / 1e9,
        waited=max(0.0, *((ran + ready) / 1e9 - total for ran, ready in scheduled)),
        works=any(works(*pair) for pair in pairs),
    )


def started_below(root: int, program: int) -> frozenset[int]:
    """Return all descendants of `root` except the ancestors of the program, which belong to its sandbox."""
    processes = set(descendants(root))
    parent = program
    while parent != root and (fields := stat_fields(str(parent))):
        parent = int(fields[1])
        processes.discard(parent)
    return frozenset(processes)


def _scheduling_times(pid: int, thread: int) -> tuple[int, int]:
    """Return the nanoseconds that a thread ran and waited to run, or 0 if the kernel does not report them."""
    fields = read(f"{pid}/task/{thread}/schedstat").split()
    return (int(fields[0]), int(fields[1])) if len(fields) > 1 else (0, 0)


def seconds_waited_here() -> float:
    """Return how long the calling thread has waited for a processor, or 0 if the kernel does not report it."""
    fields = read("thread-self/schedstat").split()
    return int(fields[1]) / 1e9 if len(fields) > 1 else 0.0


def used_seconds(pid: int) -> tuple[float, float]:
    """Return the processor seconds of all living threads, and of ended threads and children.

    See proc_pid_stat(5), fields 14 to 17, in clock ticks.
    """
    living, all_ticks = 0, 0
    for process in descendants(pid):
        living += sum(_scheduling_times(process, thread)[0] for thread in threads(process))
        all_ticks += sum(map(int, stat_fields(str(process))[11:15]))
    return living / 1e9, max(0.0, all_ticks / os.sysconf("SC_CLK_TCK") - living / 1e9)


def works(pid: int, thread: int) -> bool:
    """Return whether a thread has or is waiting for a processor or disk."""
    return stat_fields(f"{pid}/task/{thread}")[:1] in ([b"R"], [b"D"])


def holders(terminal: os.stat_result) -> Iterator[int]:
    """Yield the processes that hold this terminal.

    The inode and device of the file system are compared too, because terminals in other containers have the same
    numbers. A process whose descriptor closes on exec is left out, because it is the grader, or a program that another
    thread of the grader is just starting.
    """
    for name in os.listdir("/proc"):
        if name.isdigit() and _has_been_given(int(name), terminal):
            yield int(name)


def _has_been_given(pid: int, terminal: os.stat_result) -> bool:
    try:
        with os.scandir(f"/proc/{pid}/fd") as entries:
            return any(
                os.path.samestat(entry.stat(), terminal) and not _closes_on_exec(pid, entry.name) for entry in entries
            )
    except OSError:
        return False


def _closes_on_exec(pid: int, descriptor: str) -> bool:
    with open(f"/proc/{pid}/fdinfo/{descriptor}", encoding="ascii") as file:
        fields = dict(line.split(":", 1) for line in file if ":" in line)
    return bool(int(fields["flags"], 8) & os.O_CLOEXEC)


def kill_tree(pid: int) -> None:
    """Kill a process unless it is gone or belongs to another user."""
    try:
        os.kill(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return
