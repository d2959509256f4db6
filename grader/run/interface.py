"""Where tests are run, as the later stages see it; importing this asks nothing of the machine."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Protocol

from grader.model.assignment import Isolation
from grader.model.limits import Limits
from grader.model.outcome import Outcome
from grader.model.test import Test


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


SubmissionFiles = Sequence[tuple[Path, str]]
"""The files of a submission: where each is and its relative name."""


class TestRunner(Protocol):
    """Each test finds a fresh folder with copies of the submission's files. Not for several threads at once.

    A program with a recipe is built before its first test; its tests find the files that the build made as well.
    """

    def run(self, test: Test, limits: Limits, isolation: Isolation, environment: Mapping[str, str]) -> Outcome:
        """Run a test, with these variables besides the usual ones. If its program cannot be built, return that outcome.

        Raises SessionError when the session could not be held, OSError when a file cannot be copied.
        """


class RunnerFactory(Protocol):
    """Gives a place for the tests of each submission. Setting `cancelled` ends the sessions under way."""

    @property
    def cancelled(self) -> Event:
        """The wish to stop."""

    def place(self, files: SubmissionFiles) -> AbstractContextManager[TestRunner]:
        """Return the place for the tests of one submission."""
