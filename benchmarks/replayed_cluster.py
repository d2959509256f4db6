"""A cluster in separate processes whose worker returns known outcomes, to measure the cost of the coordinator.

Everything except the programs under test is real: Dask's scheduler, its connections, the keys, the judge and the store.
"""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event

import psutil
from distributed import Client

from grader.model.assignment import Isolation
from grader.model.outcome import Outcome
from grader.model.program import Limits
from grader.model.test import Test
from grader.run.environment import RunEnvironment, open_environment
from grader.run.find_python import StudentPython
from grader.run.interface import SubmissionFiles, TestRunner

_ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class KnownOutcomes:
    """The outcomes of each test, for a submission with these bytes in a file, and for all others."""

    sign: bytes
    with_it: Mapping[str, Outcome]
    without: Mapping[str, Outcome]

    def of(self, files: SubmissionFiles) -> Mapping[str, Outcome]:
        """Return the outcomes of this submission."""
        return self.with_it if any(self.sign in path.read_bytes() for path, _ in files) else self.without


@dataclass(frozen=True)
class _Replay:
    outcomes: Mapping[str, Outcome]

    def run(self, test: Test, _limits: Limits, _isolation: Isolation, _variables: Mapping[str, str], /) -> Outcome:
        return replace(self.outcomes[test.id])


@dataclass(frozen=True)
class ReplayingBackend:
    """The backend of a worker, which runs nothing. See `WorkerBackend`."""

    known: KnownOutcomes

    @contextmanager
    def open_environment(
        self, python: StudentPython = StudentPython(), cancelled: Event | None = None
    ) -> Iterator[RunEnvironment]:
        """See `WorkerBackend`."""
        with open_environment(python, cancelled=cancelled) as environment:
            yield replace(environment, make_runner=self._runner)

    @contextmanager
    def _runner(
        self, _environment: RunEnvironment, files: SubmissionFiles, _tests: Sequence[Test]
    ) -> Iterator[TestRunner]:
        yield _Replay(self.known.of(files))


@dataclass(frozen=True)
class MakeReplayingBackend:
    """See `WorkerBackendFactory`."""

    known: KnownOutcomes

    def __call__(self, tests_at_a_time: int) -> ReplayingBackend:  # noqa: ARG002 - the name is the protocol's
        """Return the same backend for any number."""
        return ReplayingBackend(self.known)


@dataclass(frozen=True)
class SeparateCluster:
    """A client, and Dask's scheduler in a separate process."""

    client: Client
    scheduler: psutil.Process

    @property
    def scheduler_seconds(self) -> float:
        """Return the processor time that the scheduler has used."""
        times = self.scheduler.cpu_times()
        return float(times.user + times.system)


@contextmanager
def separate_cluster() -> Iterator[SeparateCluster]:
    """Yield a cluster with one worker on this machine, started by the commands that users run."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    with ExitStack() as stack:
        scheduler = _started(stack, "scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard")
        _started(stack, "worker", address, "--nthreads", "2", "--no-dashboard")
        client = stack.enter_context(Client(address, timeout=60))
        client.wait_for_workers(1, timeout=60)
        yield SeparateCluster(client, psutil.Process(scheduler.pid))


def _started(stack: ExitStack, *arguments: str) -> "subprocess.Popen[bytes]":
    process = subprocess.Popen(
        [str(Path(sys.executable).with_name("dask")), *arguments],
        env={**os.environ, "PYTHONPATH": str(_ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    stack.callback(process.wait)
    stack.callback(process.terminate)
    return process
