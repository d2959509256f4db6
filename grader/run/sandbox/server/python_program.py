"""Ends a fork of the server in the same way as Python would end after running a program."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import atexit
import builtins
import gc
import os
import sys
from _weakref import ref
from io import BufferedRandom, BufferedWriter, TextIOWrapper
from itertools import takewhile

from folders import WORK

TYPE_CHECKING = False
if TYPE_CHECKING:
    import types
    from collections.abc import Callable, Set
    from typing import Any, NoReturn

INTERRUPTED = -2


def become_main(program: str, argv: list[str], fresh_main: dict[str, Any]) -> dict[str, Any]:
    """Make this process look like one that runs `python3 NAME`, and return the program's namespace.

    `argv` is the whole command, and `fresh_main` is the content of `__main__` before its first statement.
    """
    path = f"{WORK}/{program}"
    sys.argv[:] = argv[1:]
    if hasattr(sys, "orig_argv"):
        sys.orig_argv[:] = argv
    sys.path.insert(0, os.path.dirname(path))
    main = type(sys)("__main__")
    main.__dict__.update(fresh_main, __file__=path, __builtins__=builtins, __doc__=None)
    if "__annotations__" in fresh_main:
        main.__annotations__ = {}
    main.__loader__ = type(fresh_main["__loader__"])("__main__", path)
    sys.modules["__main__"] = main
    return main.__dict__


def report_exception(error: BaseException) -> int:
    """Handle an exception that ended the program like Python does; return the exit status, or INTERRUPTED."""
    trace = without_server_frame(error)
    if isinstance(error, SystemExit):
        return exit_status(error.code)
    sys.last_type, sys.last_value, sys.last_traceback = type(error), error, trace
    if sys.version_info >= (3, 12):
        sys.last_exc = error
    second_failure = None
    if hasattr(sys, "excepthook"):
        try:
            sys.excepthook(type(error), error, trace)
        except BaseException as failure:
            second_failure = failure
    else:
        print("sys.excepthook is missing", file=sys.stderr)
        sys.__excepthook__(type(error), error, trace)
    if isinstance(second_failure, SystemExit):
        return report_exception(second_failure)
    if second_failure is not None:
        print("Error in sys.excepthook:", file=sys.stderr)
        sys.__excepthook__(type(second_failure), second_failure, without_server_frame(second_failure))
        print("\nOriginal exception was:", file=sys.stderr)
        sys.__excepthook__(type(error), error, trace)
    return INTERRUPTED if type(error) is KeyboardInterrupt else 1


def exit_status(code: object) -> int:
    """Return the exit status of `sys.exit(code)`; print `code` if it is neither a number nor None."""
    if code is None:
        return 0
    if isinstance(code, int):
        return code & 0xFF if -(2**63) <= code < 2**63 else 0xFF
    text = text_of(code)
    if getattr(sys, "stderr", None) is None:
        os.write(2, text.encode(errors="backslashreplace"))
    else:
        write_error(text)
    if not write_error("\n"):
        os.write(2, b"\n")
    return 1


def text_of(value: object) -> str:
    """Return the text of a value; empty if converting it fails."""
    try:
        return str(value)
    except BaseException:
        return ""


def write_error(text: str) -> bool:
    """Write to the current standard error; return whether that succeeded."""
    try:
        sys.stderr.write(text)
    except BaseException:
        return False
    return True


def without_server_frame(error: BaseException) -> types.TracebackType | None:
    """Return the traceback of an exception that the server caught, without the server's frame."""
    error.__traceback__ = error.__traceback__ and error.__traceback__.tb_next
    return error.__traceback__


def flush(stream: Any) -> BaseException | None:
    """Flush a stream if it exists and is open; return the error, if any."""
    try:
        if stream is not None and not getattr(stream, "closed", False):
            stream.flush()
    except BaseException as error:
        return error
    return None


