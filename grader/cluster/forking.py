"""How workers on this machine start: forked from one process that has imported all that they need."""

import multiprocessing
import signal
from multiprocessing import forkserver, resource_tracker

METHOD = "forkserver"
_IMPORTED_FIRST = ["grader.cluster.fork_origin", "grader.cluster.worker"]


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
