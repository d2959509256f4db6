"""Time limits for programs and checkers. The clock stops while the grader itself is stopped.

After Ctrl-Z and `fg`, or in a container or virtual machine that was paused, a limit would otherwise have passed at
once. A limit is checked many times a second, so a long gap between two checks reveals that the grader was stopped.
"""

import time

_LONGEST_GAP = 1.0
"""On a busy machine, a check may be late by a large fraction of a second."""


_MAX_GAPS = 100
"""The maximum number of gaps to ignore, because a limit must also end on a machine so busy that every check is late."""


class TimeLimit:
    """A number of seconds, starting when the object is created. It belongs to one thread, which must check it often."""

    def __init__(self, seconds: float) -> None:
        """Start the clock."""
        self._limit = seconds
        self._passed = 0.0
        self._looked_at = time.monotonic()
        self._gaps_left = _MAX_GAPS

    def passed(self) -> float:
        """Return the elapsed seconds, without gaps of more than a second between two checks."""
        now = time.monotonic()
        gap, self._looked_at = now - self._looked_at, now
        if gap > _LONGEST_GAP and self._gaps_left:
            self._gaps_left -= 1
        else:
            self._passed += gap
        return self._passed

    def is_over(self) -> bool:
        """Return whether all the seconds have passed."""
        return self.passed() > self._limit

    def extend(self, seconds: float) -> None:
        """Extend the limit by a number of seconds."""
        self._limit += seconds
