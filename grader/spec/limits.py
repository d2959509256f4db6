"""How much a program may use."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """What one session may use; the kernel enforces the last two on each process by itself.

    `wall_seconds` is real time from the start to the end of the program; the processor time of each process is
    limited to the same, rounded up, and one second more, which only matters if the grader itself dies.
    `output_bytes` counts everything that appears on the terminal, the echo of what was typed included.
    `memory_bytes` limits data (heap, anonymous mappings and thread stacks), `file_bytes` the size of a file written.
    """

    wall_seconds: float = 30.0
    output_bytes: int = 10_000_000
    memory_bytes: int = 1 << 30
    file_bytes: int = 64 << 20


STANDARD_LIMITS = Limits()
