"""Runs tests on systems without terminals, in a private folder with only time and output limits."""

import os
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from grader.errors import SessionError
from grader.model.assignment import Isolation
from grader.model.interaction import StdinRun, is_repl, shows_typing, typed_lines
from grader.model.outcome import Outcome
from grader.model.program import Limits
from grader.model.test import Test
from grader.run.find_python import StudentPython
from grader.run.interface import Launch, SubmissionFiles
from grader.run.portable.session import run_dialogue_by_pipes, run_stdin_by_pipes
from grader.run.system import SystemKind, can_run
from grader.run.workspace import workspace

_SETTINGS = {
    "NO_COLOR": "1",
    "PYTHON_COLORS": "0",
    "PYTHON_BASIC_REPL": "1",
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
    # Without a terminal, the output would use the system's code page.
    "PYTHONUTF8": "1",
}

# Python loads this module at start-up. It makes output line-buffered, as in a terminal; a pipe would receive large
# blocks.
_STARTUP = """\
import os, sys
sys.path.remove(os.environ.pop("PYTHONPATH"))
sys.stdout.reconfigure(line_buffering=True)
del os, sys
"""


@dataclass(frozen=True)
class PipeRunner:
    """A `TestRunner` for programs that run with the grader's own Python and packages."""

    files: SubmissionFiles
    scratch: Path
    startup: Path
    cancelled: Event

    def run(self, test: Test, limits: Limits, _isolation: Isolation, variables: Mapping[str, str]) -> Outcome:
        """Run a test in a separate process; see `TestRunner`.

        Raises SessionError for a test that only runs on other systems.
        """
        if not can_run(SystemKind.PIPES, test):
            raise SessionError("on this system only whole programs in Python can be run")
        interaction, cancelled = test.interaction, self.cancelled
        arguments = ["-i", "-q"] if is_repl(interaction) else [test.program, *test.start.arguments]
        test_files = {file.name: file.source for file in test.start.files}
        files = [(path, name) for path, name in self.files if name not in test_files]
        with workspace((*files, *((path, name) for name, path in test_files.items())), self.scratch) as folder:
            launch = python_through_pipes(arguments, folder, self.startup, variables)
            if isinstance(interaction, StdinRun):
                return run_stdin_by_pipes(launch, interaction.text, limits=limits, cancelled=cancelled)
            lines, echo = typed_lines(interaction), shows_typing(interaction)
            return run_dialogue_by_pipes(launch, lines, echo=echo, limits=limits, cancelled=cancelled)


@dataclass(frozen=True)
class PipeRunnerFactory:
    """A `RunnerFactory`. `startup` is a folder created by `write_startup`."""

    scratch: Path
    startup: Path
    cancelled: Event

    @property
    def python(self) -> StudentPython:
        """The Python that programs run with."""
        return StudentPython()

    @property
    def has_forks(self) -> bool:
        """Return whether tests can run in forks of a prepared interpreter instead of separate processes."""
        return False

    @contextmanager
    def runner(self, files: SubmissionFiles, _tests: Sequence[Test] = ()) -> Iterator[PipeRunner]:
        """Return the runner for the tests of a submission."""
        yield PipeRunner(files, self.scratch, self.startup, self.cancelled)


@contextmanager
def pipe_runners() -> Iterator[PipeRunnerFactory]:
    """Yield a factory of runners that use a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="grader-") as name:
        scratch = Path(name).resolve()
        yield PipeRunnerFactory(scratch, write_startup(scratch / "startup"), Event())


def write_startup(folder: Path) -> Path:
    """Create a folder for `python_through_pipes`."""
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(_STARTUP, encoding="utf-8")
    return folder


def python_through_pipes(
    arguments: Sequence[str], workdir: Path, startup: Path, extra: Mapping[str, str] | None = None
) -> Launch:
    """Return a launch of Python with these arguments and `extra` variables, writing to pipes as it would to a terminal.

    It inherits this process's environment variables, without which such systems cannot start programs, except variables
    that affect Python or pytest.
    """
    variables = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYTEST"))}
    environment = {**variables, **_SETTINGS, "PYTHONPATH": str(startup), **(extra or {})}
    return Launch(argv=(sys.executable, *arguments), workdir=workdir, environment=environment)
