"""Monitors a program from start to end: its limits, its running time, and the cause of its end."""

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import Event

from grader.model.outcome import Outcome, Termination
from grader.model.program import Limits
from grader.run.process.fair_time import FairTimeLimit
from grader.run.process.memory import MemoryWatch
from grader.run.process.program import ExitReport, RunningProgram
from grader.run.session_end import SessionLimits, session_outcome
from grader.run.transcript import Transcript
from grader.time_limit import TimeLimit


@dataclass(frozen=True, kw_only=True)
class EndedProgram:
    """A program that has ended or was killed: why its session ended, and the information from the system."""

    ending: Termination
    status: ExitReport
    wall_seconds: float
    starved_seconds: float

    def outcome(self, transcript: Transcript, *, is_flooded: bool) -> Outcome:
        """Return the outcome, or a flood if the last output exceeded the limit."""
        is_late_flood = is_flooded and self.ending is Termination.EXITED
        outcome = session_outcome(
            transcript,
            Termination.OUTPUT_LIMIT if is_late_flood else self.ending,
            os.waitstatus_to_exitcode(self.status.wait_status),
            wall_seconds=self.wall_seconds,
            cpu_seconds=self.status.cpu_seconds,
        )
        return replace(outcome, starved_seconds=self.starved_seconds, files_cut=self.status.files_cut)


class ProgramWatch:
    """The limits of a started program."""

    def __init__(
        self,
        process: RunningProgram,
        limits: Limits,
        begun: TimeLimit,
        *,
        is_flooded: Callable[[], bool],
        cancelled: Event | None,
    ) -> None:
        """Watch `process`, whose time had `begun` before it started."""
        self.time_limit = FairTimeLimit(begun, limits.wall_seconds, process.pid, process.root_pid)
        self._memory = MemoryWatch(process.root_pid, limits, process.memory_group)
        self._process = process
        self._limits = SessionLimits(
            is_flooded=is_flooded, memory=self._memory, cancelled=cancelled or Event(), time_limit=self.time_limit
        )

    def reason_to_stop(self) -> Termination | None:
        """Return the reason to end the program, or None while it may continue or if it has just ended on its own."""
        stop = self._limits.reason_to_stop()
        # On a busy machine, the clock may be read long after the program's state.
        return None if stop is Termination.TIMED_OUT and self._process.has_ended() else stop

    def ended(self, ending: Termination, end: Callable[[], ExitReport]) -> EndedProgram:
        """Call `end` to kill any remaining processes; return the ended program, whose session ended with `ending`."""
        wall_seconds = self.time_limit.passed()
        starved_seconds = self.time_limit.starved_seconds() if ending is Termination.TIMED_OUT else 0.0
        status = end()
        if ending is Termination.EXITED and self._memory.is_what_killed(status.wait_status):
            ending = Termination.MEMORY_LIMIT
        return EndedProgram(ending=ending, status=status, wall_seconds=wall_seconds, starved_seconds=starved_seconds)
