"""The total memory of a program and its child processes, measured by polling and with a control group.

Processes that vanish during a measurement are ignored.
"""

import os
import signal
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from grader.errors import KilledForMemoryError
from grader.files.digest import read_regular_file
from grader.model.program import Limits
from grader.run.process.tree import descendants, read, threads

_PAGE = os.sysconf("SC_PAGE_SIZE")
# A page table takes one page per 512 pages of address space.
_PAGES_PER_TABLE = 512
# The kernel's memory for processes, their files and sockets, and for the first process of a sandbox.
_BESIDE_BYTES = 96 << 20
_MAX_TRIES, _SECONDS_TO_VANISH = 200, 0.005
_PREFIX = "grader-"
_SECONDS_BETWEEN_LOOKS = 0.05


def _sizes(root: int) -> dict[int, tuple[int, int]]:
    """Return the resident and virtual size of `root` and each descendant (proc_pid_statm(5), fields 2 and 1).

    Shared memory is counted for each process. Zombies are ignored.
    """
    sizes = {pid: _size(pid) for pid in descendants(root)}
    # The first thread may have ended before the others, in which case /proc/PID contains nothing.
    for process in [pid for pid, size in sizes.items() if not size]:
        sizes.update((thread, _size(thread)) for thread in threads(process)[-1:])
    return {pid: (int(size[1]) * _PAGE, int(size[0]) * _PAGE) for pid, size in sizes.items() if size}


def _size(pid: int) -> list[bytes]:
    """Return the fields of the process's `statm`; empty if it no longer has memory."""
    size = read(f"{pid}/statm").split()
    return size if size[1:2] != [b"0"] else []


def _own_share(processes: Iterable[int]) -> int:
    """Add up page tables and resident memory, dividing shared pages among the processes that share them."""
    return _sum_of_lines(processes, (b"Pss:", b"VmPTE:"))


def _own_alone(processes: Iterable[int]) -> int:
    """Add up page tables and resident memory without shared pages."""
    return _sum_of_lines(processes, (b"Private_Clean:", b"Private_Dirty:", b"VmPTE:"))


def _sum_of_lines(processes: Iterable[int], names: tuple[bytes, ...]) -> int:
    total = 0
    for pid in processes:
        for line in read(f"{pid}/smaps_rollup").splitlines() + read(f"{pid}/status").splitlines():
            if line.startswith(names):
                total += int(line.split()[1]) * 1024
    return total


@dataclass(frozen=True)
class _GroupFiles:
    """The file names of a control group for limit, usage and events, and its fields for reclaimable memory."""

    limit: str
    usage: str
    events: str
    cached: tuple[bytes, bytes]


class MemoryGroup:
    """A control group of processes, for which the kernel counts all memory, including shared, hidden and kernel memory.

    See cgroups(7).
    """

    def __init__(self, folder: Path, files: _GroupFiles) -> None:
        """Create the group. Raises OSError."""
        self.folder = folder
        self._files = files
        self._allowed = 0
        folder.mkdir()

    def take(self, pid: int) -> None:
        """Put a process and its future children into the group. Raises OSError."""
        (self.folder / "cgroup.procs").write_text(str(pid), encoding="ascii")

    def processes(self) -> frozenset[int]:
        """Return the processes in the group; empty if the kernel does not list them."""
        with suppress(OSError):
            return frozenset(map(int, read_regular_file(self.folder / "cgroup.procs").split()))
        return frozenset()

    def allow(self, memory_bytes: int, disk_bytes: int) -> None:
        """Set the limit for the processes, including files in memory; `is_over` checks it."""
        folders_and_build = 4
        allowed = memory_bytes + folders_and_build * disk_bytes + _BESIDE_BYTES
        if allowed != self._allowed:
            # At its limit, the kernel kills any process of the group, which is a last resort if usage outgrows polling.
            with suppress(OSError):
                (self.folder / self._files.limit).write_text(str(2 * allowed), encoding="ascii")
            self._allowed = allowed

    def is_over(self) -> bool:
        """Return whether usage exceeds the limit, ignoring memory that the kernel could reclaim. Raises OSError."""
        used = int(read_regular_file(self.folder / self._files.usage))
        if used <= self._allowed:
            return False
        lines = (line.split() for line in read_regular_file(self.folder / "memory.stat").splitlines())
        cached = sum(int(number) for name, number in lines if name in self._files.cached)
        return used - cached > self._allowed

    def kills(self) -> int:
        """Return how many of the group's processes the kernel has killed for lack of memory. Raises OSError."""
        lines = (line.split() for line in read_regular_file(self.folder / self._files.events).splitlines())
        return sum(int(number) for name, number in lines if name == b"oom_kill")


