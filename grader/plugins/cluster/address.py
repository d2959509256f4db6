"""Parses the value of `--cluster`, which is an address or a number of local workers, and starts local workers."""

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
    """A temporary cluster of `count` worker processes on this machine."""

    count: int


@dataclass(frozen=True)
class RemoteScheduler:
    """An existing cluster, given by the address of its scheduler."""

    url: str


def parse_address(text: str) -> LocalWorkers | RemoteScheduler:
    """Parse `local:N`, `tcp://HOST:PORT` or `tls://HOST:PORT`. Raises ClusterError."""
    local = _LOCAL.fullmatch(text)
    if local:
        return LocalWorkers(int(local[1]))
    if _REMOTE.fullmatch(text):
        return RemoteScheduler(text)
    raise ClusterError(
        f"--cluster {text!r} is no cluster; expected tcp://HOST:PORT or tls://HOST:PORT of a Dask scheduler, "
        "or local:N for N workers on this machine (more: `grader docs department`)"
    )


def prepare_to_fork() -> None:
    """Start the fork server, unless it is running.

    It imports Dask in parallel, so call this before importing Dask here.
    """
    multiprocessing.get_context(METHOD).set_forkserver_preload(_IMPORTED_FIRST)
    # Starting this process would unblock the signal, so it is started first.
    resource_tracker.ensure_running()
    # The process must not receive a Ctrl-C before it can handle one. `preload` unblocks the signal again.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        forkserver.ensure_running()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
