"""Runs versions of a program on the student's machine, in forks of one interpreter, hundreds of them in a second.

There is no sandbox, so only programs that cannot touch files or start anything are run in this way.
"""

import ast
import inspect
import json
import os
import select
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Timer
from time import monotonic
from typing import Any

from grader.model.interaction import Dialogue, FunctionCall, StdinRun
from grader.model.outcome import Outcome, Termination, TypedLine
from grader.model.submission import SubmittedFile
from grader.model.test import SideOutput, Test
from grader.plugins.locating.ranking import parsed
from grader.run.find_python import StudentPython
from grader.run.function.call import FunctionReport, Marks, calling_scripts, cut_outcome, new_marks
from grader.run.interpreter import Interpreter

SERVER_SCRIPT = "forks.py"
MAX_BYTES = 1_000_000
"""The most that a version can print."""

_SECONDS_TO_ANSWER = 5.0
"""An answer may take this much longer than the run."""

_MILLISECONDS_TO_NOTICE = 100
_MAX_READ, _MAX_ANSWERED = 1 << 16, 30_000_000

_HARMLESS_MODULES = frozenset(
    {
        *("abc", "bisect", "calendar", "cmath", "collections", "copy", "dataclasses", "datetime", "decimal", "enum"),
        *("fractions", "functools", "heapq", "itertools", "math", "numbers", "operator", "random", "re", "statistics"),
        *("string", "sys", "textwrap", "time", "typing", "unicodedata"),
    }
)
_UNSAFE_NAMES = frozenset(("open", "exec", "eval", "compile", "__import__", "breakpoint", "globals", "__builtins__"))


def is_harmless(text: str, modules: frozenset[str]) -> bool:
    """Return whether a program imports nothing but harmless modules and `modules`, and opens and evaluates nothing."""
    tree = parsed(text)
    if tree is None:
        return False
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    imported |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    attributes = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    tops = {name.partition(".")[0] for name in imported}
    return tops <= _HARMLESS_MODULES | modules and not names & _UNSAFE_NAMES and "modules" not in attributes


def can_be_forked(test: Test) -> bool:
    """Return whether a test can be run without a terminal, a checker and files beside the program."""
    if test.checker is not None or test.sealed or test.start.files or test.side_output != SideOutput():
        return False
    match test.interaction:
        case Dialogue(stdin=None) | StdinRun() | FunctionCall():
            return test.recipe is None and test.program.endswith(".py")
        case _:
            return False


@dataclass(frozen=True)
class ForkedVersion:
    """A version of a program, which `server` runs for `seconds` of processor time, and at most `wall_seconds`."""

    text: str
    server: "ForkServer"
    seconds: float
    wall_seconds: float

    def outcome(self, test: Test) -> Outcome:
        """Run a test, and return an outcome similar to that of a session in a terminal. Raises OSError."""
        return self._answer(test)[0]

    def lines(self, test: Test, printed: int) -> Sequence[int]:
        """Return the lines that a test runs until more than this many bytes are printed, by their last run."""
        return tuple(self._answer(test, printed)[1])

    def _answer(self, test: Test, traced: int | None = None) -> tuple[Outcome, Sequence[int]]:
        marks = new_marks()
        request = {
            "text": self.text,
            "program": test.program,
            "seconds": self.seconds,
            "wall": self.wall_seconds,
            "environment": dict(test.environment),
            "traced": traced,
            "most": MAX_BYTES,
            **_input(test, marks),
        }
        answer = self.server.ask(request)
        try:
            outcome = _outcome(answer, request["lines"])
            if isinstance(test.interaction, FunctionCall):
                report = answer["report"].encode("latin-1")
                outcome = cut_outcome(outcome, marks, report, len(test.interaction.calls))
            return outcome, [int(line) for line in answer.get("ran", ())]
        except (LookupError, TypeError, AttributeError, OverflowError) as error:
            # A program can write to the interpreter's output.
            raise OSError("the interpreter's answer is damaged") from error


def _input(test: Test, marks: Marks) -> dict[str, Any]:
    match test.interaction:
        case Dialogue(lines=lines, echo=echo):
            return {"lines": lines, "echo": echo, "stdin": None, "call": None}
        case StdinRun(text=text):
            return {"lines": (), "echo": False, "stdin": text, "call": None}
        case FunctionCall() as call:
            texts = FunctionReport(test.program, call, marks, 0).files
            request = next(json.loads(text) for name, text in texts.items() if name.endswith(".json"))
            return {"lines": call.lines, "echo": call.echo, "stdin": None, "call": request}
        case _:
            raise ValueError(f"the test {test.id} needs a session")


