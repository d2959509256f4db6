"""What the later stages see of running tests: protocols and values.

Importing this module needs nothing that only a Unix has.
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
    """A command: `argv` is run in the folder `workdir` with exactly the variables of `environment`.

    `argv[0]` is the path of the executable, absolute or from `workdir`. Nothing is inherited from the grader's own
    environment. `descriptors` of the grader are given to the program under the numbers 0 and 2, for standard streams
    that are not the terminal, and 3 and 4. `home` is the folder of the Python that was made for programs.
    """

    argv: tuple[str, ...]
    workdir: Path
    environment: Mapping[str, str]
    descriptors: Mapping[int, int] = field(default_factory=dict)
    home: Path | None = None


SubmissionFiles = Sequence[tuple[Path, str]]
"""The files of a submission: where each is and its relative name."""


class TestRunner(Protocol):
    """Runs the tests of one submission, not for several threads at once.

    Each test finds a fresh folder with copies of the submission's files.

    A program with a recipe is built before its first test; its tests find the files that the build made as well.
    """

    def run(self, test: Test, limits: Limits, isolation: Isolation, variables: Mapping[str, str], /) -> Outcome:
        """Run a test, with these environment variables in addition to the usual ones.

        If its program cannot be built, return the outcome of the build. Raises SessionError when the session could not
        be held, OSError when a file cannot be copied.
        """


class RunnerFactory(Protocol):
    """Makes the runners of submissions. Setting `cancelled` ends the sessions under way."""

    @property
    def cancelled(self) -> Event:
        """Set when all work is to end."""

    @property
    def python(self) -> StudentPython:
        """The Python that programs run with."""

    @property
    def has_forks(self) -> bool:
        """Return whether a test can run in a fork of a prepared interpreter, rather than as a process of its own."""

    def runner(self, files: SubmissionFiles, tests: Sequence[Test] = ()) -> AbstractContextManager[TestRunner]:
        """Return what runs the tests of one submission; what several of `tests` need is built together."""
