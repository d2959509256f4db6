"""Runs in the students' interpreter: runs a student's own tests on one of the instructor's programs.

This file is copied into the folder of the tests and needs nothing but the standard library; pytest runs the tests if
the interpreter has it. They run in a fork, where `import` finds the program under the name of the tested module,
although that file does not exist. This code does not know whether the program is correct. The report goes to file
descriptor 3.
"""

import os
import sys

# These imports come from the standard library even if the program has modules with the same names.
_PATH = list(sys.path)
_FOLDER = os.path.dirname(os.path.abspath(__file__))
_AT_START = frozenset(sys.modules)
sys.path[:] = [entry for entry in _PATH if os.path.abspath(entry) != _FOLDER]

import contextlib
import fcntl
import importlib.util
import json
import resource
import shutil
import signal
import tempfile
import types
import unittest
from collections.abc import Callable, Iterator
from functools import partial
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from random import SystemRandom
from typing import Any

try:
    import ctypes
except ImportError:
    # Some builds of Python do not have it.
    _LIBC: Any = None
else:
    _LIBC = ctypes.CDLL(None)

_LONGEST = 200
_MAX_REPORTED = 100_000
_PREFIX = "trial-"
_REPORT = 3
_MAX_FDS = 250
_PR_SET_DUMPABLE = 4
_FIXTURES: set[str] = set()
_NOTHING_WRONG: "dict[str, Any]" = {"test": "", "line": None, "error": ""}


class InMemory(MetaPathFinder, Loader):
    """An importer for a single module that is not in any file."""

    def __init__(self, name: str, code: types.CodeType) -> None:
        """Make `import name` run this code."""
        self._name = name
        self._code = code

    def find_spec(self, fullname: str, *_: Any) -> "ModuleSpec | None":
        """See `importlib.abc.MetaPathFinder`."""
        return ModuleSpec(fullname, self) if fullname == self._name else None

    def get_code(self, _: str) -> types.CodeType:
        """See `importlib.abc.InspectLoader`; `runpy` calls this."""
        return self._code

    def exec_module(self, module: types.ModuleType) -> None:
        """See `importlib.abc.Loader`."""
        exec(self._code, vars(module))


class Findings:
    """The findings about the tests: their number, and the first thing that went wrong."""

    def __init__(self, file: str) -> None:
        """Start without findings on the tests in `file`."""
        self._file = os.path.abspath(file)
        self.tests = 0
        self.wrong: dict[str, Any] | None = None

    def note(self, end: str, name: str, error: BaseException) -> None:
        """Record a failure, unless one was recorded before: `end` is its kind, and `name` the test."""
        if self.wrong is None:
            kind = type(error).__name__
            self.wrong = {
                "end": end,
                "test": name[:_LONGEST],
                "line": self._line(error),
                "error": kind[:_LONGEST],
            }

    def _line(self, error: BaseException) -> "int | None":
        """Return the innermost line of the test file in the traceback."""
        line = error.lineno if isinstance(error, SyntaxError) and error.filename == self._file else None
        trace = error.__traceback__
        while trace is not None:
            if os.path.abspath(trace.tb_frame.f_code.co_filename) == self._file:
                line = trace.tb_lineno
            trace = trace.tb_next
        return line

    def report(self) -> dict[str, Any]:
        """Return the findings as values for JSON."""
        if self.wrong is not None:
            return self.wrong
        return {**_NOTHING_WRONG, "end": "passed" if self.tests else "no-tests"}


def run_by_pytest(pytest: Any, file: str, findings: Findings) -> None:
    """Run the tests with pytest, up to the first failure."""
    unexplained: list[tuple[str, AssertionError]] = []

    class Listener:
        def pytest_pycollect_makeitem(self, obj: Any) -> Any:
            return [] if _is_of_unittest(obj) else None

        def pytest_collection_modifyitems(self, items: Any) -> None:
            findings.tests = len(items)

        def pytest_exception_interact(self, node: Any, call: Any) -> None:
            end = "failed" if call.when in ("setup", "call", "teardown") else "import"
            findings.note(end, _test_name(node.nodeid), _reason(call.excinfo.value, end))

        def pytest_runtest_logreport(self, report: Any) -> None:
            if report.failed:
                unexplained.append((_test_name(report.nodeid), AssertionError(str(report.longrepr))))
            elif report.skipped and not hasattr(report, "context"):
                # A subtest, which has a context, does not count as a test.
                findings.tests -= 1

    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    options = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:faulthandler", "-c", os.devnull, "--rootdir", "."]
    pytest.main([*options, file], plugins=[Listener()])
    for name, error in unexplained:
        findings.note("failed", name, error)


def _is_of_unittest(member: Any) -> bool:
    """Return whether this is a class of unittest itself, which tests can import under its name."""
    return isinstance(member, type) and member.__module__.partition(".")[0] == "unittest"


