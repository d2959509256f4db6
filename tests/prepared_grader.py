"""A process that has imported the grader and forks for every command: `python -m grader` without the imports.

What runs is a process of its own with its own arguments, folder, environment, streams and exit code. Tests of how the
interpreter starts, of signals, of terminals and of the installed command start the real one.
"""

import gc
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext, suppress
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import TracebackType
from typing import IO, Self

from grader.extensions import find_extension
from grader.platforms import installed_platforms
from grader.store.provenance import grader_source
from grader.text.code_tokens import lexer_for

_ROOT = Path(__file__).parents[1]
# What the commands import, and what that imports only when it is used.
_PACKAGES = (
    "grader.cli",
    "grader.api",
    "grader.reports",
    "grader.reports.terminal",
    "grader.reports.html",
    "grader.plugins.late_policies",
    "grader.plugins.web.pages",
)
_IMPORTED_LATE = (
    "_strptime",
    "email.parser",
    "grader.plugins.insight.terminal",
    "grader.plugins.term.days_left",
    "grader.plugins.web.page_writer",
    "grader.rules",
    "grader.selfcheck.choose_tests",
    "grader.spec.load",
    "grader.store.sqlite_rows",
    "multiprocessing.context",
)
_READ_AT_START = ("PYTHON", "LC_", "LANG")


class PreparedGrader:
    """Runs commands one after another; the process ends with its owner, whose end of the socket is the only one.

    `root` is the folder of the package; from another one than this, it is that of a copy.
    """

    def __init__(self, root: Path = _ROOT) -> None:
        self._socket, theirs = socket.socketpair()
        with theirs:
            command = [sys.executable, "-m", __name__, str(theirs.fileno())]
            self._path = {} if root == _ROOT else {"PYTHONPATH": f"{root}:{_ROOT}"}
            variables = os.environ | self._path
            self._process = subprocess.Popen(
                command,
                cwd=root,
                env=variables,
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
            )
        self._answers = self._socket.makefile("rb")
        self._read_at_start = _read_at_start(variables)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._answers.close()
        self._socket.close()
        self._process.wait()

    def run(
        self, *arguments: str | Path, folder: Path, environment: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """What `subprocess.run` returns for `python -m grader` in this folder."""
        command = [sys.executable, "-m", "grader", *map(str, arguments)]
        variables = os.environ | self._path if environment is None else dict(environment)
        if _read_at_start(variables) != self._read_at_start:
            return subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, check=False)
        (out, out_end), (err, err_end) = os.pipe(), os.pipe()
        with open(out) as out_file, open(err) as err_file, ThreadPoolExecutor() as readers:
            socket.send_fds(self._socket, [b"."], [0, out_end, err_end])
            os.close(out_end)
            os.close(err_end)
            self._socket.sendall(json.dumps([command[3:], str(folder), variables]).encode() + b"\n")
            printed = [readers.submit(file.read) for file in (out_file, err_file)]
            code = int(self._answers.readline())
            return subprocess.CompletedProcess(command, code, *(reader.result() for reader in printed))


def _read_at_start(variables: Mapping[str, str]) -> dict[str, str]:
    """The variables that a running interpreter looks at no more."""
    return {name: value for name, value in variables.items() if name.startswith(_READ_AT_START)}


def _serve(requests: socket.socket) -> None:
    """Fork for every request. Returns where no more can come, and in each child once its command is done."""
    with requests, requests.makefile("rb") as lines:
        while streams := socket.recv_fds(requests, 1, 3)[1]:
            arguments, folder, variables = json.loads(lines.readline())
            child = os.fork()
            if child == 0:
                break
            for stream in streams:
                os.close(stream)
            _, status = os.waitpid(child, 0)
            requests.sendall(b"%d\n" % os.waitstatus_to_exitcode(status))
        else:
            return
    _become(arguments, folder, variables, streams)
    runpy.run_module("grader", run_name="__main__", alter_sys=True)


def _become(arguments: list[str], folder: str, variables: dict[str, str], streams: list[int]) -> None:
    """Be as an interpreter that was just started with `-m`."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    sys.stdin, sys.stdout, sys.stderr = (
        _opened(0, "r", "strict"),
        _opened(1, "w", "strict"),
        _opened(2, "w", "backslashreplace"),
    )
    os.environ.clear()
    os.environ.update(variables)
    time.tzset()
    os.chdir(folder)
    sys.path[0] = os.getcwd()
    sys.argv[1:] = arguments
    signal.signal(signal.SIGINT, signal.default_int_handler)
    gc.enable()


def _opened(number: int, mode: str, errors: str) -> IO[str]:
    return open(number, mode, errors=errors, closefd=False)


def _unless_plugin_is_missing(module: str) -> AbstractContextManager[None]:
    """Ignore that a plugin's module is missing, as in a copy of the core without plugins."""
    return suppress(ModuleNotFoundError) if module.startswith("grader.plugins.") else nullcontext()


def _prepare() -> None:
    """Import everything, and let nothing of it be looked at again: what a child does not touch is not copied."""
    gc.disable()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    names = [*_IMPORTED_LATE]
    for package in _PACKAGES:
        with _unless_plugin_is_missing(package):
            names += [f"{package}.{module.name}" for module in iter_modules(import_module(package).__path__)]
    for name in names:
        with _unless_plugin_is_missing(name):
            import_module(name)
    installed_platforms()
    # Kept for the life of a process.
    grader_source()
    find_extension("grader.commands", "no such command")
    # Its rules are compiled when it reads its first text.
    list(lexer_for("program.py").get_tokens(""))
    gc.freeze()


if __name__ == "__main__":
    _prepare()
    _serve(socket.socket(fileno=int(sys.argv[1])))
