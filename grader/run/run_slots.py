"""Runs work in parallel threads, and decides when a test may run: up to a number of tests at a time, or one alone."""

import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from threading import Condition

from grader.errors import KilledForMemoryError
from grader.model.outcome import Outcome

TESTS_PER_CORE = 2
"""The program and the grader take turns waiting for each other, and some programs pause, so another test can run
meanwhile. More tests would starve programs beyond the time that they can get back for waiting.
"""


def cores() -> int:
    """Return the number of processor cores that this process can use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class RunSlots:
    """The slots for tests that run at the same time, shared by a batch's threads."""

    def __init__(self, slots: int) -> None:
        self._free = self._slots = slots
        self._waiting_alone = 0
        self._changed = Condition()

    def run_with_retry(self, run: Callable[[], Outcome]) -> Outcome:
        """Run a test when a slot is free, and once more on its own if the machine may have ended it."""
        outcome = self.run_once(run)
        if not outcome.is_starved:
            return outcome
        with self.all_slots():
            return run()

    def run_once(self, run: Callable[[], Outcome]) -> Outcome:
        """Run a test when a slot is free, and once more on its own only if the kernel killed it for lack of memory."""
        with self.one_slot(), suppress(KilledForMemoryError):
            return run()
        with self.all_slots():
            return run()

    @contextmanager
    def one_slot(self) -> Iterator[None]:
        """Wait for a slot and hold it during the block."""
        with self._changed:
            self._changed.wait_for(lambda: self._free > 0 and not self._waiting_alone)
            self._free -= 1
        try:
            yield
        finally:
            self._give_back(1)

    @contextmanager
    def all_slots(self) -> Iterator[None]:
        """Wait until no other test is running, and prevent new ones from starting during the block."""
        with self._changed:
            self._waiting_alone += 1
            self._changed.wait_for(lambda: self._free == self._slots)
            self._waiting_alone -= 1
            self._free = 0
        try:
            yield
        finally:
            self._give_back(self._slots)

    def _give_back(self, slots: int) -> None:
        with self._changed:
            self._free += slots
            self._changed.notify_all()


@contextmanager
def thread_pool(jobs: int, cancel: Callable[[], object]) -> Iterator[ThreadPoolExecutor]:
    """Yield a pool that runs submitted work, `jobs` at a time.

    If the block fails or is interrupted, `cancel` is called to end the current work, and no more work starts. All
    threads have ended on exit.
    """
    name = f"pool-{time.monotonic_ns()}"
    pool = ThreadPoolExecutor(jobs, thread_name_prefix=name)
    try:
        yield pool
        pool.shutdown()
    except BaseException:
        cancel()
        pool.shutdown(cancel_futures=True)
        # The pool forgets a thread if it is interrupted while starting the thread.
        for thread in threading.enumerate():
            if thread.name.startswith(name) and thread.ident is not None:
                thread.join()
        raise
