"""The time of a program: that it was ready to run and got no processor does not count."""

from grader.run.process import tree
from grader.time_limit import TimeLimit

_LEAST_SHARE = 0.01
"""Less of the time is not worth to be given back."""


class FairTimeLimit:
    """A limit that moves on by what the program had to wait for a processor, at most as far again.

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
        """Whether the program has had all its time, or twice as much has passed."""
        if not self._limit.is_over():
            return False
        more = min(tree.starved_seconds(self._pid), self._seconds) - self._given_back
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
        return max(0.0, tree.starved_seconds(self._pid) - self._given_back)
