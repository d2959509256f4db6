"""What a program has as standard input, output and errors when there is no terminal.

What to start, where, and with which environment.

What a session needs of a program that was started, however that was done.

Where tests are run, as those see it who have them run; importing this asks nothing of the machine.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Protocol

from grader.model.assignment import Isolation
from grader.model.limits import Limits
from grader.model.outcome import Outcome
from grader.model.test import Test
from grader.run.terminal.terminal import Terminal


@dataclass(frozen=True)
class Streams:
    """Descriptors of ours; the program gets copies of them."""

    stdin: int
    stdout: int
    stderr: int

    @property
    def descriptors(self) -> tuple[int, int, int]:
        """All three, in the order of their numbers in the program."""
        return self.stdin, self.stdout, self.stderr


@dataclass(frozen=True)
class Launch:
    """A command: `argv` is run in the folder `workdir` with exactly the variables of `environment`.

    `argv[0]` is the absolute path of the executable. Nothing is inherited from the grader's own environment.
    `report`, if given, is a descriptor of ours that the program gets as number 3.
    """

    argv: tuple[str, ...]
    workdir: Path
    environment: Mapping[str, str]
    report: int | None = None


@dataclass(frozen=True)
class Status:
    """How a process ended: its wait status, and the processor time of it and the children it waited for."""

    wait_status: int
    cpu_seconds: float


class RunningProgram(Protocol):
    """A started program."""

    @property
    def pid(self) -> int:
        """Its process id, as seen from here."""

    @property
    def root_pid(self) -> int:
        """A process that it and all it started descend from."""

    @property
    def end_fd(self) -> int | None:
        """A descriptor that becomes readable when the program ends, None where there is no such thing."""

    @property
    def quiet_start_seconds(self) -> float:
        """For how long after its start it cannot ask for input yet; looking at it slows it down."""

    def has_ended(self) -> bool:
        """Say whether the program itself has ended; what it started may still run."""

    def kill(self) -> None:
        """Kill the program and all it started, as far as they can be found; harmless after the end."""

    def reap(self) -> Status:
        """Wait for the program, which has ended or been killed, and return how it ended.

        Raise SessionError if the kernel cannot end it.
        """

    def kill_holders(self, terminal: os.stat_result) -> None:
        """Kill whatever else has the terminal open."""


Starter = Callable[[Launch, Limits, Terminal | Streams], AbstractContextManager[RunningProgram]]
"""Starts a program, on a terminal or without one. On leaving, nothing of it runs. Raises SessionError."""


Files = Sequence[tuple[Path, str]]
"""The files of a submission: where each is and its relative name."""


class Place(Protocol):
    """Each test finds a fresh folder with copies of the submission's files. Not for several threads at once.

    A program with a recipe is built before its first test; its tests find the files that the build made as well.
    """

    def run(self, test: Test, limits: Limits, isolation: Isolation, environment: Mapping[str, str]) -> Outcome:
        """Run a test, with these variables besides the usual ones. If its program cannot be built, return that outcome.

        Raises SessionError when the session could not be held, OSError when a file cannot be copied.
        """


class Places(Protocol):
    """Gives a place for the tests of each submission. Setting `cancelled` ends the sessions under way."""

    @property
    def cancelled(self) -> Event:
        """The wish to stop."""

    def place(self, files: Files) -> AbstractContextManager[Place]:
        """Return the place for the tests of one submission."""
