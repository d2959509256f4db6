"""A session for systems without terminals, in which a program's input and output are pipes.

A pipe does not echo input, so typed text is added to the transcript here. A pipe also cannot show whether a program is
waiting for input. A line is therefore typed once the program has been quiet, for a short time after an unfinished line,
which is most likely a prompt, and otherwise for longer.
"""

import os
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from threading import Event
from typing import IO, TYPE_CHECKING

from pexpect.exceptions import EOF
from pexpect.popen_spawn import PopenSpawn

from grader.errors import SessionError, reported_as
from grader.model.outcome import Outcome, Termination
from grader.model.program import Limits
from grader.run.interface import Launch
from grader.run.session_end import SessionLimits, session_outcome
from grader.run.transcript import TranscriptRecorder
from grader.time_limit import TimeLimit

if TYPE_CHECKING:
    Spawn = PopenSpawn[str]
else:
    Spawn = PopenSpawn


_SECONDS_BETWEEN_LOOKS = 0.01
_SECONDS_TO_DRAIN = 0.5
_READ_CHARACTERS = 1 << 16
_SECONDS_TO_READ = 0.1
"""The maximum time to read endless output before checking the limits again."""


@dataclass(frozen=True)
class QuietTimes:
    """The number of seconds for which a program must be quiet before a line is typed.

    There are separate times after an unfinished line, before any output (the program may still be starting), and for
    all other cases.
    """

    at_prompt: float = 0.1
    at_start: float = 3.0
    otherwise: float = 1.0


def run_dialogue_by_pipes(
    launch: Launch,
    inputs: Sequence[str],
    *,
    echo: bool,
    limits: Limits,
    cancelled: Event,
    quiet_times: QuietTimes = QuietTimes(),
    line_end: str = os.linesep,
) -> Outcome:
    """Run a program, type the `inputs` when it seems to wait for input, and return the outcome.

    Only the limits on real time and output apply, and the time spent waiting for quiet does not count. `line_end` is
    the line ending that the program's standard output produces. Raises SessionError if the program cannot be started.
    """
    time_limit = TimeLimit(limits.wall_seconds)
    with _started_program(launch) as program:
        recording = TranscriptRecorder(limits.output_bytes)
        dialogue = _PipeDialogue(
            program=program,
            time_limit=time_limit,
            recording=recording,
            limits=SessionLimits(is_flooded=lambda: recording.is_over, cancelled=cancelled, time_limit=time_limit),
            quiet_times=quiet_times,
            line_end=line_end,
            echo=echo,
        )
        ending = dialogue.type_lines(inputs)
        wall_seconds = time_limit.passed()
        code = program.proc.poll()
    unsent = len(inputs) - recording.typed_count
    return session_outcome(recording.shown(launch), ending, code, unsent=unsent, wall_seconds=wall_seconds)


def run_stdin_by_pipes(
    launch: Launch, stdin_text: str, *, limits: Limits, cancelled: Event, line_end: str = os.linesep
) -> Outcome:
    """Run a program with `stdin_text` as its standard input; standard output is the transcript.

    See `run_dialogue_by_pipes`.
    """
    time_limit = TimeLimit(limits.wall_seconds)
    with tempfile.TemporaryFile() as stdin, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        stdin.write(stdin_text.encode("utf-8", "surrogateescape"))
        stdin.seek(0)
        with reported_as(SessionError, f"cannot start {launch.argv[0]!r}"):
            process = subprocess.Popen(
                launch.argv, cwd=launch.workdir, env=dict(launch.environment), stdin=stdin, stdout=out, stderr=err
            )
        session_limits = SessionLimits(
            is_flooded=lambda: sum(os.fstat(file.fileno()).st_size for file in (out, err)) > limits.output_bytes,
            cancelled=cancelled,
            time_limit=time_limit,
        )
        ending = None
        try:
            while process.poll() is None and ending is None:
                ending = session_limits.reason_to_stop()
                time.sleep(_SECONDS_BETWEEN_LOOKS)
        finally:
            process.kill()
            process.wait()
        wall_seconds = time_limit.passed()
        printed, errors = (_recorded_file(file, limits, line_end) for file in (out, err))
    ending = Termination.OUTPUT_LIMIT if printed.is_over else ending or Termination.EXITED
    outcome = session_outcome(printed.shown(launch), ending, process.returncode, wall_seconds=wall_seconds)
    return replace(outcome, errors=errors.shown(launch).text)


