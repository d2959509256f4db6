"""Connects to a cluster, or starts one on this machine, and makes it the backend that grades a class."""

import logging
import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Event, current_thread, main_thread

import dask
from distributed import Client, LocalCluster

from grader.errors import ClusterError
from grader.grading.backend import GradeAll, LocalBackend
from grader.grading.result_cache import ResultCache
from grader.grading.submission_step import Steps
from grader.model.program import SandboxKind
from grader.plugins.cluster.address import METHOD, LocalWorkers, RemoteScheduler, prepare_to_fork
from grader.plugins.cluster.pool import ClusterPool
from grader.plugins.cluster.worker_grader import WorkerBackendFactory
from grader.run.find_python import StudentPython
from grader.run.run_slots import TESTS_PER_CORE

_SETTINGS = {
    # Sending the contents of large files is intended.
    "distributed.admin.large-graph-warning-threshold": "1 GB",
    # Data stays on a worker as long as anything uses it.
    "distributed.scheduler.active-memory-manager.start": False,
    # Profiles are not needed, and taking samples for them slows the sessions down.
    "distributed.worker.profile.enabled": False,
    # Health checks of each event loop, 50 a second by default.
    "distributed.admin.tick.interval": "500ms",
    # Other users of this machine must not see the cluster.
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
    "distributed.worker.multiprocessing-method": METHOD,
}

_LOGGERS = ("distributed", "tornado", "asyncio")
"""Loggers that report broken connections; the ones that matter are also raised as errors."""


_SECONDS_TO_CONNECT = 10
_SECONDS_FOR_A_WORKER = 60
_THREADS = TESTS_PER_CORE + 1
"""The threads of a local worker (usually one worker per core): while tests run, another submission is unpacked or
judged.
"""


@contextmanager
def connected(address: LocalWorkers | RemoteScheduler) -> Iterator[Client]:
    """Yield a client of the cluster. Raises ClusterError if the cluster cannot be reached or has no workers."""
    for name in _LOGGERS:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    opened = _local(address.count) if isinstance(address, LocalWorkers) else _remote(address.url)
    with dask.config.set(_SETTINGS), opened as client:
        try:
            client.wait_for_workers(1, timeout=_SECONDS_FOR_A_WORKER)
        except TimeoutError:
            raise ClusterError(f"The cluster has had no worker for {_SECONDS_FOR_A_WORKER} s; start some") from None
        yield client


@contextmanager
def _local(workers: int) -> Iterator[Client]:
    prepare_to_fork()
    with ExitStack() as opened:
        with _interrupts_held():
            # Secured by certificates made for this run, because others on this machine could send commands to open
            # ports.
            cluster = opened.enter_context(
                LocalCluster(
                    n_workers=workers,
                    threads_per_worker=_THREADS,
                    processes=True,
                    security=True,
                    memory_limit=0,
                    dashboard_address="127.0.0.1:0",
                    scheduler_kwargs={"dashboard": False},
                    silence_logs=logging.CRITICAL,
                )
            )
            client = opened.enter_context(Client(cluster, direct_to_workers=True))
        yield client


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Delay Ctrl-C until the end of the block, because Dask cannot stop workers that have only half started."""
    if current_thread() is not main_thread():
        yield
        return
    held: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: held.append(number))
    try:
        yield
    except Exception:
        # A process that received Ctrl-C while it was starting has ended by now.
        if held:
            raise KeyboardInterrupt from None
        raise
    finally:
        signal.signal(signal.SIGINT, before)
    if held:
        raise KeyboardInterrupt


@contextmanager
def _remote(url: str) -> Iterator[Client]:
    try:
        client = Client(url, timeout=_SECONDS_TO_CONNECT)
    except (OSError, ValueError, TypeError, RuntimeError) as error:
        raise ClusterError(f"There is no Dask scheduler to be reached at {url}: {error}") from None
    with client:
        yield client


@dataclass(frozen=True)
class ClusterBackend:
    """See `Backend`. Each worker creates its own `LocalBackend` with `make_backend`."""

    client: Client
    make_backend: WorkerBackendFactory

    @contextmanager
    def pool(self, archive: ResultCache, cancelled: Event, python: StudentPython, steps: Steps) -> Iterator[GradeAll]:
        """Open a grader for a class, which reuses outcomes in the archive and stores new outcomes there."""
        pool = ClusterPool(
            client=self.client,
            make_backend=self.make_backend,
            archive=archive,
            cancelled=cancelled,
            python=python,
            steps=steps,
        )
        yield pool.grade


@contextmanager
def open_cluster(
    address: LocalWorkers | RemoteScheduler, sandbox: SandboxKind, hidden: tuple[Path, ...]
) -> Iterator[ClusterBackend]:
    """Yield the cluster at this address; `hidden` are folders that programs must not see. Raises ClusterError."""
    with connected(address) as client:
        yield ClusterBackend(client, partial(LocalBackend, sandbox, hidden=hidden))
