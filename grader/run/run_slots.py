"""Threads that work side by side, and when a test may run: so many at a time, and now and then one alone.

How long a program may take stands here too, since what it waits for a core does not count.
"""

import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Condition

from grader.model.outcome import Outcome, Termination
from grader.run.process import tree
from grader.time_limit import TimeLimit

# A program that was kept waiting for this part of its time may have run out of time through no fault of its own.
_UNFAIR = 0.05
# By number: Windows, where students check their programs, does not name it.
_KILLED = 9


def cores() -> int:
    """The number of processor cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


TESTS_PER_CORE = 2
"""A program and what talks to it wait for each other in turn, and some programs pause; another test runs meanwhile.

No more, because there is an end to how much of its time a program gets back that had to wait for a core.
"""


class RunSlots:
    """Room for so many tests at a time, shared by the threads of a batch."""

    def __init__(self, slots: int) -> None:
        self._free = self._slots = slots
        self._waiting_alone = 0
        self._changed = Condition()

    def run_with_retry(self, run: Callable[[], Outcome]) -> Outcome:
        """Run a test when there is room for it; once more, alone, if the machine may be what ended it."""
        with self.one_slot():
            outcome = run()
        if not _may_be_ended_by_machine(outcome):
            return outcome
        with self.all_slots():
            return run()

    @contextmanager
    def one_slot(self) -> Iterator[None]:
        """Wait for a slot and keep it for the block."""
        with self._changed:
            self._changed.wait_for(lambda: self._free > 0 and not self._waiting_alone)
            self._free -= 1
        try:
            yield
        finally:
            self._give_back(1)

    @contextmanager
    def all_slots(self) -> Iterator[None]:
        """Wait until no other test runs, and let none start during the block."""
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


def is_starved(outcome: Outcome) -> bool:
    """Whether the machine was too busy for the time that a program took to mean much."""
    return outcome.starved_seconds >= _UNFAIR * outcome.wall_seconds


def _may_be_ended_by_machine(outcome: Outcome) -> bool:
    """Whether it ran out of time on a busy machine, or was killed, as the kernel does when memory runs out."""
    match outcome.ending:
        case Termination.TIMED_OUT:
            return is_starved(outcome)
        case Termination.SIGNALLED:
            return outcome.signal == _KILLED
        case _:
            return False


@contextmanager
def thread_pool(jobs: int, cancel: Callable[[], object]) -> Iterator[ThreadPoolExecutor]:
    """Run what is submitted in the block, `jobs` at a time.

    If the block fails or is interrupted, `cancel` is called to end what is running, and nothing more starts. All
    threads have ended when the block is left.
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


_LEAST_SHARE = 0.01
"""Less of the time is not worth to be given back."""


_MOST_GIVEN_BACK = 2
"""Times the limit: who shares a core with another test, and with what talks to both, waits for longer than it runs."""


class FairTimeLimit:
    """A limit that moves on by what the program had to wait for a processor, at most twice as far again.

    So a program that never ends is run once, also beside others, and not again with the machine to itself.
    """

    def __init__(self, limit: TimeLimit, seconds: float, pid: int) -> None:
        """`limit` is of so many `seconds`, for the program `pid` and what descends from it."""
        self._limit = limit
        self._seconds = seconds
        self._pid = pid
        self._given_back = 0.0

    def passed(self) -> float:
        """The seconds until now, those without a processor among them."""
        return self._limit.passed()

    def is_over(self) -> bool:
        """Whether the program has had all its time, or so much has passed that it gets no more back."""
        if not self._limit.is_over():
            return False
        waited = min(self._waited(), _MOST_GIVEN_BACK * self._seconds) - self._given_back
        # A program that has had a processor for all its time gets no more: a late look may have counted for it already.
        more = min(waited, self._seconds - tree.ran_seconds(self._pid))
        if more < _LEAST_SHARE * self._seconds:
            return True
        self._given_back += more
        self._limit.extend(more)
        return False

    def extend(self, seconds: float) -> None:
        """Allow some more."""
        self._limit.extend(seconds)

    def starved_seconds(self) -> float:
        """How long the program was ready, got no processor, and has not been given that time back."""
        return max(0.0, self._waited() - self._given_back)

    def _waited(self) -> float:
        """How long the program was ready and got no processor.

        How long threads and children waited that have ended is not told. If they had a processor for some time, the
        program is taken as one that does one thing after the other and never rests.
        """
        waited = tree.starved_seconds(self._pid)
        living, ended = tree.used_seconds(self._pid)
        return max(waited, self.passed() - living - ended) if ended > _UNFAIR * self._seconds else waited
