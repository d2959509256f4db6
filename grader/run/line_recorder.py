"""Runs in the students' interpreter before the program: takes down each line of some files when it is first executed.

Python imports it as `sitecustomize` when it starts. It lies in a folder of its own in the folder of the program, which
it removes, so that the program finds nothing of it there. The variable RECORDED_LINES has the number of the descriptor
that the record goes to, and the names of the files, in a line each. For each line of a file that runs, the record has a
line with the number of the file, from 0, and the number of the line. It is written at once: programs may be killed.

From Python 3.12 on, `sys.monitoring` tells of each line once. Before, a trace function looks at every line of a
function until all of them have run.
"""

import os
import sys
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

_VARIABLE, _PATH = "RECORDED_LINES", "PYTHONPATH"

_TOOL = 4
"""A number that `sys.monitoring` keeps for no particular kind of tool."""

_OPTIMIZED = 1
"""The flag of code that is a function, see `inspect.CO_OPTIMIZED`."""

_Note = Callable[[str, int], None]


def start() -> None:
    """Record from now on."""
    number, *names = os.environ.pop(_VARIABLE).split("\n")
    folder, _, other_folders = os.environ.pop(_PATH).partition(os.pathsep)
    if other_folders:
        os.environ[_PATH] = other_folders
    sys.path.remove(folder)
    os.unlink(os.path.join(folder, "sitecustomize.py"))
    os.rmdir(folder)
    descriptor = int(number)
    files = {path: place for place, name in enumerate(names) for path in (name, os.path.join(os.getcwd(), name))}

    def note(file: str, line: int, write: Callable[[int, bytes], int] = os.write) -> None:
        try:
            write(descriptor, b"%d %d\n" % (files[file], line))
        except OSError:
            # The program has closed the descriptor.
            return

    if sys.version_info >= (3, 12):
        _monitor(files, note)
    else:
        _trace(files, note)


def _monitor(files: dict[str, int], note: _Note) -> None:
    monitoring: Any = vars(sys)["monitoring"]

    def line_runs(code: CodeType, line: int) -> object:
        if code.co_filename in files:
            note(code.co_filename, line)
        return monitoring.DISABLE

    monitoring.use_tool_id(_TOOL, "executed lines")
    monitoring.register_callback(_TOOL, monitoring.events.LINE, line_runs)
    monitoring.set_events(_TOOL, monitoring.events.LINE)


def _trace(files: dict[str, int], note: _Note) -> None:
    import threading

    known: dict[int, tuple[CodeType, set[int]]] = {}

    def function_begins(frame: FrameType, _event: str, _argument: object) -> Any:
        code = frame.f_code
        if code.co_filename not in files:
            return None
        if id(code) not in known:
            # Kept with the code, so that no other one gets its id.
            known[id(code)] = code, _lines_of(code)
        waiting = known[id(code)][1]

        def line_runs(frame: FrameType, event: str, _argument: object) -> Any:
            if event == "line" and frame.f_lineno in waiting:
                waiting.discard(frame.f_lineno)
                note(code.co_filename, frame.f_lineno)
            frame.f_trace_lines = bool(waiting)
            return line_runs

        return line_runs if waiting else None

    threading.settrace(function_begins)
    sys.settrace(function_begins)


def _lines_of(code: CodeType) -> set[int]:
    """The lines that may run; that with the `def` of a function is not one of them, unless it has all of it."""
    lines = {line for _, _, line in code.co_lines() if line}
    is_function = code.co_flags & _OPTIMIZED
    return (lines - {code.co_firstlineno} if is_function else lines) or lines


if __name__ == "sitecustomize":
    start()
