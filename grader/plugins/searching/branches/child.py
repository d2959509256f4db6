"""Runs a program with one input after another in a separate process, and reports the branches it takes.

It reads JSON lines: first the program, the seconds that a run may take and regular expressions by name; then the runs,
each with the lines to type and environment variables. It answers each run with a JSON line. A run is a fork in the
working folder of this process, without a terminal: typed lines are echoed into the output, as a terminal would show
them. Only the standard library and Coverage.py can be imported here.
"""

import ast
import compileall
import importlib
import io
import json
import os
import re
import signal
import sys
import tempfile
import traceback
import types
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, NoReturn

from coverage import Coverage

_ASKS_FOR_MORE = "it asks for more input than there is"


def branches(program: str) -> list[list[int]]:
    """Return every branch of a program: the line it leaves and the line it goes to, negative where a function ends."""
    empty = _coverage(program)
    empty.get_data().add_arcs({program: set()})
    with tempfile.NamedTemporaryFile("r", suffix=".json") as report:
        empty.json_report(morfs=[program], outfile=report.name)
        [report_of_file] = json.load(report)["files"].values()
    return sorted(report_of_file["missing_branches"])


class _Typed(io.TextIOBase):
    """Standard input from which typed lines are read."""

    def __init__(self, lines: list[str], *, echo: bool) -> None:
        self._lines = lines
        self._echo = echo
        self.read_lines = 0
        self._ended = False

    def readable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return True

    def readline(self, _size: int | None = -1, /) -> str:  # type: ignore[override]
        if self.read_lines == len(self._lines):
            if self._ended:
                raise _AsksForMore
            self._ended = True
            return ""
        line = self._lines[self.read_lines] + "\n"
        self.read_lines += 1
        if self._echo:
            sys.stdout.write(line)
        return line

    def read(self, _size: int | None = -1, /) -> str:
        return "".join(iter(self.readline, ""))


class _AsksForMore(BaseException):
    """The program continues to read after the end of its input."""


def main() -> None:
    """Answer each request on standard input with a separate run of the program."""
    requests, replies = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_RDWR), 0)
    os.dup2(2, 1)
    setup = json.loads(requests.readline())
    program = os.path.abspath(setup["program"])
    sys.path[0] = os.getcwd()
    sys.argv = [setup["program"]]
    all_branches = branches(program)
    print(json.dumps(all_branches), file=replies, flush=True)
    with open(program, "rb") as file:
        source = file.read()
    code = compile(source, program, "exec", dont_inherit=True)
    compileall.compile_dir(".", quiet=2)
    for name in _standard_modules(source):
        with suppress(ImportError):
            importlib.import_module(name)
    coverage = _coverage(program)
    coverage.start()
    for request in requests:
        print(_in_fork(setup, json.loads(request), code, coverage, all_branches), file=replies, flush=True)


def _coverage(program: str) -> Coverage:
    return Coverage(data_file=None, branch=True, include=[program], config_file=False)


def _standard_modules(source: bytes) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        yield from (name for name in names if name.partition(".")[0] in sys.stdlib_module_names)


def _in_fork(
    setup: dict[str, Any],
    request: dict[str, Any],
    code: types.CodeType,
    coverage: Coverage,
    all_branches: list[list[int]],
) -> str:
    reader, writer = os.pipe()
    pid = os.fork()
    if not pid:
        signal.setitimer(signal.ITIMER_REAL, setup["seconds"])
        _run(setup, request, code, coverage, all_branches, writer=writer)
    os.close(writer)
    with os.fdopen(reader) as answer:
        text = answer.read()
    code_of_end = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if text:
        return text
    late = code_of_end == -signal.SIGALRM
    return json.dumps({"fault": "it takes too long" if late else f"it was ended ({code_of_end})"})


def _run(
    setup: dict[str, Any],
    request: dict[str, Any],
    code: types.CodeType,
    coverage: Coverage,
    all_branches: list[list[int]],
    *,
    writer: int,
) -> NoReturn:
    with tempfile.TemporaryFile() as output:
        os.dup2(output.fileno(), 1)
        os.dup2(output.fileno(), 2)
        sys.stdout = io.TextIOWrapper(io.FileIO(1, "w"), "utf-8", "surrogateescape", line_buffering=True)
        sys.stderr = io.TextIOWrapper(io.FileIO(2, "w"), "utf-8", "backslashreplace", line_buffering=True)
        typed = _Typed(request["lines"], echo=request["echo"])
        sys.stdin = typed
        os.environ.update(request["environment"])
        status = _execute(code)
        coverage.stop()
        with suppress(OSError, ValueError):
            sys.stdout.flush()
        output.seek(0)
        transcript = output.read().decode("utf-8", "surrogateescape")
    taken = set(map(tuple, coverage.get_data().arcs(code.co_filename) or ()))
    answer = {
        "branches": [branch for branch in all_branches if tuple(branch) in taken],
        "events": [name for name, event in setup["events"].items() if re.search(event, transcript, re.M)],
        "length": len(transcript.splitlines()),
        "read": typed.read_lines,
        "status": status,
        "fault": _ASKS_FOR_MORE if status is None else None,
    }
    os.write(writer, json.dumps(answer).encode())
    os._exit(0)


def _execute(code: types.CodeType) -> int | None:
    """Run the program and return its exit status, or None if it asks for more input than there is."""
    module = types.ModuleType("__main__")
    module.__file__ = code.co_filename
    sys.modules["__main__"] = module
    try:
        exec(code, module.__dict__)
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return (end.code or 0) & 0xFF
        print(end.code, file=sys.stderr)
        return 1
    except _AsksForMore:
        return None
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


if __name__ == "__main__":
    main()
