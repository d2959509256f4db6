"""Threads that work side by side, and end with the work that they are for."""

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager


@contextmanager
def thread_pool(jobs: int, cancel: Callable[[], object]) -> Iterator[ThreadPoolExecutor]:
    """Run what is submitted in the block, `jobs` at a time.

    When the block fails or is interrupted, at whatever moment, `cancel` has to end what is under way, and nothing
    more is started. All threads have ended after the block.
    """
    name = f"pool-{time.monotonic_ns()}"
    pool = ThreadPoolExecutor(jobs, thread_name_prefix=name)
    try:
        yield pool
        pool.shutdown()
    except BaseException:
        cancel()
        pool.shutdown(cancel_futures=True)
        # An interruption while a thread started has it forgotten by the pool.
        for thread in threading.enumerate():
            if thread.name.startswith(name) and thread.ident is not None:
                thread.join()
        raise
