"""Runs in the students' interpreter: imports a program, calls functions of it and reports the results.

The files of this folder are copied into a folder below the program's, and need nothing but the standard library. The
command line names the file with the request; the report goes to file descriptor 3. All these files are removed and the
descriptor is moved before the program is imported, so a program finds nothing to read, and can write a report of its
own only by searching all open files and memory.

The prepared interpreter of a sandbox imports this file and calls `main` in a fork, which a program cannot detect.
"""

import os
import sys

_PATH = list(sys.path)
_AT_START = frozenset(sys.modules)

import builtins
import contextlib
import fcntl
import gc
import importlib
import importlib.util
import io
import json
import re
import resource
import traceback
import types
from collections.abc import Callable, Mapping, Set
from random import SystemRandom
from typing import Any, NoReturn

from plain_forms import LONGEST_TEXT, TOO_LARGE, Cards, PlainForms, from_plain

_MAX_REPORTED = 9_000_000
_REPORT = 3
_MAX_FDS = 250
_BASES = type.__dict__["__bases__"].__get__
_BUILTINS = {id(kind): kind.__name__ for kind in vars(builtins).values() if isinstance(kind, type)}


def type_names(kind: type) -> list[str]:
    """Return the names of a class and its bases, with their modules except for built-in classes.

    A class of the program cannot pass for another one by its name. A class derived from several kinds of exceptions
    counts as none of them.
    """
    bases = type.mro(kind)[:-1]
    direct_bases = [_BASES(base) for base in bases if id(base) not in _BUILTINS]
    widths = [sum(issubclass(base, BaseException) for base in parents) for parents in direct_bases]
    if sum(max(width - 1, 0) for width in widths) > 1:
        bases = [base for base in bases if base is kind or base is Exception or base is BaseException]
    return [_BUILTINS.get(id(base)) or f"{base.__module__}.{base.__qualname__}"[:LONGEST_TEXT] for base in bases]


def message_of(error: BaseException) -> str:
    """Return the message of an exception, or an empty string if the program's own `__str__` fails."""
    with contextlib.suppress(Exception):
        return str(error)[:LONGEST_TEXT]
    return ""


def print_now(text: str) -> None:
    """Print in order: after everything printed before, and ahead of everything printed later."""
    flush((sys.stdout, sys.stderr, sys.__stdout__))
    os.write(1, text.encode())


def flush(streams: tuple[Any, ...]) -> None:
    """Flush the streams where possible; a program may have replaced, closed or detached them."""
    for stream in streams:
        with contextlib.suppress(Exception):
            stream.flush()


def complete_files() -> None:
    """Flush the buffers of open files, as Python does when it ends."""
    kinds = (io.TextIOWrapper, io.BufferedWriter, io.BufferedRandom)
    # `gc` does not list the streams of a prepared interpreter.
    opened = [file for file in (sys.__stdout__, sys.__stderr__, *gc.get_objects()) if type(file) in kinds]
    # Text streams come first, because they flush into the buffers below them.
    flush(tuple(sorted(opened, key=lambda file: type(file) is not io.TextIOWrapper)))


def marker(
    write: Callable[[int, bytes], int] = os.write,
    out: Any = sys.stdout,
    flush: Callable[[tuple[Any, ...]], None] = flush,
) -> Callable[[str], None]:
    """Return a function that prints a mark, even if the program replaced `os.write`, `print_now` or its streams."""

    def mark(text: str) -> None:
        flush((sys.stdout, sys.stderr, out))
        write(1, text.encode())

    return mark


def print_traceback(error: BaseException) -> None:
    """Print the traceback of the program, without the frames of these files."""
    own_files = (print_traceback.__code__.co_filename, PlainForms.plain.__code__.co_filename)
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename.startswith((*own_files, "<")):
        trace = trace.tb_next
    if trace is None:
        sys.stderr.write("Traceback (most recent call last):\n")
    traceback.print_exception(type(error), error, trace)
    print_now("")


def exit_status(error: BaseException) -> int:
    """Return the exit status of a program that this exception ends."""
    if isinstance(error, SystemExit):
        return error.code if isinstance(error.code, int) else 0
    return 1


