"""Runs in the students' interpreter before the program, and records which lines of some files run between two outputs.

Python imports it as `sitecustomize` at start-up. It is in a separate folder inside the program's folder, and removes
that folder, so that the program finds no trace. The variable RECORDED_LINES contains the number of the file descriptor
for the record, and the names of the files, one per line. Entries are written immediately, because the program may be
killed:

    2 17     line 17 of file number 2 (counted from 0) runs for the first time since the last output
    + 1      a newline was printed; from here on, every line is new again

Since Python 3.12, `sys.monitoring` reports each line once. In older versions, a trace function checks every line of a
function until all of them have run, or until no line was new for so long that tracing would slow the program down.
"""

import builtins
import os
import sys
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

_VARIABLE, _PATH = "RECORDED_LINES", "PYTHONPATH"

_TOOL = 4
"""A tool number that `sys.monitoring` does not reserve for any particular kind of tool."""

_OPTIMIZED = 1
"""The flag of code that belongs to a function; see `inspect.CO_OPTIMIZED`."""

_MAX_BYTES = 1_000_000

_MAX_LOOKS = 20_000
"""The maximum number of lines of a function that run without a new line before the function is ignored until the next
output.
"""

_Note = Callable[[str, int], None]


class Record:
    """The destination of the record, as long as there is room and the program has not closed the file."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._left = _MAX_BYTES
        self._write = os.write

    def add(self, entry: bytes) -> None:
        """Write an entry."""
        self._left -= len(entry)
        if self._left > 0:
            try:
                self._write(self._descriptor, entry)
            except OSError:
                self._left = 0


def start() -> None:
    """Start recording."""
    number, *names = os.environ.pop(_VARIABLE).split("\n")
    folder, _, other_folders = os.environ.pop(_PATH).partition(os.pathsep)
    if other_folders:
        os.environ[_PATH] = other_folders
    sys.path.remove(folder)
    os.unlink(os.path.join(folder, "sitecustomize.py"))
    os.rmdir(folder)
    record = Record(int(number))
    files = {path: place for place, name in enumerate(names) for path in (name, os.path.join(os.getcwd(), name))}

    def note(file: str, line: int) -> None:
        record.add(b"%d %d\n" % (files[file], line))

    begin_again = _monitor(files, note) if sys.version_info >= (3, 12) else _trace(files, note)

    def printed(text: object) -> None:
        count = str(text).count("\n")
        if count:
            record.add(b"+ %d\n" % count)
            begin_again()

    _watch_output(printed)


def _watch_output(printed: Callable[[object], None]) -> None:
    """Call `printed` with everything that the program prints, from functions that the program calls."""
    write, ask = sys.stdout.write, builtins.input

    def write_and_tell(text: str, /) -> int:
        count = write(text)
        printed(text)
        return count

    def ask_and_tell(prompt: object = "", /) -> str:
        printed(prompt)
        return ask(prompt)

    sys.stdout.write = write_and_tell  # type: ignore[method-assign]
    builtins.input = ask_and_tell


def _monitor(files: dict[str, int], note: _Note) -> Callable[[], None]:
    monitoring: Any = vars(sys)["monitoring"]

    def line_runs(code: CodeType, line: int) -> object:
        if code.co_filename in files:
            note(code.co_filename, line)
        return monitoring.DISABLE

    monitoring.use_tool_id(_TOOL, "executed lines")
    monitoring.register_callback(_TOOL, monitoring.events.LINE, line_runs)
    monitoring.set_events(_TOOL, monitoring.events.LINE)
    again: Callable[[], None] = monitoring.restart_events
    return again


def _trace(files: dict[str, int], note: _Note) -> Callable[[], None]:
    import threading

    functions: dict[int, Function] = {}
    waiting: dict[int, Function] = {}

    def function_of(code: CodeType) -> Function:
        if id(code) not in waiting:
            if id(code) not in functions:
                functions[id(code)] = Function(code)
            waiting[id(code)] = functions[id(code)]
            waiting[id(code)].begin_again()
        return waiting[id(code)]

    def function_begins(frame: FrameType, _event: str, _argument: object) -> Any:
        return line_runs if frame.f_code.co_filename in files and function_of(frame.f_code).left else None

    def line_runs(frame: FrameType, event: str, _argument: object) -> Any:
        function = function_of(frame.f_code)
        if event == "line" and function.is_new(frame.f_lineno):
            note(frame.f_code.co_filename, frame.f_lineno)
        frame.f_trace_lines = bool(function.left)
        return line_runs

    def again() -> None:
        waiting.clear()
        frame: FrameType | None = sys._getframe(2)  # noqa: SLF001 - the function that printed
        while frame is not None:
            if frame.f_code.co_filename in files:
                frame.f_trace, frame.f_trace_lines = line_runs, True
            frame = frame.f_back

    threading.settrace(function_begins)
    sys.settrace(function_begins)
    return again


class Function:
    """A code object; `left` holds the lines that have not run since the last output."""

    def __init__(self, code: CodeType) -> None:
        self.code = code
        self._lines = _lines_of(code)
        self.begin_again()

    def begin_again(self) -> None:
        """Make every line new again."""
        self.left = self._lines.copy()
        self._looks = 0

    def is_new(self, line: int) -> bool:
        """Return whether the line, which is running, has not run before."""
        self._looks += 1
        if line in self.left:
            self.left.discard(line)
            self._looks = 0
            return True
        if self._looks > _MAX_LOOKS:
            self.left.clear()
        return False


def _lines_of(code: CodeType) -> set[int]:
    """Return the lines that can run, except for the `def` line of a function unless the whole function is on it."""
    lines = {line for _, _, line in code.co_lines() if line}
    is_function = code.co_flags & _OPTIMIZED
    return (lines - {code.co_firstlineno} if is_function else lines) or lines


if __name__ == "sitecustomize":
    start()
