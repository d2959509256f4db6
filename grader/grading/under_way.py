"""Tracks the running tests, so that progress can show a test that takes a long time."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import monotonic

_LONG = 10


@dataclass(frozen=True)
class NamingTick:
    """A function called after each step, which is also notified when a student's test begins and ends."""

    tick: Callable[[], None]
    clock: Callable[[], float] = monotonic
    began: dict[object, tuple[str, float]] = field(default_factory=dict)
    """The running tests: a description of each, and its start time."""

    def __call__(self) -> None:
        """Count a step."""
        self.tick()

    def longest(self) -> str:
        """Return the test that has been running longest, if it is slow, such as `anna: test deal-3, 12 s`."""
        for name, began in list(self.began.values()):
            if (seconds := self.clock() - began) >= _LONG:
                return f"{name}, {seconds:.0f} s"
        return ""


@contextmanager
def under_way(tick: Callable[[], None], student: str, test: str) -> Iterator[None]:
    """Report to `tick`, if it supports that, that a test is running during the block."""
    if not isinstance(tick, NamingTick):
        yield
        return
    # Two attempts of a student may be graded at the same time, so the description cannot be a key.
    session = object()
    tick.began[session] = f"{student}: test {test}", tick.clock()
    try:
        yield
    finally:
        del tick.began[session]
