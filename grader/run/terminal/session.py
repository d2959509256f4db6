"""A session with a program, usually in a terminal, which types a line whenever the program waits for input.

Input is never sent on a guess, and delays are not fixed, so wrong or missing prompts take no extra time and cannot
change the order of the transcript. Global state is avoided, so several threads of a process can run sessions.
"""

import os
import select
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from functools import partial
from typing import Protocol

from grader.errors import SessionError
from grader.model.outcome import Outcome, Termination
from grader.model.program import Limits
from grader.run.interface import Launch
from grader.run.process.process import Process
from grader.run.process.program import ExitReport, ProgramStarter, RunningProgram, StandardStreams
from grader.run.process.terminal import Terminal
from grader.run.process.watch import ProgramWatch
from grader.run.terminal.waiting import (
    FirstToKnow,
    ProbeMaker,
    QuietProbe,
    WaitProbe,
    WaitState,
    WchanProbe,
    times_by_ps,
)
from grader.run.terminal.waiting_syscall import SyscallProbe
from grader.run.transcript import TranscriptRecorder
from grader.time_limit import TimeLimit

_ENDS_OF_FILE = 3
# Most programs answer a line within this time, during which polling is cheaper than sleeping.
_SPIN_SECONDS = 0.00015
# Fewer characters than this never fill a terminal or a pipe.
_MUCH = 2048
_SHORTEST_PAUSE = 0.00005
_LONGEST_PAUSE = 0.016
_CHUNKS_AT_ONCE = 16
_SELECT_LIMIT = 1024
BEST_PROBES: tuple[ProbeMaker, ...] = (SyscallProbe, WchanProbe, QuietProbe)
PROBES_WITHOUT_PROC: tuple[ProbeMaker, ...] = (partial(QuietProbe, use=times_by_ps, seconds=0.15),)
"""The probes that work on any Unix."""


class AfterLines(Enum):
    """How to respond when a program asks for more lines than there are: with end of input, or by stopping it."""

    END_OF_INPUT = auto()
    STOP = auto()


class ProgramChannel(Protocol):
    """The connection to a program: a terminal or pipes."""

    program_fd: int
    """The program's end of its input, from which the grader never reads."""

    @property
    def stdio(self) -> Terminal | StandardStreams:
        """The standard streams with which a program is started."""

    @property
    def readable_fds(self) -> list[int]:
        """The descriptors on which the program's output arrives."""

    @property
    def is_over(self) -> bool:
        """Return whether output that `read_output` does not return has exceeded its limit."""

    def read_output(self) -> str | None:
        """Return some unread output, possibly an empty string, or None if nothing has arrived."""

    def take_cut_character(self) -> str:
        """Return the bytes of a character that the program began but did not finish, as lone surrogates."""

    def pieces(self, line: str) -> list[str]:
        """Return the pieces to type one by one, so that the program gets `line` and a line ending."""

    def echo_of(self, line: str) -> str:
        """Return the echo that appears if `line` is typed now."""

    def type(self, text: str) -> None:
        """Type `text` unchanged. Raises SessionError if it does not fit into the buffer."""

    def end_input(self) -> None:
        """Signal the end of input."""

    def let_go(self, process: RunningProgram) -> None:
        """Close the program's end and kill other processes that have it open; call this after the program has ended."""


