"""Sets up everything that a batch of sessions shares: interpreter, scratch folder, processor cores and stop signal."""

import compileall
import resource
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event

from grader.errors import SessionError, reported_as
from grader.files.scratch import scratch_folder
from grader.model.assignment import Isolation
from grader.model.outcome import Outcome
from grader.model.program import Limits
from grader.model.test import Test
from grader.run.copied_files import let_everyone_read
from grader.run.find_python import StudentPython
from grader.run.function.call import calling_scripts
from grader.run.interface import SubmissionFiles, TestRunner
from grader.run.interpreter import Interpreter, student_environment
from grader.run.process.memory import MemoryGroups
from grader.run.run_slots import RunSlots, cores
from grader.run.runner import OpenRunner, RunResources, SandboxedRunner
from grader.run.sandbox.bubblewrap import WORK, SandboxView
from grader.run.sandbox.sandboxes import Sandboxes, SandboxStart
from grader.run.sandbox.starting import SERVER
from grader.run.terminal.session import SessionDrivers
from grader.run.toolchain import shown_outside_system
from grader.run.transcript import PYTHON_FOLDER

_ACCOUNTS = "root:x:0:0::/:/bin/sh\nstudent:x:1000:1000::/work:/bin/sh\nnobody:x:65534:65534::/:/bin/false\n"
_GROUP = "root:x:0:\nstudent:x:1000:\nnogroup:x:65534:\n"
_ETC, _SUBMISSIONS = "etc", "submissions"
RunnerMaker = Callable[["RunEnvironment", SubmissionFiles, Sequence[Test]], AbstractContextManager[TestRunner]]


@dataclass(frozen=True, kw_only=True)
class RunEnvironment(RunResources):
    """The shared state of a batch of sessions, which creates the runner for each submission."""

    make_runner: RunnerMaker
    python: StudentPython
    sandboxes: Sandboxes | None = None

    @property
    def has_forks(self) -> bool:
        """Return whether tests can run in forks of a prepared interpreter instead of separate processes."""
        return self.sandboxes is not None

    @property
    def sandbox_start(self) -> SandboxStart | None:
        """How sandboxes are started here, if known; None without sandboxes."""
        return self.sandboxes.start if self.sandboxes is not None else None

    def runner(self, files: SubmissionFiles, tests: Sequence[Test] = ()) -> AbstractContextManager[TestRunner]:
        """Return the runner for the tests of a submission.

        If several of `tests` need something, it is built for all of them at once.
        """
        return self.make_runner(self, files, tests)

    def run(self, test: Test, files: SubmissionFiles, limits: Limits, variables: Mapping[str, str]) -> Outcome:
        """Run a test of these files; see `TestRunner.run`."""
        with self.runner(files) as runner:
            return runner.run(test, limits, Isolation.FRESH_PROCESS, variables)


@contextmanager
def open_environment(
    python: StudentPython = StudentPython(),
    *,
    tests_at_a_time: int | None = None,
    drivers: SessionDrivers = SessionDrivers(),
    cancelled: Event | None = None,
) -> Iterator[RunEnvironment]:
    """Run without a sandbox, in a clean virtual environment of `python`, by default the Python that runs the grader.

    Up to `tests_at_a_time` tests run in parallel, by default one per core. Setting `cancelled` ends them.
    """

    @contextmanager
    def make_runner(environment: RunEnvironment, files: SubmissionFiles, tests: Sequence[Test]) -> Iterator[TestRunner]:
        with closing(OpenRunner(environment, files, tests, drivers)) as runner:
            yield runner

    with _share_resources(python, tests_at_a_time, cancelled) as resources:
        if python.packages:
            _link_packages(resources.interpreter, python.packages.folder)
        yield RunEnvironment(**vars(resources), make_runner=make_runner, python=python)


def _link_packages(interpreter: Interpreter, packages: Path) -> None:
    """Make an interpreter use `packages` instead of the empty package folder of its environment."""
    with _explain_full_disk(interpreter.home):
        shutil.rmtree(interpreter.packages)
        interpreter.packages.symlink_to(packages, target_is_directory=True)


