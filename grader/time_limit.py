"""Limits of time for programs and checkers. The clock stands still while the grader itself is stopped.

After Ctrl-Z and `fg`, or in a container or a virtual machine that was paused, a limit would be over at once. What
watches a limit looks at it many times a second, so a long gap between two looks tells that the grader was away.
"""

import time

_LONGEST_GAP = 1.0
"""On a busy machine a look may be late by a good part of a second."""


_MOST_GAPS = 100
"""More are not left out: on a machine that is too busy for any look to be in time, a limit must end as well."""


class TimeLimit:
    """A number of seconds from the moment it is made. One thread uses it, and looks often."""

    def __init__(self, seconds: float) -> None:
        """It begins at once."""
        self._limit = seconds
        self._passed = 0.0
        self._looked_at = time.monotonic()
        self._gaps_left = _MOST_GAPS

    def passed(self) -> float:
        """Return the seconds until now, without gaps of more than a second between two looks."""
        now = time.monotonic()
        gap, self._looked_at = now - self._looked_at, now
        if gap > _LONGEST_GAP and self._gaps_left:
            self._gaps_left -= 1
        else:
            self._passed += gap
        return self._passed

    def is_over(self) -> bool:
        """Return whether all seconds have passed."""
        return self.passed() > self._limit

    def extend(self, seconds: float) -> None:
        """Allow some more."""
        self._limit += seconds
