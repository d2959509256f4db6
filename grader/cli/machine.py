"""What a class is graded on: the sandbox that was asked for, and how many tests run at a time."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from grader.cli.request import SandboxKind
from grader.errors import GraderError
from grader.pipeline.outcomes import Archive, Outcomes
from grader.pipeline.pool import LocalPool, Pool
from grader.run.bench import Bench, open_bench, sandboxed_bench
from grader.run.protection import sandbox_fault


class UnprotectedError(GraderError):
    """There is no sandbox, and nobody said that none is wanted."""


class Grounds(Protocol):
    """Where classes are graded: this machine or a cluster."""

    def pool(self, archive: Archive) -> AbstractContextManager[Pool]:
        """Return the pool for one class, which takes from the archive what it has and keeps there what is new."""


@dataclass(frozen=True)
class Machine:
    """`hidden` are the folders that programs must not see."""

    sandbox: SandboxKind
    tests_at_a_time: int
    hidden: tuple[Path, ...]

    @property
    def submissions_at_a_time(self) -> int:
        """One more than tests, so that a sandbox is made or a test judged while others run."""
        return self.tests_at_a_time + (self.tests_at_a_time > 1)

    def check(self) -> None:
        """Raise UnprotectedError if the sandbox cannot be had."""
        if self.sandbox is SandboxKind.NONE:
            return
        fault = sandbox_fault()
        if fault is not None:
            raise UnprotectedError(
                f"Submissions cannot be kept in a sandbox here: {fault}.\n"
                "`grader doctor` says more. To run them with limits only, on programs that you trust: --sandbox none"
            )

    def bench(self) -> AbstractContextManager[Bench]:
        """Return the bench to run tests on."""
        if self.sandbox is SandboxKind.NONE:
            return open_bench(turns=self.tests_at_a_time)
        return sandboxed_bench(self.hidden, turns=self.tests_at_a_time)

    @contextmanager
    def pool(self, archive: Archive) -> Iterator[Pool]:
        """See `Grounds`."""
        with self.bench() as bench:
            yield LocalPool(Outcomes(bench, archive), self.submissions_at_a_time)
