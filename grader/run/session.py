"""One session: a program, a terminal and a dialogue, and what came of it.

All state is in the call: sessions may be held in several threads of one process.
"""

import os
import threading
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial

from grader.run import proctree
from grader.run.dialogue import Dialogue
from grader.run.errors import SessionError
from grader.run.launch import Launch
from grader.run.memory import MemoryWatch
from grader.run.outcome import Ending, Outcome
from grader.run.probe import FirstToKnow, ProbeMaker
from grader.run.probe_quiet import QuietProbe, times_by_ps
from grader.run.probe_syscall import SyscallProbe
from grader.run.probe_wchan import WchanProbe
from grader.run.process import Process
from grader.run.program import RunningProgram, Starter, Status
from grader.run.recording import Recording, head_and_tail
from grader.run.start import start_by_shell
from grader.run.terminal import Terminal
from grader.spec.limits import STANDARD_LIMITS, Limits

BEST_PROBES: tuple[ProbeMaker, ...] = (SyscallProbe, WchanProbe, QuietProbe)


@dataclass(frozen=True)
class Means:
    """How a session is held in a terminal: how it is noticed that the program waits, and how the program is started."""

    probes: tuple[ProbeMaker, ...]
    start: Starter


BEST_MEANS = Means(BEST_PROBES, Process)
WITHOUT_PROC = Means((partial(QuietProbe, use=times_by_ps, seconds=0.15),), partial(Process, start=start_by_shell))
"""What any Unix has."""


def converse(
    launch: Launch,
    inputs: Sequence[str],
    *,
    echo: bool = True,
    limits: Limits = STANDARD_LIMITS,
    cancelled: threading.Event | None = None,
    probes: Sequence[ProbeMaker] = BEST_PROBES,
    start: Starter = Process,
) -> Outcome:
    """Run a program in a terminal, type the `inputs` as it asks for them, and return what came of it.

    Each input is one line without its line end and is taken as text: control characters in it reach the program as
    they are and interrupt nothing (see `terminal`). A program that asks for more is given the end of input, up to 3
    times because a terminal forgets it, and is killed with `Ending.KEEPS_READING` if it still reads. When the program
    ends, whatever it started and left behind in its session is killed. `cancelled` ends the session within some 20 ms
    of being set. `probes` says how to notice that the program waits, in order of preference, `start` how to start it.

    Raises SessionError if the session cannot be held (no terminal, no such executable or folder, an input of several
    lines); what the program does wrong is in the outcome.
    """
    if any("\n" in line for line in inputs):
        raise SessionError("an input is one line: it cannot contain a line end")
    started = time.monotonic()
    recording = Recording(limits.output_bytes)
    with (
        Terminal(echo=echo) as terminal,
        start(launch, limits, terminal) as process,
        closing(FirstToKnow([make(process.pid, terminal.program_fd) for make in probes])) as probe,
    ):
        deadline = started + limits.wall_seconds
        memory = MemoryWatch(process.root_pid, limits.memory_bytes)
        dialogue = Dialogue(terminal, process, probe, recording, deadline, memory, cancelled or threading.Event())
        ending = dialogue.hold(inputs)
        wall_seconds = time.monotonic() - started
        starved = proctree.starved_seconds(process.pid) if ending is Ending.TIMED_OUT else 0.0
        status = _end(process, dialogue, terminal)
    if ending is Ending.EXITED and recording.is_over:
        ending = Ending.OUTPUT_LIMIT
    outcome = _outcome(launch, recording, ending, status, len(inputs), wall_seconds)
    return replace(outcome, starved_seconds=starved)


def _end(process: RunningProgram, dialogue: Dialogue, terminal: Terminal) -> Status:
    """Kill what still runs, take what was printed last, and let go of the terminal."""
    process.kill()
    status = process.reap()
    dialogue.take_everything()
    identity = os.fstat(terminal.program_fd)
    terminal.close_program_end()
    if terminal.is_held():
        process.kill_holders(identity)
    return status


def _outcome(
    launch: Launch, recording: Recording, ending: Ending, status: Status, wanted: int, wall_seconds: float
) -> Outcome:
    exit_code = signal = None
    if ending is Ending.EXITED:
        code = os.waitstatus_to_exitcode(status.wait_status)
        if code < 0:
            ending, signal = Ending.SIGNALLED, -code
        else:
            exit_code = code
    transcript = recording.transcript(launch.workdir)
    unsent = wanted - len(transcript.typed)
    if recording.is_over:
        transcript = head_and_tail(transcript)
    return Outcome(
        transcript=transcript.text,
        typed=transcript.typed,
        ending=ending,
        exit_code=exit_code,
        signal=signal,
        unsent=unsent,
        wall_seconds=wall_seconds,
        cpu_seconds=status.cpu_seconds,
    )
