"""The processes and threads below a program, as Linux shows them in /proc.

Everything here can vanish while it is read; what has vanished is left out.
"""

import os
import signal
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from grader.files.digest import read_regular_file


def read(path: str) -> bytes:
    """Return the content of a file such as `PID/stat` below /proc, nothing if it is gone or hidden from us."""
    try:
        return read_regular_file(f"/proc/{path}")
    except OSError:
        return b""


def stat_fields(place: str) -> list[bytes]:
    """Return the fields of `PID/stat` or `PID/task/TID/stat` after the name of the program, which may hold anything.

    The first is the state, field 3 of proc_pid_stat(5). There are none if `place` is gone or hidden from us.
    """
    return read(f"{place}/stat").rpartition(b") ")[2].split()


def threads(pid: int) -> list[int]:
    """Return the thread ids of a process, none if it is gone."""
    try:
        return [int(name) for name in os.listdir(f"/proc/{pid}/task")]
    except OSError:
        return []


def descendants(pid: int) -> Iterator[int]:
    """Yield a process and all that descend from it, parents first.

    A process whose parent has ended is no longer seen here: the kernel gives it to another parent.
    """
    waiting = [pid]
    while waiting:
        process = waiting.pop()
        yield process
        for thread in threads(process):
            waiting.extend(int(child) for child in read(f"{process}/task/{thread}/children").split())


@dataclass(frozen=True)
class ProcessorUsage:
    """The processor time of processes, in seconds; 0 where the kernel does not tell (/proc/PID/schedstat).

    `total` is that of all, with what they waited for that has ended, and `longest` that of one thread. So long others
    made one of them wait that was ready to run: `waited` leaves out what they may have taken from each other. One
    `works` if it has or waits for a processor or a disk.
    """

    total: float
    longest: float
    waited: float
    works: bool


def processor_usage(processes: Iterable[int]) -> ProcessorUsage:
    """Return what processes and their threads have had of the processors."""
    pairs = [(process, thread) for process in processes for thread in threads(process)]
    scheduled = [_scheduled(*pair) for pair in pairs]
    ticks = sum(sum(map(int, stat_fields(str(process))[11:15])) for process in processes)
    total = max(sum(ran for ran, _ in scheduled) / 1e9, ticks / os.sysconf("SC_CLK_TCK"))
    return ProcessorUsage(
        total=total,
        longest=max((ran for ran, _ in scheduled), default=0) / 1e9,
        waited=max(0.0, *((ran + ready) / 1e9 - total for ran, ready in scheduled)),
        works=any(works(*pair) for pair in pairs),
    )


def started_below(root: int, program: int) -> frozenset[int]:
    """Return a program and all that descends from `root`, but for what started the program: that is its sandbox."""
    processes = set(descendants(root))
    parent = program
    while parent != root and (fields := stat_fields(str(parent))):
        parent = int(fields[1])
        processes.discard(parent)
    return frozenset(processes)


def _scheduled(pid: int, thread: int) -> tuple[int, int]:
    """Return for how many nanoseconds a thread had a processor and waited for one, 0 if that is not told."""
    fields = read(f"{pid}/task/{thread}/schedstat").split()
    return (int(fields[0]), int(fields[1])) if len(fields) > 1 else (0, 0)


def used_seconds(pid: int) -> tuple[float, float]:
    """Return how long all threads that still run had a processor, and those and the children that have ended.

    See proc_pid_stat(5), fields 14 to 17, in clock ticks.
    """
    living, all_ticks = 0, 0
    for process in descendants(pid):
        living += sum(_scheduled(process, thread)[0] for thread in threads(process))
        all_ticks += sum(map(int, stat_fields(str(process))[11:15]))
    return living / 1e9, max(0.0, all_ticks / os.sysconf("SC_CLK_TCK") - living / 1e9)


def works(pid: int, thread: int) -> bool:
    """Say whether a thread has or waits for a processor or a disk."""
    return stat_fields(f"{pid}/task/{thread}")[:1] in ([b"R"], [b"D"])


def holders(terminal: os.stat_result) -> Iterator[int]:
    """Yield the processes that were given this terminal.

    Inode and device of the file system are compared too, because terminals in other containers share its numbers. A
    process that only has it until it becomes another program is left out: that is the grader, or a program that another
    of its threads is starting at this moment.
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
    """Kill a process, or nothing if it is gone or not ours to kill."""
    try:
        os.kill(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return
