"""Runs a program without a terminal: standard input is a file, and output and errors are pipes.

This corresponds to `program < input.txt` in a shell.
"""

import contextlib
import os
import selectors
import stat
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

from grader.errors import SessionError, reported_as
from grader.model.outcome import Outcome, Termination
from grader.model.program import Limits
from grader.run.interface import Launch
from grader.run.process.process import Process
from grader.run.process.program import ExitReport, ProgramStarter, RunningProgram, StandardStreams
from grader.run.process.watch import ProgramWatch
from grader.run.transcript import Transcript, head_and_tail, transcript_of
from grader.time_limit import TimeLimit

_SECONDS_TO_NOTICE = 0.02
_MAX_READ = 1 << 16
_SILENT_SECONDS = 0.2
"""After the program ends, any processes that it left running are killed once they have been silent for this long."""


_MAX_LEFT_SECONDS = 2.0
"""They are also killed after this time if they keep printing."""


def run_stdin(
    launch: Launch,
    stdin_text: str,
    *,
    limits: Limits = Limits(),
    cancelled: threading.Event | None = None,
    start: ProgramStarter = Process,
) -> Outcome:
    """Run a program with `stdin_text` as its standard input.

    Standard output is the transcript, and errors are kept separate. The program leads its own session without a
    terminal; when it ends, everything it started is killed. `cancelled` ends the run within about 20 ms. Raises
    SessionError if the program cannot be started.
    """
    begun = TimeLimit(limits.wall_seconds)
    collected = _CollectedOutput(limits.output_bytes)
    with _output_pipes() as pipes:
        with (
            stdin_file(stdin_text) as stdin,
            start(launch, limits, StandardStreams(stdin, pipes.output, pipes.errors)) as process,
        ):
            pipes.close_program_ends()
            watch = ProgramWatch(process, limits, begun, is_flooded=lambda: collected.is_over, cancelled=cancelled)
            ended = watch.ended(_read_until_end(process, pipes, collected, watch), partial(_end, process))
        for pipe in pipes.readable:
            collected.read_rest(pipe)
    output, errors = (collected.shown(pipe, launch) for pipe in pipes.readable)
    return replace(ended.outcome(output, is_flooded=collected.is_over), errors=errors.text)


def _end(process: RunningProgram) -> ExitReport:
    process.kill()
    return process.reap()


@contextmanager
def stdin_file(text: str) -> Iterator[int]:
    """Yield a descriptor from which `text` can be read."""
    with tempfile.TemporaryFile() as file:
        file.write(text.encode("utf-8", "surrogateescape"))
        file.flush()
        # The program may run as another user, and open the file as /dev/stdin.
        os.fchmod(file.fileno(), stat.S_IRUSR | stat.S_IRGRP | stat.S_IROTH)
        # Opened again, so that the program can neither write to it nor find its name.
        reader = os.open(f"/dev/fd/{file.fileno()}", os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.lseek(reader, 0, os.SEEK_SET)
            yield reader
        finally:
            os.close(reader)


class _OutputPipes:
    """Two pipes: the grader's reading ends, and the program's ends."""

    def __init__(self) -> None:
        with reported_as(SessionError, "no pipe is available"):
            (out, self.output), (err, self.errors) = os.pipe(), os.pipe()
        self.readable = (out, err)
        self._open = {out, err, self.output, self.errors}

    def close_program_ends(self) -> None:
        """Close the grader's copies of the program's ends."""
        self._close({self.output, self.errors})

    def close(self) -> None:
        """Close the remaining descriptors."""
        self._close(set(self._open))

    def _close(self, descriptors: set[int]) -> None:
        for descriptor in descriptors & self._open:
            os.close(descriptor)
        self._open -= descriptors


@contextmanager
def _output_pipes() -> Iterator[_OutputPipes]:
    pipes = _OutputPipes()
    try:
        yield pipes
    finally:
        pipes.close()


class _CollectedOutput:
    """The output of each pipe, up to a total number of bytes."""

    def __init__(self, limit_bytes: int) -> None:
        self._left = limit_bytes
        self._chunks: dict[int, list[bytes]] = {}
        self.is_over = False

    def read_chunk(self, pipe: int) -> bool:
        """Read the available output; return False at the end of the pipe."""
        chunk = os.read(pipe, _MAX_READ)
        self.is_over = self.is_over or len(chunk) > self._left
        self._chunks.setdefault(pipe, []).append(chunk[: self._left])
        self._left -= min(len(chunk), self._left)
        return bool(chunk)

    def read_rest(self, pipe: int) -> None:
        """Read the remaining output of a program that has ended."""
        os.set_blocking(pipe, False)
        with contextlib.suppress(BlockingIOError):
            while not self.is_over and self.read_chunk(pipe):
                pass

    def shown(self, pipe: int, launch: Launch) -> Transcript:
        """Return the output without the path of the private folder."""
        whole = transcript_of(b"".join(self._chunks.get(pipe, ())), launch)
        return head_and_tail(whole) if self.is_over else whole


def _read_what_is_left(
    process: RunningProgram, pipes: _OutputPipes, collected: _CollectedOutput, watch: ProgramWatch
) -> None:
    """Read the output of processes that the program left running, until they are silent for a moment."""
    printed_at = begun = time.monotonic()
    with selectors.DefaultSelector() as selector:
        for pipe in pipes.readable:
            selector.register(pipe, selectors.EVENT_READ)
        while selector.get_map() and process.has_left() and watch.reason_to_stop() is None:
            for key, _ in selector.select(_SECONDS_TO_NOTICE):
                printed_at = time.monotonic()
                if not collected.read_chunk(key.fd):
                    selector.unregister(key.fd)
            if time.monotonic() > min(printed_at + _SILENT_SECONDS, begun + _MAX_LEFT_SECONDS):
                return


def _read_until_end(
    process: RunningProgram, pipes: _OutputPipes, collected: _CollectedOutput, watch: ProgramWatch
) -> Termination:
    """Read until the program has ended and its child processes are silent, or until it must be ended."""
    with selectors.DefaultSelector() as selector:
        for pipe in pipes.readable:
            selector.register(pipe, selectors.EVENT_READ)
        if process.end_fd is not None:
            selector.register(process.end_fd, selectors.EVENT_READ)
        while not process.has_ended():
            for key, _ in selector.select(_SECONDS_TO_NOTICE):
                if key.fd != process.end_fd and not collected.read_chunk(key.fd):
                    selector.unregister(key.fd)
            if not selector.get_map():
                time.sleep(_SECONDS_TO_NOTICE)
            if reason := watch.reason_to_stop():
                return reason
    _read_what_is_left(process, pipes, collected, watch)
    return Termination.EXITED
