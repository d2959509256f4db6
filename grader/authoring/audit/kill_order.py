"""Which tests are tried first on a mutant: those that catch most in least time, by what they caught so far."""

from collections import Counter
from collections.abc import Mapping
from threading import Lock

_OVERHEAD_SECONDS = 0.02


class KillOrder:
    """How often each test has caught a mutant so far; for several threads."""

    def __init__(self) -> None:
        """Nothing has been tried yet."""
        self._tried: Counter[str] = Counter()
        self._caught: Counter[str] = Counter()
        self._lock = Lock()

    def note(self, test: str, *, caught: bool) -> None:
        """Count a test that was tried on a mutant."""
        with self._lock:
            self._tried[test] += 1
            self._caught[test] += caught

    def sorted(self, seconds: Mapping[str, float]) -> list[str]:
        """Tests that take so many seconds each, the one that catches most per second first."""
        with self._lock:
            chance = {test: (self._caught[test] + 1) / (self._tried[test] + 2) for test in seconds}
        return sorted(seconds, key=lambda test: -chance[test] / (seconds[test] + _OVERHEAD_SECONDS))
