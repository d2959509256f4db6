"""The processor time of a measurement with all that it starts.

Sandboxes end in a way in which their processes tell no parent what they used, so a control group counts it, where the
machine has groups of the first version and lets this process make one. Elsewhere it is what was told.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_GROUPS = Path("/sys/fs/cgroup/cpuacct")
_NANOSECONDS = 1e9


@contextmanager
def processor_time() -> Iterator[Callable[[], float]]:
    """Give what tells the seconds of processor time since then, also of processes that have ended."""
    group, before = _GROUPS / f"benchmark-{os.getpid()}", _own_group()
    try:
        group.mkdir()
        _move_to(group)
    except OSError:
        start = sum(os.times()[:4])
        yield lambda: sum(os.times()[:4]) - start
        return
    try:
        yield lambda: int((group / "cpuacct.usage").read_text("ascii")) / _NANOSECONDS
    finally:
        _move_to(before)
        # A process that has not ended yet keeps it.
        with suppress(OSError):
            group.rmdir()


def _own_group() -> Path:
    """The group that this process is in."""
    for line in Path("/proc/self/cgroup").read_text("ascii").splitlines():
        _, names, path = line.split(":", 2)
        if "cpuacct" in names.split(","):
            return _GROUPS / path.lstrip("/")
    return _GROUPS


def _move_to(group: Path) -> None:
    (group / "cgroup.procs").write_text(str(os.getpid()), encoding="ascii")