def _reason(error: BaseException, end: str) -> BaseException:
    """Return the underlying error of one of pytest's own exceptions."""
    if end == "import" and error.__cause__ is not None:
        return error.__cause__
    fixture = getattr(error, "argname", None)
    return error if fixture is None else LookupError(f"there is no fixture {fixture!r}")


def _test_name(node: str) -> str:
    """Convert pytest's name of a test into the form of unittest."""
    return node.partition("::")[2].replace("::", ".")


class _FirstFault(unittest.TestResult):
    """A test result that adds the first failure of unittest's tests to the findings."""

    def __init__(self, findings: Findings) -> None:
        super().__init__()
        self._findings = findings
        self._running: Any = None

    def startTest(self, test: Any) -> None:
        super().startTest(test)
        self._running = test
        self._findings.tests += 1

    def addSkip(self, test: Any, reason: str) -> None:
        super().addSkip(test, reason)
        # Only a started test counts, not a subtest or a skipped class.
        self._findings.tests -= test is self._running

    def _fault(self, test: Any, error: BaseException) -> None:
        name = ".".join(str(test.id()).split(".")[-2:])
        self._findings.note("failed", name, error)
        self.stop()

    def addError(self, test: Any, err: Any) -> None:
        self._fault(test, err[1])

    def addFailure(self, test: Any, err: Any) -> None:
        self._fault(test, err[1])

    def addSubTest(self, test: Any, _: Any, err: Any) -> None:
        if err is not None:
            self._fault(test, err[1])

    def addUnexpectedSuccess(self, test: Any) -> None:
        self._fault(test, AssertionError("unexpected success"))


class _Loader(unittest.TestLoader):
    """A loader that skips the classes of unittest itself."""

    def loadTestsFromTestCase(self, kind: Any) -> unittest.TestSuite:
        return unittest.TestSuite() if _is_of_unittest(kind) else super().loadTestsFromTestCase(kind)


class NeedsPytestError(Exception):
    """A test has parameters that only pytest can supply."""


def run_plainly(file: str, findings: Findings) -> None:
    """Run functions and methods called `test…`, and the classes of unittest, up to the first test that fails."""
    name = file.removesuffix(".py")
    try:
        module = _load(name, os.path.abspath(file))
    except BaseException as error:
        findings.note("import", "", error)
        return
    result = _FirstFault(findings)
    _Loader().loadTestsFromModule(module).run(result)
    for test_name, test in _functions(module):
        if findings.wrong is not None:
            return
        findings.tests += 1
        try:
            test()
        except unittest.SkipTest:
            findings.tests -= 1
        except NeedsPytestError as error:
            findings.note("needs-pytest", test_name, error)
        except BaseException as error:
            findings.note("failed", test_name, error)


def _load(name: str, path: str) -> types.ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _functions(module: types.ModuleType) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield the tests outside classes of unittest, as pytest collects them, each with its setup."""
    before: list[Callable[[], Any]] = [partial(_call_hook, module, "setup_module", module)]
    for name, member in list(vars(module).items()):
        if _is_of_unittest(member):
            continue
        if isinstance(member, types.FunctionType) and name.startswith("test"):
            yield name, partial(_run_function, module, member, before)
        elif isinstance(member, type) and name.startswith("Test") and not issubclass(member, unittest.TestCase):
            before.append(partial(_call_hook, member, "setup_class", member))
            for method in [method_name for method_name in dir(member) if method_name.startswith("test")]:
                yield f"{name}.{method}", partial(_run_method, member, method, before)


def _run_function(module: types.ModuleType, test: Callable[[], Any], before: list[Callable[[], Any]]) -> None:
    _refuse_fixtures(test)
    _run_once(before)
    _call_hook(module, "setup_function", test)
    try:
        test()
    finally:
        _call_hook(module, "teardown_function", test)


def _run_method(kind: type, name: str, before: list[Callable[[], Any]]) -> None:
    _refuse_fixtures(getattr(kind, name))
    _run_once(before)
    case = kind()
    test = getattr(case, name)
    _call_hook(case, "setup_method", test)
    try:
        test()
    finally:
        _call_hook(case, "teardown_method", test)


def _refuse_fixtures(test: Any) -> None:
    if isinstance(test, types.FunctionType):
        code = test.__code__
        fixtures = code.co_varnames[: code.co_argcount - len(test.__defaults__ or ())]
        if not _FIXTURES.isdisjoint(fixtures):
            raise NeedsPytestError


def _run_once(before: list[Callable[[], Any]]) -> None:
    while before:
        before.pop(0)()


def _call_hook(owner: Any, name: str, subject: Any) -> None:
    """Call the setup or teardown hook of this name, if any, with `subject` if it takes an argument."""
    hook = getattr(owner, name, None)
    if hook is None:
        return
    code = hook.__code__
    if code.co_argcount > isinstance(hook, types.MethodType):
        hook(subject)
    else:
        hook()


def _pytest() -> Any:
    """Return the module pytest, or None if the interpreter does not have it."""
    try:
        import pytest
    except ImportError:
        return None
    return pytest


def own_folder(module: str) -> str:
    """Copy the files beside the tests into a new folder, except the student's own `module`; return the folder."""
    folder = tempfile.mkdtemp(dir=".", prefix=_PREFIX)
    for name in os.listdir("."):
        if os.path.isdir(name) and not name.startswith(_PREFIX):
            shutil.copytree(name, os.path.join(folder, name))
        elif os.path.isfile(name) and name != f"{module}.py":
            shutil.copy(name, folder)
    return folder


