"""One run of a program without a terminal: standard input is a file, output and errors are pipes.

It is what `program < input.txt` does.
"""

import contextlib
import math
import os
import resource
import selectors
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from typing import IO

from grader.run import proctree
from grader.run.errors import SessionError
from grader.run.launch import Launch
from grader.run.outcome import Ending, Outcome
from grader.run.recording import Recording
from grader.spec.limits import STANDARD_LIMITS, Limits

_SECONDS_TO_NOTICE = 0.02
_MOST_READ = 1 << 16


@dataclass(frozen=True)
class PipedOutcome:
    """The result of one run; bytes that are not UTF-8 are lone surrogates (PEP 383). Times are in seconds.

    `exit_code` is set only when `ending` is EXITED, `signal` only when SIGNALLED.
    """

    stdout: str
    stderr: str
    ending: Ending
    exit_code: int | None
    signal: int | None
    wall_seconds: float
    cpu_seconds: float

    def outcome(self) -> Outcome:
        """The same as the outcome of a session in which nothing was typed: its transcript is standard output."""
        return Outcome(
            transcript=self.stdout,
            typed=(),
            ending=self.ending,
            exit_code=self.exit_code,
            signal=self.signal,
            unsent=0,
            wall_seconds=self.wall_seconds,
            cpu_seconds=self.cpu_seconds,
            errors=self.stderr,
        )


def feed(
    launch: Launch,
    stdin_text: str,
    *,
    limits: Limits = STANDARD_LIMITS,
    cancelled: threading.Event | None = None,
) -> PipedOutcome:
    """Run a program with `stdin_text` as its standard input, and return what came of it.

    It leads a session of its own without a terminal; when it ends, its process group and descendants are killed.
    `cancelled` ends the run within some 20 ms. Raises SessionError if the program cannot be started.
    """
    started = time.monotonic()
    collected = _Collected(limits.output_bytes)
    with tempfile.TemporaryFile() as stdin:
        stdin.write(stdin_text.encode("utf-8", "surrogateescape"))
        stdin.seek(0)
        process = _start(launch, limits, stdin)
    try:
        ending = _follow(process, collected, started + limits.wall_seconds, cancelled or threading.Event())
        wall_seconds = time.monotonic() - started
    finally:
        code, cpu_seconds = _end(process)
        for pipe in (process.stdout, process.stderr):
            assert pipe is not None
            collected.drain(pipe)
            pipe.close()
    if ending is Ending.EXITED and collected.is_over:
        ending = Ending.OUTPUT_LIMIT
    elif ending is Ending.EXITED and code < 0:
        ending = Ending.SIGNALLED
    assert process.stdout is not None
    assert process.stderr is not None
    return PipedOutcome(
        stdout=collected.text(process.stdout, launch),
        stderr=collected.text(process.stderr, launch),
        ending=ending,
        exit_code=code if ending is Ending.EXITED else None,
        signal=-code if ending is Ending.SIGNALLED else None,
        wall_seconds=wall_seconds,
        cpu_seconds=cpu_seconds,
    )


class _Collected:
    """What was printed to each pipe, up to a number of bytes altogether."""

    def __init__(self, limit_bytes: int) -> None:
        self._left = limit_bytes
        self._chunks: dict[IO[bytes], list[bytes]] = {}
        self.is_over = False

    def take(self, pipe: IO[bytes]) -> bool:
        """Read what is there; False at the end of the pipe."""
        chunk = os.read(pipe.fileno(), _MOST_READ)
        self.is_over = self.is_over or len(chunk) > self._left
        self._chunks.setdefault(pipe, []).append(chunk[: self._left])
        self._left -= min(len(chunk), self._left)
        return bool(chunk)

    def drain(self, pipe: IO[bytes]) -> None:
        """Read what is left in the pipe of a program that has ended."""
        os.set_blocking(pipe.fileno(), False)
        with contextlib.suppress(BlockingIOError):
            while not self.is_over and self.take(pipe):
                pass

    def text(self, pipe: IO[bytes], launch: Launch) -> str:
        """What was printed, without the path of the private folder."""
        content = b"".join(self._chunks.get(pipe, ()))
        recording = Recording(len(content))
        recording.show(content.decode("utf-8", "surrogateescape"))
        return recording.transcript(launch.workdir).text


def _start(launch: Launch, limits: Limits, stdin: IO[bytes]) -> "subprocess.Popen[bytes]":
    try:
        process = subprocess.Popen(
            launch.argv,
            cwd=launch.workdir,
            env=dict(launch.environment),
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        raise SessionError(f"cannot start {launch.argv[0]!r}: {error}") from error
    if sys.platform == "linux":
        for kind, wanted in (
            (resource.RLIMIT_CORE, 0),
            (resource.RLIMIT_CPU, math.ceil(limits.wall_seconds) + 1),
            (resource.RLIMIT_DATA, limits.memory_bytes),
            (resource.RLIMIT_FSIZE, limits.file_bytes),
        ):
            hard = resource.getrlimit(kind)[1]
            allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
            with contextlib.suppress(ProcessLookupError):
                resource.prlimit(process.pid, kind, (allowed, allowed))
    return process


def _follow(
    process: "subprocess.Popen[bytes]", collected: _Collected, deadline: float, cancelled: threading.Event
) -> Ending:
    """Read until the program ends or has to be ended."""
    with selectors.DefaultSelector() as selector:
        for pipe in (process.stdout, process.stderr):
            selector.register(pipe, selectors.EVENT_READ)  # type: ignore[arg-type]
        while not _has_ended(process):
            for key, _ in selector.select(_SECONDS_TO_NOTICE if selector.get_map() else 0):
                if not collected.take(key.fileobj):  # type: ignore[arg-type]
                    selector.unregister(key.fileobj)
            if not selector.get_map():
                time.sleep(0.001)
            if collected.is_over:
                return Ending.OUTPUT_LIMIT
            if cancelled.is_set():
                return Ending.CANCELLED
            if time.monotonic() > deadline:
                return Ending.TIMED_OUT
    return Ending.EXITED


def _has_ended(process: "subprocess.Popen[bytes]") -> bool:
    """Whether the program itself has ended; what it started may still run and hold the pipes."""
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _end(process: "subprocess.Popen[bytes]") -> tuple[int, float]:
    """Kill what still runs; the exit code (a signal as a negative number) and the processor time."""
    found = [] if _has_ended(process) else list(proctree.descendants(process.pid))
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    for pid in found:
        proctree.kill(pid)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_utime + usage.ru_stime
