"""Where tests are run on systems without terminals: a private folder, limits on time and output, nothing more."""

import os
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from grader.run.errors import SessionError
from grader.run.launch import Launch
from grader.run.outcome import Outcome
from grader.run.pipe_session import converse_by_pipes, feed_by_pipes
from grader.run.places import Files
from grader.run.system import System, can_run
from grader.run.workspace import workspace
from grader.spec.assignment import Isolation, Start, Test
from grader.spec.limits import Limits

_SETTINGS = {
    "NO_COLOR": "1",
    "PYTHON_COLORS": "0",
    "PYTHON_BASIC_REPL": "1",
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
    # Without a terminal, output would be held back and be in the code page of the system.
    "PYTHONUNBUFFERED": "1",
    "PYTHONUTF8": "1",
}


@dataclass(frozen=True)
class PipePlace:
    """See Place. Programs run with the Python that runs us, and with its packages."""

    files: Files
    scratch: Path
    cancelled: Event

    def run(self, test: Test, limits: Limits, isolation: Isolation, environment: Mapping[str, str]) -> Outcome:  # noqa: ARG002
        """See Place; raises SessionError for a test that only other systems can run."""
        if not can_run(System.PIPES, test):
            raise SessionError("on this system only whole programs in Python can be run")
        arguments = ["-i", "-q"] if test.start is Start.PROMPT else [test.program]
        with workspace(self.files, self.scratch) as folder:
            launch = Launch((sys.executable, *arguments), folder, _environment(environment))
            if test.stdin is not None:
                return feed_by_pipes(launch, test.stdin.text, limits=limits, cancelled=self.cancelled)
            return converse_by_pipes(launch, test.lines, echo=test.echo, limits=limits, cancelled=self.cancelled)


@dataclass(frozen=True)
class PipePlaces:
    """See Places."""

    scratch: Path
    cancelled: Event

    @contextmanager
    def place(self, files: Files) -> Iterator[PipePlace]:
        """See Places."""
        yield PipePlace(files, self.scratch, self.cancelled)


@contextmanager
def pipe_places() -> Iterator[PipePlaces]:
    """Places in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="grader-") as name:
        yield PipePlaces(Path(name).resolve(), Event())


def _environment(extra: Mapping[str, str]) -> dict[str, str]:
    """The variables of this process, which such a system needs to start anything, but for those that steer Python."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return {**own, **_SETTINGS, **extra}
