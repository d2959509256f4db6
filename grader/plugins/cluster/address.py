"""What `--cluster` may say: the address of a scheduler, or a number of worker processes here, and how these start."""

import multiprocessing
import re
import signal
from dataclasses import dataclass
from multiprocessing import forkserver, resource_tracker

from grader.errors import ClusterError

_LOCAL = re.compile(r"local:([1-9]\d{0,3})")
_REMOTE = re.compile(r"(?:tcp|tls)://(?:\[[0-9a-fA-F:.]+\]|[^\s:/\[\]]+):\d{1,5}")
METHOD = "forkserver"
_IMPORTED_FIRST = ["grader.plugins.cluster.preload", "grader.plugins.cluster.dask_worker"]


@dataclass(frozen=True)
class LocalWorkers:
    """A cluster that lives on this machine for one run, of so many worker processes."""

    count: int


@dataclass(frozen=True)
class RemoteScheduler:
    """A cluster that is there already, by the address of its scheduler."""

    url: str


def parse_address(text: str) -> LocalWorkers | RemoteScheduler:
    """Read `local:N`, `tcp://HOST:PORT` or `tls://HOST:PORT`. Raises ClusterError."""
    local = _LOCAL.fullmatch(text)
    if local:
        return LocalWorkers(int(local[1]))
    if _REMOTE.fullmatch(text):
        return RemoteScheduler(text)
    raise ClusterError(
        f"--cluster {text!r} is no cluster; expected tcp://HOST:PORT or tls://HOST:PORT of a Dask scheduler, "
        "or local:N for N workers on this machine"
    )


def prepare_to_fork() -> None:
    """Start that process, unless it runs. It imports Dask beside this one, so call this before importing Dask here."""
    multiprocessing.get_context(METHOD).set_forkserver_preload(_IMPORTED_FIRST)
    # Its start lifts the block, so it goes first.
    resource_tracker.ensure_running()
    # The process must not meet a Ctrl-C before it knows what to do; `fork_origin` lifts this again.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        forkserver.ensure_running()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