@contextmanager
def _started_program(launch: Launch) -> Iterator[Spawn]:
    with reported_as(SessionError, f"cannot start {launch.argv[0]!r}"):
        program = PopenSpawn(
            list(launch.argv),
            cwd=str(launch.workdir),
            env=dict(launch.environment),
            encoding="utf-8",
            codec_errors="surrogateescape",
        )
    try:
        yield program
    finally:
        program.proc.kill()
        program.proc.wait()
        for pipe in filter(None, (program.proc.stdin, program.proc.stdout)):
            with suppress(OSError):
                pipe.close()


@dataclass(kw_only=True)
class _PipeDialogue:
    """A dialogue with a program until it ends or must be ended."""

    program: Spawn
    time_limit: TimeLimit
    recording: TranscriptRecorder
    limits: SessionLimits
    quiet_times: QuietTimes
    line_end: str
    echo: bool
    last_text: str = ""
    has_begun: bool = False
    has_closed_output: bool = False

    def type_lines(self, inputs: Sequence[str]) -> Termination:
        """Type the lines, then end the input. Return why the dialogue is over: EXITED if the program has ended."""
        for line in inputs:
            ending = self._wait_until_quiet()
            if ending:
                return ending
            self._type_line(line)
        with suppress(OSError):
            self.program.sendeof()
        while True:
            ending = self._pass_time()
            if ending:
                return ending

    def _type_line(self, line: str) -> None:
        self.recording.type(line)
        self.last_text = ""
        self.has_begun = True
        if self.echo:
            self.recording.show(f"{line}\n")
        # The program may have ended or closed its input, which the next check detects.
        with suppress(OSError):
            self.program.send(line + self.line_end)  # type: ignore[no-untyped-call]

    def _wait_until_quiet(self) -> Termination | None:
        quiet_since = self.time_limit.passed()
        while True:
            before = self.last_text
            ending = self._pass_time()
            if ending:
                return ending
            now = self.time_limit.passed()
            if self.last_text is not before:
                quiet_since = now
            quiet_seconds = self._seconds_of_quiet()
            if now - quiet_since >= quiet_seconds:
                self.time_limit.extend(quiet_seconds)
                return None

    def _seconds_of_quiet(self) -> float:
        if self.last_text and not self.last_text.endswith("\n"):
            return self.quiet_times.at_prompt
        return self.quiet_times.otherwise if self.has_begun else self.quiet_times.at_start

    def _pass_time(self) -> Termination | None:
        """Wait a little and record new output; return why the dialogue is over, if it is."""
        if not self._record_output():
            time.sleep(_SECONDS_BETWEEN_LOOKS)
        if self.program.proc.poll() is not None:
            self._record_rest()
            return Termination.OUTPUT_LIMIT if self.recording.is_over else Termination.EXITED
        return self.limits.reason_to_stop()

    def _record_rest(self) -> None:
        """Record everything printed before the program ended; a child process may still have its output open."""
        draining = TimeLimit(_SECONDS_TO_DRAIN)
        while not self.has_closed_output and not self.recording.is_over and not draining.is_over():
            if not self._record_output():
                time.sleep(_SECONDS_BETWEEN_LOOKS)

    def _record_output(self) -> bool:
        """Record new output, and return whether there was any."""
        if self.has_closed_output:
            return False
        try:
            text: str = self.program.read_nonblocking(_READ_CHARACTERS, _SECONDS_TO_READ)  # type: ignore[no-untyped-call]
        except EOF:
            self.has_closed_output = True
            return False
        if text:
            self.last_text = _plain_newlines(text, self.line_end)
            self.recording.show(self.last_text)
            self.has_begun = True
        return bool(text)


def _recorded_file(file: IO[bytes], limits: Limits, line_end: str) -> TranscriptRecorder:
    file.seek(0)
    recording = TranscriptRecorder(limits.output_bytes)
    content = file.read(limits.output_bytes + 1)
    recording.show(_plain_newlines(content.decode("utf-8", "surrogateescape"), line_end))
    return recording


def _plain_newlines(text: str, line_end: str) -> str:
    return text.replace(line_end, "\n")