def _outcome(answer: Mapping[str, Any], lines: Sequence[str]) -> Outcome:
    status, output = answer["status"], answer["output"]
    content = output.encode("utf-8", "surrogateescape")
    offsets = (len(content[:offset].decode("utf-8", "surrogateescape")) for offset in answer.get("typed", ()))
    return Outcome(
        transcript=output,
        typed=tuple(TypedLine(offset, line) for offset, line in zip(offsets, lines, strict=False)),
        ending=Termination.EXITED if status >= 0 else Termination.TIMED_OUT,
        exit_code=status if status >= 0 else None,
        signal=None,
        unsent=answer.get("unread", len(lines)),
        wall_seconds=answer["cpu"],
        cpu_seconds=answer["cpu"],
    )


@dataclass(frozen=True)
class ForkServer:
    """The interpreter that forks: the descriptors for `requests` and `answers`, and the event that ends the work."""

    requests: int
    answers: int
    cancelled: Event

    def ask(self, request: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the answer to a request. Raises OSError if the interpreter does not answer, and ValueError."""
        end = monotonic() + request["wall"] + _SECONDS_TO_ANSWER
        self._write((json.dumps(request) + "\n").encode(), end)
        answer: Mapping[str, Any] = json.loads(self._line(end))
        return answer

    def _write(self, content: bytes, end: float) -> None:
        """Write a request; a program can stop the interpreter, so that it reads no more."""
        os.set_blocking(self.requests, False)
        while content:
            if self._is_ready(self.requests, select.POLLOUT, end):
                content = content[os.write(self.requests, content) :]

    def _is_ready(self, descriptor: int, event: int, end: float) -> bool:
        """Wait a moment for a descriptor. Raises OSError when the time is over or the work is cancelled."""
        if monotonic() > end or self.cancelled.is_set():
            raise OSError("the interpreter does not answer")
        waiting = select.poll()
        waiting.register(descriptor, event)
        return bool(waiting.poll(_MILLISECONDS_TO_NOTICE))

    def _line(self, end: float) -> bytes:
        content = bytearray()
        while not content.endswith(b"\n"):
            if len(content) > _MAX_ANSWERED:
                raise OSError("the interpreter's answer is too long")
            if self._is_ready(self.answers, select.POLLIN, end):
                part = os.read(self.answers, _MAX_READ)
                if not part:
                    raise OSError("the interpreter has ended")
                content += part
        return bytes(content)


def server_scripts() -> Mapping[str, str]:
    """Return the texts of the interpreter's scripts by name."""
    # Imported late, because not every system can import it; a bundle contains the modules that are imported somewhere.
    from grader.plugins.locating.repairing import child

    return {SERVER_SCRIPT: inspect.getsource(child), **calling_scripts()}


@contextmanager
def fork_server(
    python: StudentPython, submitted: Sequence[SubmittedFile], seconds: float, cancelled: Event
) -> Iterator[ForkServer]:
    """Start an interpreter beside copies of the submitted files; it ends after `seconds` at the latest.

    Raises OSError.
    """
    with tempfile.TemporaryDirectory(prefix="grader-versions-") as name:
        folder, scripts = Path(name).resolve() / "program", Path(name).resolve() / "scripts"
        for place in (folder, scripts):
            place.mkdir()
        for script, text in server_scripts().items():
            (scripts / script).write_text(text, encoding="utf-8")
        for file in submitted:
            (folder / file.name).parent.mkdir(parents=True, exist_ok=True)
            (folder / file.name).write_bytes(file.path.read_bytes())
        variables = Interpreter(python.executable.parents[1], python.version, python.installation)
        process = subprocess.Popen(
            [python.executable, scripts / SERVER_SCRIPT, folder, scripts],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=variables.environment(folder, {}),
            start_new_session=True,
        )
        watchdog = Timer(seconds, process.kill)
        watchdog.start()
        try:
            if process.stdin is None or process.stdout is None:
                raise OSError("the interpreter has no pipes")
            yield ForkServer(process.stdin.fileno(), process.stdout.fileno(), cancelled)
        finally:
            watchdog.cancel()
            process.kill()
            process.communicate()
