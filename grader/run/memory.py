"""Watches what a program and all it started use of memory together; the kernel limits each process by itself."""

import os
import time
from collections.abc import Iterable

from grader.run import proctree

_SECONDS_BETWEEN_LOOKS = 0.05
_PAGE = os.sysconf("SC_PAGE_SIZE")


class MemoryWatch:
    """Looks from time to time, more closely when there seems to be too much."""

    def __init__(self, root: int, limit_bytes: int) -> None:
        """`root` is the process all others descend from."""
        self._root = root
        self._limit = limit_bytes
        self._next_look = time.monotonic() + _SECONDS_BETWEEN_LOOKS

    def is_over(self) -> bool:
        """Say whether more than the limit is used; most calls answer without looking."""
        now = time.monotonic()
        if now < self._next_look:
            return False
        self._next_look = now + _SECONDS_BETWEEN_LOOKS
        processes = list(proctree.descendants(self._root))
        return len(processes) > 1 and _resident(processes) > self._limit and _own_share(processes) > self._limit


def _resident(processes: Iterable[int]) -> int:
    """Add up what is in memory; what processes share counts for each of them (field 2 of proc_pid_statm(5))."""
    return sum(int(fields[1]) * _PAGE for pid in processes if len(fields := proctree.read(f"{pid}/statm").split()) > 1)


def _own_share(processes: Iterable[int]) -> int:
    """Add up the same with what is shared divided among those that share it."""
    total = 0
    for pid in processes:
        for line in proctree.read(f"{pid}/smaps_rollup").splitlines():
            if line.startswith(b"Pss:"):
                total += int(line.split()[1]) * 1024
    return total
