"""The question that decides when to type: is the program waiting for what we type?"""

from collections.abc import Callable, Sequence
from enum import Enum, auto
from typing import Protocol


class Answer(Enum):
    """WAITING: the program has read all we typed and is blocked until there is more.

    BUSY: it computes, sleeps, prints or has not yet read what we typed.
    UNKNOWN: this probe cannot tell; another one may.
    """

    WAITING = auto()
    BUSY = auto()
    UNKNOWN = auto()


class Probe(Protocol):
    """Looks at one program, from its start to its end."""

    def look(self, idle_seconds: float) -> Answer:
        """Answer for this moment; `idle_seconds` have passed since we last typed something or saw output."""

    def hesitation(self) -> float:
        """For how many seconds the program already waited for us when it was last answered that it does."""

    def close(self) -> None:
        """Give back what the probe holds open."""


ProbeMaker = Callable[[int, int], Probe]
"""Makes a probe from the process id of the program and a descriptor of its end of the terminal."""


class FirstToKnow:
    """Asks probes in order of preference, and answers what the first says that can tell."""

    def __init__(self, probes: Sequence[Probe]) -> None:
        self._probes = probes
        self._believed: Probe | None = None

    def look(self, idle_seconds: float) -> Answer:
        for probe in self._probes:
            answer = probe.look(idle_seconds)
            if answer is not Answer.UNKNOWN:
                self._believed = probe
                return answer
        return Answer.UNKNOWN

    def hesitation(self) -> float:
        return self._believed.hesitation() if self._believed else 0.0

    def close(self) -> None:
        for probe in self._probes:
            probe.close()