def load_module(file: str, prepared: Mapping[str, types.CodeType]) -> types.ModuleType:
    """Import a file of the working folder under its own name, with its `prepared` code if any; return the module."""
    name = file.removesuffix(".py")
    spec = importlib.util.spec_from_file_location(name, os.path.abspath(file))
    if spec is None or spec.loader is None:
        raise ImportError(f"{file} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    if file in prepared:
        hand_over(spec.loader, prepared[file])
    spec.loader.exec_module(module)
    return module


def hand_over(loader: Any, code: types.CodeType) -> None:
    """Make a loader use this code once instead of compiling its file, and leave no trace of that."""

    def take(_: str) -> types.CodeType:
        del loader.get_code
        return code

    loader.get_code = take


def quietly(look: Callable[[Any], Any], value: Any) -> Any:
    """Look at a value without showing the output of its properties, which no call has printed."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        return look(value)


class Steps:
    """The calls of a test, made one after the other, and the result of each."""

    def __init__(self, mark: Callable[[str], None], raised: str) -> None:
        """Print every traceback between two marks `raised`."""
        self._mark = mark
        self._raised = raised
        self.results: list[dict[str, Any]] = []
        self.status = 0

    def run(self, code: types.CodeType, names: dict[str, Any], forms: PlainForms) -> None:
        """Make a call and note its value, or the exception that it raised."""
        result: dict[str, Any] = {"returned": None, "raised": None}
        try:
            result["returned"] = quietly(forms.plain, eval(code, names))
        except BaseException as error:
            self._mark(self._raised)
            if not isinstance(error, SystemExit):
                print_traceback(error)
            self._mark(self._raised)
            result["raised"] = {"types": type_names(type(error)), "message": message_of(error)}
            self.status = exit_status(error)
        self.results.append(result)


def _compiled(call: str) -> types.CodeType:
    """Compile a call as an expression, or else as a statement, whose value is None."""
    try:
        return compile(call, "<call>", "eval")
    except SyntaxError:
        return compile(call, "<call>", "exec")


class TestNames(dict[str, Any]):
    """The names that a test assigns, and the names of the program with their current values.

    If the program uses the name of a built-in function for something that cannot be called, such as a list named
    `list`, a test that calls the name gets the built-in function.
    """

    def __init__(self, program: dict[str, Any], code: list[str]) -> None:
        """Begin with the names of the program alone, which a test's own assignments never change.

        `code` is the source evaluated with these names.
        """
        super().__init__(__name__=program["__name__"], __builtins__=program["__builtins__"])
        self._program = program
        self._code = code

    def __missing__(self, name: str) -> Any:
        value = self._program[name]
        builtin = getattr(builtins, name, None)
        if callable(value) or not callable(builtin) or not self._calls(name):
            return value
        return builtin

    def _calls(self, name: str) -> bool:
        return any(re.search(rf"(?<![\w.]){name}\s*\(", text) for text in self._code)


def call(request: dict[str, Any], report: int, folder: str, prepared: Mapping[str, types.CodeType]) -> int:
    """Import the program, make the calls and write the report.

    Programs can read these local variables in their frames, so none of them is secret.
    """
    mark, write, marks = marker(), os.write, request.pop("marks")
    names_of_cards = request["cards"]
    cards = None
    if names_of_cards:
        module = load_module(names_of_cards["file"], prepared)
        cards = Cards(module, names_of_cards["card"], names_of_cards["deck"])
    forms = PlainForms(cards, folder if request["state"] else None)
    program = load_module(request["program"], prepared)
    names = TestNames(vars(program), [*request["setup"], *request["calls"]])
    for name, value in request["given"].items():
        names[name] = from_plain(value, cards, names)
    for statement in request["setup"]:
        exec(compile(statement, "<setup>", "exec"), names)
    given = {name: names[name] for name in request["given"]}
    series = [(text, _compiled(text)) for text in request["calls"]]
    steps = Steps(mark, marks["raised"])
    mark(marks["begin"])
    for text, code in series:
        if len(series) > 1:
            mark(f">>> {text}\n")
        steps.run(code, names, forms)
    after = {name: quietly(forms.plain, value) for name, value in given.items()}
    mark(marks["end"])
    content = _report(marks["report"], steps.results, after)
    if len(content) > _MAX_REPORTED:
        short = [{**result, "returned": TOO_LARGE} for result in steps.results]
        content = _report(marks["report"], short, dict.fromkeys(after, TOO_LARGE))
    write(report, content)
    return steps.status


def _report(secret: str, steps: list[dict[str, Any]], given: dict[str, Any]) -> bytes:
    return json.dumps({"secret": secret, "steps": steps, "given": given}).encode("ascii")


def give_way(folder: str, path: list[str], at_start: Set[str]) -> None:
    """Let the program import the modules beside it ahead of the standard library, as when it runs on its own."""
    sys.path[:] = path
    file_stems = {name.removesuffix(".py") for name in os.listdir(folder)}
    for name in [name for name in sys.modules if name.partition(".")[0] in file_stems and name not in at_start]:
        own_path = os.path.join(folder, name.partition(".")[0])
        if os.path.isfile(f"{own_path}.py") or os.path.isfile(os.path.join(own_path, "__init__.py")):
            del sys.modules[name]


def main(order: str, path: list[str], at_start: Set[str], prepared: Mapping[str, types.CodeType]) -> NoReturn:
    """Read the file `order`, remove the traces that a program could find, and make the call.

    `path` is the import path of a program in the folder of this file, `at_start` names the modules of a fresh
    interpreter, and `prepared` holds files that are already compiled.
    """
    own_folder = os.path.dirname(os.path.abspath(sys.argv[0]))
    with open(order, encoding="utf-8") as file:
        request = json.load(file)
    descriptors = min(_MAX_FDS, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
    number = SystemRandom().randrange(descriptors // 5, descriptors)
    report = fcntl.fcntl(_REPORT, fcntl.F_DUPFD_CLOEXEC, number)
    os.close(_REPORT)
    for name in (*(os.path.join(own_folder, file) for file in os.listdir(own_folder)), order):
        os.unlink(name)
    os.rmdir(own_folder)
    sys.argv = [request["program"]]
    sys.modules["__main__"] = types.ModuleType("__main__")
    folder = os.path.dirname(own_folder)
    del sys.modules[PlainForms.__module__]
    sys.path_importer_cache.pop(own_folder, None)
    give_way(folder, [folder, *path[1:]], at_start)
    try:
        status = call(request, report, folder, prepared)
    except BaseException as error:
        if isinstance(error, SystemExit):
            print_now("")
        else:
            print_traceback(error)
        status = exit_status(error)
    complete_files()
    os._exit(status)


if __name__ == "__main__":
    main(sys.argv[1], _PATH, _AT_START, {})
