"""Runs inside a sandbox as its first process: a prepared interpreter that forks for each test.

The grader does not import this folder. Instead, it is copied into the sandbox, where the students' interpreter runs
this file as a script, with only the standard library. Its arguments are the descriptor of a packet socket, the system
call filter in hexadecimal, the number of bytes of memory for preparing the submission (0 if it must not be prepared,
because it broke an earlier server), and `calls` if functions will be called, otherwise an empty string. Without the
last two, it is the template for many sandboxes; see `template`. In the protocol, each side sends one message at a time,
with NUL between fields:

    grader: fork | call | execute | build, NAME of the program, number of limits, RESOURCE=LIMIT...,
            number of wanted files, their names...,
            number of files, their names and sizes in turn..., number of arguments, arguments...,
            variables (NAME=value)...
            with descriptors: 0, 1, 2 and possibly 3 and 4 for the program, then, if there are any files, one
            from which their contents are read in sequence
    server: started | failed and why, with a descriptor: a pidfd of the test's process
    grader: end, names of wanted files..., with a descriptor to copy them to, if there are any
    server: wait status, processor seconds, cut (files: a limit was reached) | whole
            or: cannot start, nothing, and why a system program could not be executed

Each wanted file is copied as a line with its size, or -1 if it is missing, followed by its content.

After `end`, no process of the test is alive, and all its files are removed before the next test starts. The regular
files left by a successful build are kept in memory, and replace the submission in every test of that program.

A program meant to run in the forked process, as `python3 NAME` would run it, is executed separately unless its source
compiles without warnings and the submission mentions nothing that could reveal the difference (see `preparation`). The
same applies to the command of a `call`, `python3 CHILD REQUEST`, which calls the program's functions (see `calls`).
"""

from __future__ import annotations

import sys

# Recorded before anything else is imported: the modules of a fresh interpreter.
MODULES_AT_START = frozenset(sys.modules) - {"__future__"}
FRESH_MAIN = {name: value for name, value in globals().items() if name.startswith("__")}

import _socket
import gc
import os

from calls import CallMaker
from confinement import drop_privileges, filter_system_calls, hide_own_process, skip_process_numbers
from folders import SUBMISSION, WORK, KeptFolders, read_folder
from module_shelf import ModuleShelf
from preparation import prepare_within
from python_program import become_main, end_python, flush, report_exception
from serving import serve
from template import next_sandbox

TYPE_CHECKING = False
if TYPE_CHECKING:
    import types

    from serving import ProgramRequest


def start() -> tuple[ProgramRequest, dict[str, types.CodeType], CallMaker, frozenset[str]]:
    """Set up the server; in a test's process, return the request, the code, the call maker and the modules."""
    leave_import_path()
    # Set once here instead of in every test, because bubblewrap has changed it.
    os.environ["PWD"] = WORK
    control, system_calls, *needs = sys.argv[1:]
    grader, shelf = _socket.socket(fileno=int(control)), ModuleShelf(MODULES_AT_START)
    calls = CallMaker(shelf)
    if needs:
        memory_bytes = int(needs[0])
        skip_process_numbers()
        if needs[1]:
            calls.load()
    else:
        # The first use creates the types of syntax trees, which takes longer than most programs run.
        compile("", "", "exec")
        grader.send(b"ready")
        sandbox = next_sandbox(grader, shelf, calls)
        grader, memory_bytes = sandbox.control, sandbox.memory_bytes
    drop_privileges()
    hide_own_process()
    built = KeptFolders()
    filter_system_calls(bytes.fromhex(system_calls))
    submission = read_folder(SUBMISSION, sys.maxsize)
    prepared, modules = prepare_within(submission.files, memory_bytes, shelf)
    own_modules_loaded = frozenset(sys.modules)
    gc.freeze()
    grader.send("\0".join(["ready", *modules]).encode())
    return serve(grader, submission, built, prepared, calls), prepared, calls, own_modules_loaded


def leave_import_path() -> None:
    """Remove this folder from the import path, so that programs cannot import its modules.

    `prepare` forgets the ones that are already imported.
    """
    sys.path_importer_cache.pop(sys.path.pop(0), None)


# Not in a function, because a program should have as many levels of recursion as possible.
request, prepared, calls, known = start()
space = become_main(request.file, request.argv, FRESH_MAIN)
if request.kind == "call":
    make_call = calls.enter(request.argv)
    make_call(request.argv[2], list(sys.path), MODULES_AT_START, prepared)
failures = []
try:
    exec(prepared[request.program], space)
except BaseException as error:
    failures.append(error)
flush(getattr(sys, "stderr", None))
flush(getattr(sys, "stdout", None))
status = report_exception(failures.pop()) if failures else 0
del space
end_python(status, known)