class MemoryGroups:
    """A pool of control groups that sandboxes reuse, which is empty where this process cannot create any."""

    def __init__(self) -> None:
        self._made: list[MemoryGroup] = []
        self._free: list[MemoryGroup] = []
        self._is_possible = True

    @contextmanager
    def group(self) -> Iterator[MemoryGroup | None]:
        """Yield a group without processes, or None if groups are not available."""
        try:
            group: MemoryGroup | None = self._free.pop()
        except IndexError:
            group = self._make()
        try:
            yield group
        finally:
            if group is not None:
                self._free.append(group)

    def close(self) -> None:
        """Remove the groups; their killed processes may need a moment to end."""
        for group in self._made:
            for _ in range(_MAX_TRIES):
                try:
                    group.folder.rmdir()
                except OSError:
                    time.sleep(_SECONDS_TO_VANISH)
                else:
                    break

    def _make(self) -> MemoryGroup | None:
        for parent, files in _group_parents() if self._is_possible else ():
            with suppress(OSError):
                _remove_leftovers(parent)
                group = MemoryGroup(parent / f"{_PREFIX}{os.getpid()}-{os.urandom(8).hex()}", files)
                self._made.append(group)
                return group
        self._is_possible = False
        return None


def _remove_leftovers(parent: Path) -> None:
    """Remove the groups of graders that were killed."""
    for group in parent.glob(f"{_PREFIX}*-*"):
        if not read(f"{group.name.split('-')[1]}/stat"):
            with suppress(OSError):
                group.rmdir()


def _group_parents() -> Iterator[tuple[Path, _GroupFiles]]:
    """Yield this process's groups that can have subgroups with memory accounting."""
    first_version = _GroupFiles(
        "memory.limit_in_bytes",
        "memory.usage_in_bytes",
        "memory.oom_control",
        (b"total_active_file", b"total_inactive_file"),
    )
    second_version = _GroupFiles("memory.max", "memory.current", "memory.events", (b"active_file", b"inactive_file"))
    own_groups = [line.split(":", 2) for line in read("self/cgroup").decode().splitlines()]
    for line in read("self/mountinfo").decode().splitlines():
        before, _, after = line.partition(" - ")
        (_, _, _, root, top, *_), (kind, _, options) = before.split(), after.split(" ", 2)
        for _, controllers, path in own_groups:
            inner = os.path.relpath(path, root)
            if inner.startswith(".."):
                continue
            group = Path(top, inner)
            if kind == "cgroup" and "memory" in options.split(",") and "memory" in controllers.split(","):
                yield group, first_version
            elif kind == "cgroup2" and controllers == "":
                # Subgroups of a group with processes have no accounting, but its siblings can have it.
                yield from (
                    (candidate, second_version) for candidate in (group, *group.parents) if _counts_below(candidate)
                )


def _counts_below(group: Path) -> bool:
    try:
        return "memory" in (group / "cgroup.subtree_control").read_text(encoding="ascii").split()
    except OSError:
        return False


class MemoryWatch:
    """Measures memory from time to time, and more closely when usage seems too high."""

    def __init__(self, root: int, limits: Limits, group: MemoryGroup | None) -> None:
        """Take the ancestor of all processes as `root`, and their control group, if any, as `group`."""
        self._root = root
        self._limit = limits.memory_bytes
        # A single process cannot use more than the kernel lets it reserve.
        self._fewest = 2 if limits.most_data_bytes <= limits.memory_bytes else 1
        self._group = group
        self._kills = group.kills() if group is not None else 0
        self._machine_kills = _machine_kills()
        self._next_look = time.monotonic() + _SECONDS_BETWEEN_LOOKS

    def is_over(self) -> bool:
        """Return whether usage exceeds the limit; most calls return without measuring."""
        now = time.monotonic()
        if now < self._next_look:
            return False
        self._next_look = now + _SECONDS_BETWEEN_LOOKS
        sizes = _sizes(self._root)
        most = sum(resident + addressed // _PAGES_PER_TABLE for resident, addressed in sizes.values())
        if len(sizes) >= self._fewest and most > self._limit:
            # While processes end, the shares of the remaining ones seem to grow, and the sum is too large.
            is_over = _own_share(sizes) > self._limit
            return is_over and (_sizes(self._root).keys() == sizes.keys() or _own_alone(sizes) > self._limit)
        return self._group is not None and self._group.is_over()

    def is_what_killed(self, wait_status: int) -> bool:
        """Return whether the kernel killed the program for lack of memory, possibly before a measurement.

        Raises KilledForMemoryError if the whole machine ran out of memory.
        """
        if not os.WIFSIGNALED(wait_status) or os.WTERMSIG(wait_status) != signal.SIGKILL:
            return False
        if self._group is not None and self._group.kills() > self._kills:
            return True
        if _machine_kills() > self._machine_kills:
            raise KilledForMemoryError("the machine ran out of memory, and the kernel killed the program")
        return False


def _machine_kills() -> int:
    """Return how many processes the kernel has killed for lack of memory, or 0 if it does not report this."""
    fields = read("vmstat").partition(b"\noom_kill ")[2].split(maxsplit=1)
    return int(fields[0]) if fields else 0