def set_dumpable(value: int) -> None:
    """Set, on Linux, whether other processes of the same user may inspect this one (1) or not (0)."""
    if hasattr(_LIBC, "prctl"):
        _LIBC.prctl(_PR_SET_DUMPABLE, value, 0, 0, 0)


def try_in_fork(request: dict[str, Any], code: types.CodeType, pipe: int) -> None:
    """Run the tests in a separate folder, and write the findings to `pipe`. Does not return."""
    set_dumpable(1)
    module, seconds = request["module"], request["cpu_seconds"]
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nowhere, standard)
    os.chdir(own_folder(module))
    sys.path.insert(0, os.getcwd())
    sys.meta_path.insert(0, InMemory(module, code))
    # Students call it at the end of their files without checking `__name__`.
    vars(unittest)["main"] = lambda *_, **__: None
    findings = Findings(request["program"])
    pytest = _pytest()
    try:
        if pytest is None:
            run_plainly(request["program"], findings)
        else:
            run_by_pytest(pytest, request["program"], findings)
    except BaseException as error:
        findings.note("failed", "", error)
    os.write(pipe, json.dumps(findings.report()).encode("ascii")[:_MAX_REPORTED])
    os._exit(0)


def _is_result(result: Any) -> bool:
    """Return whether the result is possible, because tests could also write a result themselves.

    They cannot need pytest if it is installed.
    """
    if not (isinstance(result, dict) and all(value is None or type(value) in (str, int) for value in result.values())):
        return False
    return result.get("end") != "needs-pytest" or importlib.util.find_spec("pytest") is None


def _needing_pytest(result: dict[str, Any]) -> dict[str, Any]:
    """Return a result that says so if a missing module may be pytest, which tests cannot claim if it is installed."""
    is_missing = result.get("end") == "import" and result.get("error") == ModuleNotFoundError.__name__
    return {**result, "end": "needs-pytest"} if is_missing and importlib.util.find_spec("pytest") is None else result


def trial(request: dict[str, Any], code: types.CodeType, report: int) -> dict[str, Any]:
    """Run the tests on the program and return their result. The tests cannot inspect this process."""
    set_dumpable(0)
    reading, writing = os.pipe()
    process = os.fork()
    if process == 0:
        os.close(reading)
        os.close(report)
        try_in_fork(request, code, writing)
    os.close(writing)
    content = b""
    while len(content) < _MAX_REPORTED and (piece := os.read(reading, _MAX_REPORTED)):
        content += piece
    os.close(reading)
    _, status = os.waitpid(process, 0)
    with contextlib.suppress(ValueError, RecursionError):
        result: dict[str, Any] = json.loads(content)
        if _is_result(result):
            return _needing_pytest(result)
    end = "endless" if os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL) else "ended"
    return {**_NOTHING_WRONG, "end": end}


def give_way() -> None:
    """Let the program import the modules beside it ahead of the standard library, as when it runs on its own."""
    sys.path[:] = _PATH
    for name in set(sys.modules) - _AT_START:
        own_path = os.path.join(_FOLDER, name.partition(".")[0])
        if os.path.isfile(f"{own_path}.py") or os.path.isfile(os.path.join(own_path, "__init__.py")):
            del sys.modules[name]


def main() -> None:
    """Read the request, remove the traces that a test could find, and run the tests on the program."""
    own_path = os.path.abspath(sys.argv[0])
    with open(sys.argv[1], encoding="utf-8") as file:
        request = json.load(file)
    descriptors = min(_MAX_FDS, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
    report = fcntl.fcntl(_REPORT, fcntl.F_DUPFD_CLOEXEC, SystemRandom().randrange(descriptors // 5, descriptors))
    os.close(_REPORT)
    for path in (own_path, sys.argv[1]):
        os.unlink(path)
    sys.argv = [request["program"]]
    give_way()
    secret = request.pop("secret")
    _FIXTURES.update(request.pop("fixtures"))
    code = compile(request.pop("text"), f"{request['module']}.py", "exec")
    content = json.dumps({"secret": secret, "found": trial(request, code, report)}).encode("ascii")
    os.pwrite(report, content, 0)
    os._exit(0)


if __name__ == "__main__":
    main()
