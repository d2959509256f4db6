"""Runs in the students' interpreter: plays versions of a program in forks, without a terminal.

The command line names the folder with the program's files, and the folder with the scripts that make calls. Each line
of standard input is a request, answered by a line of standard output. A session without a terminal is only similar to a
real one, so a result counts only after an ordinary run.
"""

import gc
import importlib
import io
import json
import os
import py_compile
import resource
import signal
import sys
import tempfile
import traceback
import types
from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, NoReturn

_Request = dict[str, Any]


class TypedInput(io.TextIOBase):
    """Standard input with lines that are typed one at a time, and shown if `echo` is set."""

    def __init__(self, lines: list[str], *, echo: bool) -> None:
        self.unread = list(lines)
        self.offsets: list[int] = []
        self._echo = echo

    def readable(self) -> bool:
        """Return that lines can be read."""
        return True

    def isatty(self) -> bool:
        """Return that this looks like a terminal."""
        return True

    def readline(self, _size: int | None = -1, /) -> str:  # type: ignore[override]
        """Type the next line; return nothing at the end."""
        sys.stdout.flush()
        if not self.unread:
            return ""
        line = f"{self.unread.pop(0)}\n"
        self.offsets.append(os.fstat(1).st_size)
        if self._echo:
            os.write(1, line.encode())
        return line

    def read(self, _size: int | None = -1, /) -> str:
        """Type all lines."""
        return "".join(iter(self.readline, ""))


class LastLines:
    """A trace of the lines of `program`, ordered by when they last ran, until more than `most` bytes are printed."""

    def __init__(self, program: str, most: int) -> None:
        self.lines: dict[int, None] = {}
        self._program = program
        self._most = most

    def __call__(self, frame: types.FrameType, event: str, _: Any) -> "LastLines | None":
        """Note a line; see `sys.settrace`."""
        if frame.f_code.co_filename != self._program or os.fstat(1).st_size > self._most:
            return None
        if event == "line":
            self.lines.pop(frame.f_lineno, None)
            self.lines[frame.f_lineno] = None
        return self


def answer(request: _Request, folder: str, call: Callable[..., int], files: tuple[int, int, int]) -> _Request:
    """Run a version in a fork, and return what it printed and how it ended.

    `files` are the descriptors of the files for its output, the report of its calls, and further notes.
    """
    code = _compiled(request["text"], request["program"])
    for file in files:
        os.lseek(file, 0, os.SEEK_SET)
        os.ftruncate(file, 0)
    process = os.fork()
    if process == 0:
        _run(request, folder, code, call, files)
    status, usage = _ended(process, request["wall"])
    output, report, notes = (os.pread(file, request["most"], 0) for file in files)
    return {
        "status": os.waitstatus_to_exitcode(status),
        "output": output.decode("utf-8", "surrogateescape"),
        "report": report.decode("latin-1"),
        "cpu": usage.ru_utime + usage.ru_stime,
        **json.loads(notes or "{}"),
    }


def _ended(process: int, seconds: float) -> tuple[int, resource.struct_rusage]:
    """Wait for a fork, which is killed after this time; a program can ignore all other signals."""

    def kill(*_: object) -> None:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)

    signal.signal(signal.SIGALRM, kill)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    _, status, usage = os.wait4(process, 0)
    signal.setitimer(signal.ITIMER_REAL, 0)
    return status, usage


@lru_cache(maxsize=4)
def _compiled(text: str, program: str) -> types.CodeType | None:
    """Compile a version once for all its tests; None if that fails, so that each fork shows the error."""
    with suppress(Exception):
        return compile(text, program, "exec")
    return None


def _run(
    request: _Request,
    folder: str,
    code: types.CodeType | None,
    call: Callable[..., int],
    files: tuple[int, int, int],
) -> NoReturn:
    output, report, notes = files
    status = 1
    gc.disable()
    try:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_PROF, request["seconds"])
        resource.setrlimit(resource.RLIMIT_FSIZE, (request["most"], request["most"]))
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(output, 1)
        os.dup2(output, 2)
        os.environ.update(request["environment"])
        os.chdir(folder)
        sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
        typed = TypedInput(request["lines"], echo=request["echo"])
        sys.stdin = typed if request["stdin"] is None else io.StringIO(request["stdin"])
        sys.argv, sys.path[0] = [request["program"]], folder
        trace = LastLines(request["program"], request["traced"] or 0)
        sys.settrace(trace if request["traced"] is not None else None)
        status = _status(request, code, lambda code: call(request["call"], report, folder, {request["program"]: code}))
        sys.settrace(None)
        sys.stdout.flush()
        plain = {"typed": typed.offsets, "unread": len(typed.unread), "ran": list(trace.lines)}
        os.write(notes, json.dumps(plain).encode())
    finally:
        os._exit(status)


def _status(request: _Request, compiled: types.CodeType | None, call: Callable[[types.CodeType], int]) -> int:
    """Run the program, or make its calls, and return the exit status."""
    main = sys.modules["__main__"] = types.ModuleType("__main__")
    try:
        code = compiled or compile(request["text"], request["program"], "exec")
        if request["call"] is not None:
            return call(code)
        exec(code, vars(main))
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def _compile_modules(folder: str) -> None:
    """Compile the modules beside the program, so that not every fork has to."""
    for file in Path(folder).glob("*.py"):
        with suppress(OSError, py_compile.PyCompileError):
            py_compile.compile(str(file), quiet=2)


def main(folder: str, scripts: str) -> None:
    """Answer the requests."""
    sys.path[0] = scripts
    call = importlib.import_module("child").call
    sys.path[0] = folder
    _compile_modules(folder)
    gc.freeze()
    with ExitStack() as stack:
        output, report, notes = (stack.enter_context(tempfile.TemporaryFile(buffering=0)).fileno() for _ in range(3))
        for line in sys.stdin:
            sys.stdout.write(json.dumps(answer(json.loads(line), folder, call, (output, report, notes))) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
