"""The protocols and values for running tests that later stages use.

This module can be imported on systems other than Unix.
"""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import Protocol

from grader.model.assignment import Isolation
from grader.model.outcome import Outcome
from grader.model.program import Limits
from grader.model.test import Test
from grader.run.find_python import StudentPython


@dataclass(frozen=True, kw_only=True)
class Launch:
    """A command: `argv` is run in the folder `workdir` with exactly the variables in `environment`.

    `argv[0]` is the path of the executable, absolute or relative to `workdir`. Nothing else is inherited from the
    grader's own environment. The program inherits the grader's `descriptors` as numbers 0 and 2, which are the standard
    streams other than the terminal, and 3 and 4. `home` is the folder of the virtual environment created for programs.
    """

    argv: tuple[str, ...]
    workdir: Path
    environment: Mapping[str, str]
    descriptors: Mapping[int, int] = field(default_factory=dict)
    home: Path | None = None


SubmissionFiles = Sequence[tuple[Path, str]]
"""The files of a submission: the path and relative name of each."""


class TestRunner(Protocol):
    """Runs the tests of a submission. It must not be used by several threads at once.

    Each test gets a fresh folder with copies of the submission's files.

    A program with a recipe is built before its first test, and its tests also get the built files.
    """

    def run(self, test: Test, limits: Limits, isolation: Isolation, variables: Mapping[str, str], /) -> Outcome:
        """Run a test with these environment variables in addition to the usual ones.

        If its program cannot be built, return the outcome of the build. Raises SessionError if the session cannot run,
        and OSError if a file cannot be copied.
        """


class RunnerFactory(Protocol):
    """Creates runners for submissions. Setting `cancelled` ends the current sessions."""

    @property
    def cancelled(self) -> Event:
        """The event that ends all work once it is set."""

    @property
    def python(self) -> StudentPython:
        """The Python that programs run with."""

    @property
    def has_forks(self) -> bool:
        """Return whether tests can run in forks of a prepared interpreter instead of separate processes."""

    def runner(self, files: SubmissionFiles, tests: Sequence[Test] = ()) -> AbstractContextManager[TestRunner]:
        """Return the runner for the tests of a submission.

        If several of `tests` need something, it is built for all of them at once.
        """
