"""Ends sessions: the limits that stop a session early, and its outcome."""

from collections.abc import Callable
from dataclasses import dataclass
from threading import Event
from typing import Protocol

from grader.model.outcome import Outcome, Termination
from grader.run.transcript import Transcript


class LimitWatch(Protocol):
    """A watch on a limit."""

    def is_over(self) -> bool:
        """Return whether the limit is exceeded."""


@dataclass(frozen=True, kw_only=True)
class SessionLimits:
    """The limits that end a session before its program does, in order of precedence.

    `memory` can be None, in which case it is not checked.
    """

    is_flooded: Callable[[], bool]
    memory: LimitWatch | None = None
    cancelled: Event
    time_limit: LimitWatch

    def reason_to_stop(self) -> Termination | None:
        """Return the reason to end the session now, or None while it may continue."""
        if self.is_flooded():
            return Termination.OUTPUT_LIMIT
        if self.memory is not None and self.memory.is_over():
            return Termination.MEMORY_LIMIT
        if self.cancelled.is_set():
            return Termination.CANCELLED
        return Termination.TIMED_OUT if self.time_limit.is_over() else None


def session_outcome(
    transcript: Transcript,
    ending: Termination,
    exit_code: int | None,
    *,
    wall_seconds: float,
    cpu_seconds: float = 0.0,
    unsent: int = 0,
) -> Outcome:
    """Return the outcome of a session; a negative exit code is the number of a signal, as in Python."""
    signal = None
    if ending is Termination.EXITED and exit_code is not None and exit_code < 0:
        ending, signal = Termination.SIGNALLED, -exit_code
    return Outcome(
        transcript=transcript.text,
        typed=transcript.typed,
        ending=ending,
        exit_code=exit_code if ending is Termination.EXITED else None,
        signal=signal,
        unsent=unsent,
        wall_seconds=wall_seconds,
        cpu_seconds=cpu_seconds,
    )
