"""How much a program may use, and what keeps it from the rest of the machine."""

import math
from dataclasses import dataclass
from enum import StrEnum


class SandboxKind(StrEnum):
    """What programs are kept in."""

    BWRAP = "bwrap"
    NONE = "none"


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What one session may use.

    `wall_seconds` is real time from the start to the end of the program, `cpu_seconds` the processor time of each of
    its processes (None: somewhat more than the wall time, so that it matters only if the grader itself dies).
    `output_bytes` counts everything that appears on the terminal, the echo of what was typed included. `memory_bytes`
    limits the data of each process (heap, anonymous mappings and thread stacks), `file_bytes` the size of a file
    written, `open_files` the descriptors of a process. `processes` (threads count as such) and `disk_bytes` (of all
    files in each folder the program may write to) hold in a sandbox only.
    """

    wall_seconds: float = 30.0
    cpu_seconds: int | None = None
    output_bytes: int = 10_000_000
    memory_bytes: int = 1 << 30
    file_bytes: int = 64 << 20
    open_files: int = 256
    processes: int = 64
    disk_bytes: int = 128 << 20

    @property
    def processor_seconds(self) -> int:
        """The processor time of each process."""
        return self.cpu_seconds if self.cpu_seconds is not None else math.ceil(self.wall_seconds) + 1


STANDARD_LIMITS = Limits()


BUILD_LIMITS = Limits(
    wall_seconds=60,
    output_bytes=100_000,
    memory_bytes=4 << 30,
    file_bytes=128 << 20,
    open_files=1024,
    processes=256,
)
"""What a compiler may use unless an assignment says otherwise."""