@dataclass(kw_only=True)
class ProgramDialogue:
    """A dialogue with a program until it ends or must be ended; the caller must close the objects it uses."""

    channel: ProgramChannel
    process: RunningProgram
    probe: WaitProbe
    recording: TranscriptRecorder
    watch: ProgramWatch
    active_at: float = field(default_factory=time.monotonic)
    pause: float = 0.0

    def __post_init__(self) -> None:
        self.pause = self.process.quiet_start_seconds

    def type_lines(self, lines: Sequence[str], after_lines: AfterLines) -> Termination:
        """Type each line when the program asks for it, then end the input if `after_lines` says so.

        Return why the dialogue is over: EXITED if the program ended on its own; otherwise the caller must kill it.
        """
        ending = self.pass_time()
        for line in lines:
            ending = ending or self.wait_until_asked() or self.type_line(line)
            if ending:
                return ending
        match after_lines:
            case AfterLines.STOP:
                return ending or self.wait_until_asked() or Termination.ASKED_AGAIN
            case AfterLines.END_OF_INPUT:
                return ending or self.end_all_input()

    def end_all_input(self) -> Termination:
        """Signal the end of input whenever the program asks for more. Return why the dialogue is over."""
        for _ in range(_ENDS_OF_FILE):
            ending = self.wait_until_asked()
            if ending:
                return ending
            self.end_input()
        return self.wait_until_asked() or Termination.KEEPS_READING

    def record_everything(self) -> int:
        """Record everything that the program has printed so far; return the number of characters."""
        recorded = 0
        while not self.recording.is_over and (text := self.channel.read_output()) is not None:
            self.recording.show(text)
            recorded += len(text)
        cut = self.channel.take_cut_character()
        if cut:
            self.recording.show(cut)
        return recorded

    def end_program(self) -> ExitReport:
        """Kill any remaining processes, and record the last output; harmless after the program has ended."""
        self.process.kill()
        status = self.process.reap()
        self.record_everything()
        return status

    def type_line(self, line: str) -> Termination | None:
        """Type a line that the program is waiting for.

        Return why the dialogue is over, if the line could not be completed.
        """
        first, *others = self.channel.pieces(line)
        self.type_text(first)
        self.recording.type(line)
        for piece in others:
            ending = self.wait_until_asked()
            if ending:
                return ending
            self.type_text(piece)
        return None

    def end_input(self) -> None:
        """Signal the end of input to a program that is waiting for input."""
        self.channel.end_input()
        self._note_activity()

    def allow(self, seconds: float) -> None:
        """Extend the time limit by `seconds` that the program did not use itself."""
        self.watch.time_limit.extend(seconds)

    def record_while_waiting(self) -> Termination | None:
        """Record output while waiting for another event; return why the dialogue is over, if it is."""
        self._record_some()
        return self.watch.reason_to_stop()

    def type_text(self, text: str) -> None:
        """Type `text`, which is not recorded as a line."""
        self.channel.type(text)
        self._note_activity()

    def _note_activity(self) -> None:
        self.active_at = time.monotonic()
        self.pause = _SHORTEST_PAUSE

    def wait_until_asked(self) -> Termination | None:
        """Wait until the program waits for input and all its output is recorded, or return why it will not."""
        recorded = _MUCH
        # Another thread or process that waits for room to print looks idle.
        while recorded >= _MUCH and not self.recording.is_over:
            while not self._sees_it_waiting():
                if ending := self.pass_time():
                    return ending
            # The time taken by this check does not count towards the program's time.
            self.allow(self.probe.hesitation())
            recorded = self.record_everything()
        self.recording.show_prompt()
        return self.watch.reason_to_stop()

    def pass_time(self) -> Termination | None:
        """Sleep, increasing the delay while nothing happens, and record any output that arrives."""
        printed, ended = self._sleep_briefly(self.pause)
        self.pause = min(2 * self.pause, _LONGEST_PAUSE)
        if ended:
            return Termination.EXITED
        if printed and self._record_some():
            self._note_activity()
        return self.watch.reason_to_stop()

    def _sees_it_waiting(self) -> bool:
        while True:
            idle = time.monotonic() - self.active_at
            if self.probe.look(idle) is WaitState.WAITING:
                return True
            if idle > _SPIN_SECONDS:
                return False
            # The program itself may be waiting for this processor.
            os.sched_yield()

    def _sleep_briefly(self, seconds: float) -> tuple[bool, bool]:
        """Sleep until a timeout or an event; return whether there is output, and whether the program has ended."""
        output, end = self.channel.readable_fds, self.process.end_fd
        ready = wait_readable(output if end is None else [*output, end], seconds)
        printed = any(descriptor in ready for descriptor in output)
        return printed, self.process.has_ended() if end is None else end in ready

    def _record_some(self) -> bool:
        """Record output, but only as much as allows checking the clock often enough."""
        for taken in range(_CHUNKS_AT_ONCE):
            if not self._record_chunk():
                return taken > 0
        return True

    def _record_chunk(self) -> bool:
        text = self.channel.read_output()
        if text is None:
            return False
        self.recording.show(text)
        return True


