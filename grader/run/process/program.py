"""The interface of a started program and its standard streams, inside or outside a sandbox."""

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
    """The grader's descriptors, of which the program gets copies."""

    stdin: int
    stdout: int
    stderr: int

    @property
    def descriptors(self) -> tuple[int, int, int]:
        """The three descriptors, in the order of their numbers in the program."""
        return self.stdin, self.stdout, self.stderr


@dataclass(frozen=True)
class ExitReport:
    """How a process ended: its wait status, and the processor time used by it and the children it waited for.

    `files_cut` means that files reached the size limit or filled their folder, which only a sandbox can detect.
    """

    wait_status: int
    cpu_seconds: float
    files_cut: bool = False


class RunningProgram(Protocol):
    """A started program."""

    @property
    def pid(self) -> int:
        """The process id as seen from outside the sandbox."""

    @property
    def root_pid(self) -> int:
        """A process from which the program and everything it started descend."""

    @property
    def memory_group(self) -> MemoryGroup | None:
        """The control group of these processes, if they have their own."""

    @property
    def end_fd(self) -> int | None:
        """A descriptor that becomes readable when the program ends, or None on systems without such descriptors."""

    @property
    def quiet_start_seconds(self) -> float:
        """The seconds after the start in which the program cannot ask for input yet, and a check would delay it."""

    def has_ended(self) -> bool:
        """Return whether the program itself has ended; its child processes may still run."""

    def has_left(self) -> bool:
        """Return whether processes started by the ended program are still running, as far as this can be detected."""

    def kill(self) -> None:
        """Kill the program and everything it started, as far as it can be found; harmless after the program's end."""

    def reap(self) -> ExitReport:
        """Wait for the ended or killed program and return how it ended.

        Raises SessionError if the kernel cannot end it.
        """

    def kill_holders(self, terminal: os.stat_result) -> None:
        """Kill all other processes that have the terminal open."""


ProgramStarter = Callable[[Launch, Limits, Terminal | StandardStreams], AbstractContextManager[RunningProgram]]
"""A function that starts a program, with or without a terminal. When its context exits, no part of the program is
running. Raises SessionError.
"""
