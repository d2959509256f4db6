"""What a batch of sessions shares: the students' interpreter, a scratch folder, the cores, and the wish to stop."""

import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from grader.model.assignment import Isolation
from grader.model.limits import Limits
from grader.model.outcome import Outcome
from grader.model.test import Test
from grader.run.core_slots import CoreSlots, cores
from grader.run.interface import SubmissionFiles, TestRunner
from grader.run.interpreter import Interpreter, interpreter_at, student_environment
from grader.run.runner import OpenRunner, SandboxedRunner
from grader.run.sandbox.bubblewrap import PYTHON, SandboxView
from grader.run.sandbox.sandbox import SERVER
from grader.run.terminal.session import BEST_DRIVERS, SessionDrivers
from grader.run.workspace import workspace

_PASSWD = "root:x:0:0::/:/bin/sh\nstudent:x:1000:1000::/work:/bin/sh\nnobody:x:65534:65534::/:/bin/false\n"


_GROUP = "root:x:0:\nstudent:x:1000:\nnogroup:x:65534:\n"


_ETC = "etc"


RunnerMaker = Callable[["RunEnvironment", SubmissionFiles], AbstractContextManager[TestRunner]]


@dataclass(frozen=True, kw_only=True)
class RunEnvironment:
    """The place where tests are run. Setting `cancelled` ends the sessions under way."""

    interpreter: Interpreter
    scratch: Path
    turns: CoreSlots
    cancelled: Event
    make_place: RunnerMaker

    def place(self, files: SubmissionFiles) -> AbstractContextManager[TestRunner]:
        """Return the place for the tests of one submission."""
        return self.make_place(self, files)

    def run(self, test: Test, files: SubmissionFiles, limits: Limits, environment: Mapping[str, str]) -> Outcome:
        """Run one test of these files, see `Place.run`."""
        with self.place(files) as place:
            return place.run(test, limits, Isolation.PROCESS, environment)


@contextmanager
def open_environment(
    python: Path | None = None, *, turns: int | None = None, means: SessionDrivers = BEST_DRIVERS
) -> Iterator[RunEnvironment]:
    """A bench without a sandbox, with an empty environment of `python`, by default of the one that runs the grader.

    It runs as many tests at a time as there are cores, unless `turns` says otherwise.
    """

    @contextmanager
    def place(bench: RunEnvironment, files: SubmissionFiles) -> Iterator[TestRunner]:
        with closing(OpenRunner(bench.interpreter, files, bench.scratch, bench.turns, bench.cancelled, means)) as made:
            yield made

    with _environment(python, turns, place) as bench:
        yield bench


@contextmanager
def sandboxed_environment(
    hidden: tuple[Path, ...], python: Path | None = None, *, turns: int | None = None
) -> Iterator[RunEnvironment]:
    """A sandbox for each submission, in which the folders `hidden` cannot be seen; see `open_environment`."""

    @contextmanager
    def place(bench: RunEnvironment, files: SubmissionFiles) -> Iterator[TestRunner]:
        @contextmanager
        def world() -> Iterator[SandboxView]:
            home = bench.interpreter.home
            with workspace(files, bench.scratch) as submission:
                submission.chmod(0o755)
                yield SandboxView(
                    python=home,
                    installation=bench.interpreter.installation,
                    submission=submission,
                    etc=home / _ETC,
                    hidden=hidden,
                )

        with closing(
            SandboxedRunner(bench.interpreter.inside(Path(PYTHON)), world, bench.turns, bench.cancelled)
        ) as made:
            yield made

    with _environment(python, turns, place) as bench:
        _furnish(bench.interpreter.home)
        yield bench


@contextmanager
def _environment(python: Path | None, turns: int | None, make_place: RunnerMaker) -> Iterator[RunEnvironment]:
    with tempfile.TemporaryDirectory(prefix="grader-") as name:
        folder = Path(name).resolve()
        interpreter = interpreter_at(python, folder) if python else student_environment(folder)
        yield RunEnvironment(
            interpreter=interpreter,
            scratch=folder,
            turns=CoreSlots(turns or cores()),
            cancelled=Event(),
            make_place=make_place,
        )


def _furnish(home: Path) -> None:
    """Put what sandboxes show beside the interpreter: the server that starts programs, and the names of users."""
    shutil.copy(SERVER, home)
    etc = home / _ETC
    etc.mkdir()
    (etc / "passwd").write_text(_PASSWD, encoding="ascii")
    (etc / "group").write_text(_GROUP, encoding="ascii")