def wait_readable(descriptors: list[int], seconds: float) -> list[int]:
    """Return the readable descriptors, waiting for up to `seconds`; the timeout is only exact for low descriptors."""
    if max(descriptors) < _SELECT_LIMIT:
        return select.select(descriptors, [], [], seconds)[0]
    poll = select.poll()
    for descriptor in descriptors:
        poll.register(descriptor, select.POLLIN)
    return [descriptor for descriptor, _ in poll.poll(seconds * 1000)]


@dataclass(frozen=True)
class SessionDrivers:
    """The tools for a session in a terminal: the probes that detect a waiting program, and the way to start it."""

    probes: tuple[ProbeMaker, ...] = BEST_PROBES
    start: ProgramStarter = Process


def run_dialogue(
    launch: Launch,
    inputs: Sequence[str],
    *,
    echo: bool = True,
    limits: Limits = Limits(),
    after_lines: AfterLines = AfterLines.END_OF_INPUT,
    cancelled: threading.Event | None = None,
    drivers: SessionDrivers = SessionDrivers(),
) -> Outcome:
    """Run a program in a terminal, type the `inputs` as it asks for input, and return the outcome.

    Each input is a line without its line ending and is treated as text: control characters in it reach the program
    unchanged and do not interrupt anything (see `terminal`). A program that asks for more is stopped with
    `Termination.ASKED_AGAIN`, or given the end of input, up to 3 times because a terminal forgets it. If it still
    reads, it is killed with `Termination.KEEPS_READING`. When the program ends, all processes left running in its
    session are killed. Setting `cancelled` ends the session within about 20 ms. `drivers` determine how to detect that
    the program waits, in order of preference, and how to start it.

    Raises SessionError if the session cannot run (no terminal, no such executable or folder, an input of several
    lines); errors in the program are part of the outcome.
    """
    if any("\n" in line for line in inputs):
        raise SessionError("an input is one line: it cannot contain a line end")
    recording = TranscriptRecorder(limits.output_bytes, errors=launch.descriptors.get(2))
    with Terminal(echo=echo) as terminal:
        outcome = hold_session(
            launch,
            SessionEnds(terminal, recording, lambda dialogue: dialogue.type_lines(inputs, after_lines)),
            limits=limits,
            cancelled=cancelled,
            drivers=drivers,
        )
    return replace(outcome, unsent=len(inputs) - recording.typed_count)


@dataclass(frozen=True)
class SessionEnds:
    """The grader's end of a session: the connection to the program, the recording, and the function that types.

    `talk` returns why the dialogue is over.
    """

    channel: ProgramChannel
    recording: TranscriptRecorder
    talk: Callable[[ProgramDialogue], Termination]

    def is_flooded(self) -> bool:
        """Return whether the output exceeded its limit."""
        return self.recording.is_over or self.channel.is_over


def hold_session(
    launch: Launch, ends: SessionEnds, *, limits: Limits, cancelled: threading.Event | None, drivers: SessionDrivers
) -> Outcome:
    """Run a program and communicate with it until it ends or must be ended; see `run_dialogue`."""
    begun = TimeLimit(limits.wall_seconds)
    channel, recording = ends.channel, ends.recording
    with (
        drivers.start(launch, limits, channel.stdio) as process,
        closing(FirstToKnow([make(process.pid, channel.program_fd) for make in drivers.probes])) as probe,
    ):
        watch = ProgramWatch(process, limits, begun, is_flooded=ends.is_flooded, cancelled=cancelled)
        dialogue = ProgramDialogue(channel=channel, process=process, probe=probe, recording=recording, watch=watch)
        ended = watch.ended(ends.talk(dialogue), dialogue.end_program)
        channel.let_go(process)
    return ended.outcome(recording.shown(launch), is_flooded=ends.is_flooded())