def flush_output() -> bool:
    """Flush the streams like Python does at exit; return whether that succeeded."""
    stdout = getattr(sys, "stdout", None)
    fault = flush(stdout)
    if fault:
        report_ignored(fault, f"{'while' if sys.version_info >= (3, 14) else 'on'} flushing sys.stdout", stdout)
    return not flush(getattr(sys, "stderr", None)) and not fault


def report_ignored(error: BaseException, when: str, where: object) -> None:
    """Report an ignored error like Python does: with the context since 3.13, and with the source before that."""
    words = f"{when}:" if sys.version_info >= (3, 13) else f"in: {where!r}"
    print("Exception ignored", words, file=sys.stderr)
    sys.__excepthook__(type(error), error, without_server_frame(error))


def report_dropped(ignored: sys.UnraisableHookArgs) -> None:
    """Report an error while releasing an object, without the server's frame in its traceback."""
    trace = ignored.exc_traceback
    if trace is not None and trace.tb_frame.f_code.co_filename == __file__:
        remade: Any = type(ignored)
        ignored = remade((ignored.exc_type, ignored.exc_value, trace.tb_next, ignored.err_msg, ignored.object))
    sys.__unraisablehook__(ignored)


def end_python(status: int, old_modules: Set[str]) -> NoReturn:
    """End like Python itself, in this order: threads, exit functions, streams, objects.

    `old_modules` are the modules loaded before the program ran. There must not be any other reference to the program's
    namespace, or to the exception that ended it.
    """
    if "threading" in sys.modules:
        try:
            sys.modules["threading"]._shutdown()  # noqa: SLF001 - Python itself calls it at exit
        except BaseException as error:
            report_ignored(error, "on threading shutdown", sys.modules["threading"])
    atexit._run_exitfuncs()  # noqa: SLF001 - Python itself calls it at exit
    flushed = flush_output()
    sys.unraisablehook = report_dropped
    sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__
    drop_objects(old_modules)
    complete_files()
    # Python flushes these when it releases them, which does not affect the exit status.
    flush(sys.stdout)
    flush(sys.stderr)
    if status == INTERRUPTED:
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
        os.kill(os.getpid(), _signal.SIGINT)
    os._exit(status if flushed else 120)


def drop_objects(old_modules: Set[str]) -> None:
    """Release the program's objects in the same order as Python, so that finalizers can still print.

    See `finalize_modules` in CPython. The program's modules come after the `old_modules`, whose memory would be copied
    if they were read.
    """
    gc.collect()
    for name in ("last_type", "last_value", "last_traceback", "last_exc"):
        if hasattr(sys, name):
            setattr(sys, name, None)
    forgotten = [forget_module(name) for name in ("__main__", *reversed(own_modules(old_modules)))]
    gc.collect()
    for find in reversed(forgotten):
        if find is not None:
            clear_module(find())


def own_modules(old_modules: Set[str]) -> list[str]:
    """Return the names of the submission's modules that the program imported, newest first."""
    newest = takewhile(lambda item: item[0] not in old_modules, reversed(sys.modules.items()))
    return [name for name, module in newest if str(getattr(module, "__file__", "")).startswith(f"{WORK}/")]


def forget_module(name: str) -> Callable[[], types.ModuleType | None] | None:
    """Remove a module from `sys.modules`; return a weak reference that finds it while other references exist."""
    module: Any = sys.modules.get(name)
    sys.modules[name] = None  # type: ignore[assignment]
    return ref(module) if isinstance(module, type(sys)) else None


def clear_module(module: types.ModuleType | None) -> None:
    """Clear the names in a module that still exists, starting with names that have one underscore, as in CPython."""
    names = vars(module) if module is not None else {}
    for private in (True, False):
        for name in list(names):
            is_private = isinstance(name, str) and name.startswith("_") and name[1:2] != "_"
            if isinstance(name, str) and name != "__builtins__" and (is_private or not private):
                names[name] = None


def complete_files() -> None:
    """Flush the buffers of files held by Python's modules, because Python releases these modules at exit."""
    for kinds in ((TextIOWrapper,), (BufferedWriter, BufferedRandom)):
        for candidate in gc.get_objects():
            if type(candidate) in kinds:
                flush(candidate)
