"""A started program and its standard streams, whether it runs in a sandbox or not."""

import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from grader.model.program import Limits
from grader.run.interface import Launch
from grader.run.process.memory import MemoryGroup
from grader.run.process.terminal import Terminal


@dataclass(frozen=True)
class StandardStreams:
    """Descriptors of the grader; the program gets copies of them."""

    stdin: int
    stdout: int
    stderr: int

    @property
    def descriptors(self) -> tuple[int, int, int]:
        """All three, in the order of their numbers in the program."""
        return self.stdin, self.stdout, self.stderr


@dataclass(frozen=True)
class ExitReport:
    """How a process ended: its wait status, and the processor time of it and the children it waited for.

    `files_cut` says that files became as large as they may be, or filled their folder. Only a sandbox tells.
    """

    wait_status: int
    cpu_seconds: float
    files_cut: bool = False


class RunningProgram(Protocol):
    """A started program."""

    @property
    def pid(self) -> int:
        """Its process id, as seen from here."""

    @property
    def root_pid(self) -> int:
        """A process that it and all it started descend from."""

    @property
    def memory_group(self) -> MemoryGroup | None:
        """The control group that they are in, if they are in one of their own."""

    @property
    def end_fd(self) -> int | None:
        """A descriptor that becomes readable when the program ends, None where there is no such thing."""

    @property
    def quiet_start_seconds(self) -> float:
        """For how long after its start it cannot ask for input yet; looking at it slows it down."""

    def has_ended(self) -> bool:
        """Say whether the program itself has ended; what it started may still run."""

    def has_left(self) -> bool:
        """Say whether something runs on that it started, as far as can be seen; it has ended itself."""

    def kill(self) -> None:
        """Kill the program and all it started, as far as they can be found; harmless after the end."""

    def reap(self) -> ExitReport:
        """Wait for the program, which has ended or been killed, and return how it ended.

        Raise SessionError if the kernel cannot end it.
        """

    def kill_holders(self, terminal: os.stat_result) -> None:
        """Kill all others that have the terminal open."""


ProgramStarter = Callable[[Launch, Limits, Terminal | StandardStreams], AbstractContextManager[RunningProgram]]
"""Starts a program, on a terminal or without one. On leaving, nothing of it runs. Raises SessionError."""