@contextmanager
def sandboxed_environment(
    hidden: tuple[Path, ...],
    python: StudentPython = StudentPython(),
    *,
    tests_at_a_time: int | None = None,
    cancelled: Event | None = None,
    start: SandboxStart = SandboxStart.FORK,
) -> Iterator[RunEnvironment]:
    """Run each submission in a sandbox that does not show the folders in `hidden`; see `open_environment`."""

    @contextmanager
    def make_runner(environment: RunEnvironment, files: SubmissionFiles, tests: Sequence[Test]) -> Iterator[TestRunner]:
        inside = replace(environment, interpreter=environment.interpreter.inside(Path(PYTHON_FOLDER)))
        with closing(SandboxedRunner(inside, sandboxes, files, tests)) as runner:
            yield runner

    with _share_resources(python, tests_at_a_time, cancelled) as resources:
        interpreter = resources.interpreter
        with _explain_full_disk(resources.scratch):
            _add_sandbox_files(interpreter.home)
        _allow_descriptors()
        view = _sandbox_view(resources, python, hidden)
        variables = interpreter.inside(Path(PYTHON_FOLDER)).environment(Path(WORK), {})
        with closing(Sandboxes(view, variables, start)) as sandboxes:
            shared = replace(resources, scratch=view.submission)
            yield RunEnvironment(**vars(shared), make_runner=make_runner, python=python, sandboxes=sandboxes)


def _explain_full_disk(folder: Path) -> AbstractContextManager[None]:
    return reported_as(SessionError, f"Temporary files cannot be made in {folder.parent}")


def _allow_descriptors() -> None:
    """Raise the limit on open descriptors of this process, and thus of each sandbox's first process, to the maximum.

    The kernel counts the descriptors in transit through sockets per user, but compares that count with each process's
    limit. With a raised limit, programs that send many descriptors only exhaust their own allowance, and not what the
    grader needs to start other programs.
    """
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _sandbox_view(resources: RunResources, python: StudentPython, hidden: tuple[Path, ...]) -> SandboxView:
    """Create the view inside a sandbox: everything that all submissions need, and a new folder for copies."""
    interpreter, packages = resources.interpreter, python.packages
    submissions = resources.scratch / _SUBMISSIONS
    with _explain_full_disk(resources.scratch):
        submissions.mkdir(mode=0o755)
    return SandboxView(
        python=interpreter.home,
        installation=interpreter.installation,
        submission=submissions,
        etc=interpreter.home / _ETC,
        tools=shown_outside_system(),
        hidden=hidden,
        packages=((packages.folder, interpreter.packages.relative_to(interpreter.home)),) if packages else (),
    )


@contextmanager
def _share_resources(
    python: StudentPython, tests_at_a_time: int | None, cancelled: Event | None
) -> Iterator[RunResources]:
    with scratch_folder("grader-") as name, closing(MemoryGroups()) as memory_groups:
        folder = Path(name).resolve()
        with _explain_full_disk(folder):
            interpreter = student_environment(folder, python)
        yield RunResources(
            interpreter=interpreter,
            scratch=folder,
            run_slots=RunSlots(tests_at_a_time or cores()),
            memory_groups=memory_groups,
            cancelled=cancelled or Event(),
        )


def _add_sandbox_files(home: Path) -> None:
    """Add files that sandboxes show next to the interpreter: the server that starts programs, and the user names."""
    server = home / SERVER.name
    server.mkdir()
    for file in SERVER.glob("*.py"):
        shutil.copy2(file, server / file.name)
    # The modules are compiled next to the source if that folder is writable, and the copies keep their times. Another
    # process may be doing this at the same time.
    compileall.compile_dir(SERVER, quiet=2)
    with suppress(OSError):
        shutil.copytree(SERVER / "__pycache__", server / "__pycache__", ignore=shutil.ignore_patterns("*.pyc.*"))
    for name, text in calling_scripts().items():
        (server / name).write_text(text, encoding="utf-8")
    # Compile the rest once for all sandboxes. Other versions of Python compile the files themselves.
    compileall.compile_dir(server, quiet=2)
    etc = home / _ETC
    etc.mkdir()
    (etc / "passwd").write_text(_ACCOUNTS, encoding="ascii")
    (etc / "group").write_text(_GROUP, encoding="ascii")
    let_everyone_read(home)
