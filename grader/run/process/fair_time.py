"""The time limit of a program, not counting the time that others made it, or the grader, wait for a processor."""

import time

from grader.run.process import tree
from grader.time_limit import TimeLimit

_LEAST_SHARE = 0.01
"""The smallest share of the time worth giving back."""
_MOST_GIVEN_BACK = 2
"""Times the limit: who shares a core with another test, and with what talks to both, waits for longer than it runs."""
_SECONDS_BETWEEN_LOOKS = 0.05


class FairTimeLimit:
    """A limit that moves on by what others made the program wait for a processor, at most twice as far again.

    So a program that never ends is run once, also beside others, and not again with the machine to itself. What its own
    processes and threads take from each other is nothing that others made it wait. While it reads its terminal it waits
    for the grader, so the time in which the grader waited for a processor is given back too, but for what the program
    used itself.
    """

    def __init__(self, limit: TimeLimit, seconds: float, pid: int, root_pid: int) -> None:
        """`limit` is of so many `seconds`, for the program `pid`; all it started descends from `root_pid`."""
        self._limit = limit
        self._seconds = seconds
        self._pid = pid
        self._root_pid = root_pid
        self._given_back = 0.0
        self._waited_before = tree.seconds_waited_here()
        self._processes: frozenset[int] = frozenset()
        self._has_lost_any = False
        self._next_look = time.monotonic() + _SECONDS_BETWEEN_LOOKS

    def passed(self) -> float:
        """Return the seconds until now, those without a processor among them."""
        return self._limit.passed()

    def is_over(self) -> bool:
        """Return whether the program has had all its time, or so much has passed that it gets no more back."""
        self._look()
        if not self._limit.is_over():
            return False
        usage = self._usage()
        # How long those worked and waited that have ended is not known for sure, and may be made up.
        waited = (0.0 if self._has_lost_any else usage.waited) + self._waited_by_grader(usage)
        more = min(waited, _MOST_GIVEN_BACK * self._seconds) - self._given_back
        # A program that has had a processor for all its time gets no more: a late look may have counted for it already.
        more = min(more, self._seconds - usage.longest)
        if more < _LEAST_SHARE * self._seconds:
            return True
        self._given_back += more
        self._limit.extend(more)
        return False

    def extend(self, seconds: float) -> None:
        """Extend the limit."""
        self._limit.extend(seconds)

    def starved_seconds(self) -> float:
        """Return how long others made the program wait for a processor, as far as it has not been given that time back.

        Of processes that have ended the kernel does not tell it. A program that works, and has started some, is taken
        as one that does one thing after the other and never rests.
        """
        usage = self._usage()
        waited = usage.waited
        if self._has_lost_any:
            waited = self.passed() - usage.total if usage.works else 0.0
        return max(0.0, waited + self._waited_by_grader(usage) - self._given_back)

    def _waited_by_grader(self, usage: tree.ProcessorUsage) -> float:
        return max(0.0, tree.seconds_waited_here() - self._waited_before - usage.total)

    def _look(self) -> None:
        """Notice, now and then, that processes have ended."""
        if time.monotonic() < self._next_look:
            return
        before, self._processes = self._processes, tree.started_below(self._root_pid, self._pid)
        self._has_lost_any = self._has_lost_any or not before <= self._processes
        self._next_look = time.monotonic() + _SECONDS_BETWEEN_LOOKS

    def _usage(self) -> tree.ProcessorUsage:
        return tree.processor_usage(tree.started_below(self._root_pid, self._pid))
