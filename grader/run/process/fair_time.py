"""A program's time limit, which does not count the time spent waiting for a processor because of other programs."""

import time

from grader.run.process import tree
from grader.time_limit import TimeLimit

_MIN_SHARE = 0.01
"""The smallest fraction of the time that is worth giving back."""
_MAX_GIVEN_BACK = 2
"""The maximum extra time, in multiples of the limit. A test that shares a core with another test, and with the threads
that talk to both, waits longer than it runs.
"""
_SECONDS_BETWEEN_LOOKS = 0.05


class FairTimeLimit:
    """A limit extended, at most threefold, by the time that the program waited for a processor because of others.

    An endless program is therefore only run once, even next to other programs, and not again with the machine to
    itself. The time that the program's own processes and threads take from each other is not given back. A program that
    reads its terminal waits for the grader, so the time in which the grader waited for a processor is given back too,
    except the time used by the program itself.
    """

    def __init__(self, limit: TimeLimit, seconds: float, pid: int, root_pid: int) -> None:
        """Limit the program `pid` to this many `seconds`; everything it starts descends from `root_pid`."""
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
        """Return the elapsed seconds, including time without a processor."""
        return self._limit.passed()

    def is_over(self) -> bool:
        """Return whether the program has used all its time, including time that it could get back."""
        self._look()
        if not self._limit.is_over():
            return False
        usage = self._usage()
        # The work and waiting times of ended processes are uncertain, and could be faked.
        waited = (0.0 if self._has_lost_any else usage.waited) + self._waited_by_grader(usage)
        more = min(waited, _MAX_GIVEN_BACK * self._seconds) - self._given_back
        # A program that always had a processor gets no extra time, because a late check may already have favoured it.
        more = min(more, self._seconds - usage.longest)
        if more < _MIN_SHARE * self._seconds:
            return True
        self._given_back += more
        self._limit.extend(more)
        return False

    def extend(self, seconds: float) -> None:
        """Extend the limit."""
        self._limit.extend(seconds)

    def starved_seconds(self) -> float:
        """Return how long others made the program wait for a processor, minus the time that it was given back.

        The kernel does not report this for ended processes. If there are any, a working program is assumed to do one
        thing at a time and never rest.
        """
        usage = self._usage()
        waited = usage.waited
        if self._has_lost_any:
            waited = self.passed() - usage.total if usage.works else 0.0
        return max(0.0, waited + self._waited_by_grader(usage) - self._given_back)

    def _waited_by_grader(self, usage: tree.ProcessorUsage) -> float:
        return max(0.0, tree.seconds_waited_here() - self._waited_before - usage.total)

    def _look(self) -> None:
        """Check from time to time whether processes have ended."""
        if time.monotonic() < self._next_look:
            return
        before, self._processes = self._processes, tree.started_below(self._root_pid, self._pid)
        self._has_lost_any = self._has_lost_any or not before <= self._processes
        self._next_look = time.monotonic() + _SECONDS_BETWEEN_LOOKS

    def _usage(self) -> tree.ProcessorUsage:
        return tree.processor_usage(tree.started_below(self._root_pid, self._pid))
