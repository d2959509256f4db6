"""A cluster of Dask as the backend that grades a class."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Event

from distributed import Client

from grader.cluster.address import LocalWorkers, RemoteScheduler
from grader.cluster.client import connected
from grader.cluster.pool import ClusterPool
from grader.cluster.worker_grader import WorkerFilesFactory
from grader.grading.backend import GradingPool, LocalBackend
from grader.grading.result_cache import ResultCache
from grader.model.limits import SandboxKind


@dataclass(frozen=True)
class ClusterBackend:
    """See `Backend`. Each worker makes its own `LocalBackend` with `workplace`."""

    client: Client
    workplace: WorkerFilesFactory

    @contextmanager
    def pool(self, archive: ResultCache, cancelled: Event) -> Iterator[GradingPool]:
        """See `Backend`."""
        yield ClusterPool(self.client, self.workplace, archive, cancelled)


@contextmanager
def open_cluster(
    address: LocalWorkers | RemoteScheduler, sandbox: SandboxKind, hidden: tuple[Path, ...]
) -> Iterator[ClusterBackend]:
    """The cluster of this address; `hidden` are folders that programs must not see. Raises ClusterError."""
    with connected(address) as client:
        yield ClusterBackend(client, partial(LocalBackend, sandbox, hidden=hidden))
