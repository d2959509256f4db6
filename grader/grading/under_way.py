"""Tracks the tests under way, so that progress can name a test that takes long."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import monotonic

_LONG = 10


@dataclass(frozen=True)
class NamingTick:
    """A function called after each step, which is also told when a test of a student begins and ends."""

    tick: Callable[[], None]
    clock: Callable[[], float] = monotonic
    began: dict[object, tuple[str, float]] = field(default_factory=dict)
    """The tests under way: the words for each, and its start time."""

    def __call__(self) -> None:
        """Count a step."""
        self.tick()

    def longest(self) -> str:
        """Return the test that has been under way longest, if that is long, such as `anna: test deal-3, 12 s`."""
        for name, began in list(self.began.values()):
            if (seconds := self.clock() - began) >= _LONG:
                return f"{name}, {seconds:.0f} s"
        return ""


@contextmanager
def under_way(tick: Callable[[], None], student: str, test: str) -> Iterator[None]:
    """Tell `tick`, if it supports that, that a test is under way during the block."""
    if not isinstance(tick, NamingTick):
        yield
        return
    # Two attempts of a student may be graded at the same time, so the words are not a key.
    session = object()
    tick.began[session] = f"{student}: test {test}", tick.clock()
    try:
        yield
    finally:
        del tick.began[session]
