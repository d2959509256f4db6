"""Runs the tests of a submission, each in a fresh folder, with or without a sandbox.

A program that needs a build is built before its first test.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from threading import Event

from grader.errors import SessionError
from grader.files.digest import content_digest
from grader.model.assignment import Isolation
from grader.model.ending import AsksAgain
from grader.model.interaction import Dialogue, FunctionCall, PluginInteraction, ReplSession, StdinRun, is_game
from grader.model.outcome import Outcome
from grader.model.program import Limits
from grader.model.test import Test
from grader.run.builds import BuildStep, ProgramBuilds, ReadyTest, is_built
from grader.run.copied_files import let_everyone_read, regular_files
from grader.run.error_watch import SessionWatch
from grader.run.function.call import reported_call
from grader.run.function.compiled import reported_main
from grader.run.interface import Launch, SubmissionFiles
from grader.run.interpreter import Interpreter
from grader.run.language import watch_of
from grader.run.plugin_session import HeldSession, StartedProgram, SubmissionRuns, WholeProgram
from grader.run.process.kernel_limits import refuse_lower_limits
from grader.run.process.memory import MemoryGroups
from grader.run.run_slots import RunSlots
from grader.run.sandbox.bubblewrap import WORK
from grader.run.sandbox.sandbox import LostProgramError, RequestKind, Sandbox, SandboxError, WantedFiles
from grader.run.sandbox.sandboxes import Sandboxes, SandboxNeeds
from grader.run.side_output import side_files, with_written_files
from grader.run.stdin_session import run_stdin
from grader.run.terminal.session import AfterLines, SessionDrivers, run_dialogue
from grader.run.workspace import remove_folder, workspace

_WORK = Path(WORK)


@dataclass(frozen=True, kw_only=True)
class RunResources:
    """The resources that a batch's runners share; `scratch` holds private copies, and `cancelled` ends all sessions."""

    interpreter: Interpreter
    scratch: Path
    run_slots: RunSlots
    memory_groups: MemoryGroups
    cancelled: Event

    def run_test(self, test: Test, run: Callable[[], Outcome]) -> Outcome:
        """Run a test when its turn comes, and once more if it was starved; a game is only played once."""
        return (self.run_slots.run_once if is_game(test.interaction) else self.run_slots.run_with_retry)(run)


class OpenRunner:
    """A runner without a sandbox, in which each test is a separate process with nothing but limits."""

    def __init__(
        self, resources: RunResources, files: SubmissionFiles, tests: Sequence[Test], drivers: SessionDrivers
    ) -> None:
        """Run `tests`, and possibly others, for the submission `files`."""
        self._resources = resources
        self._files = files
        self._drivers = drivers
        self._stack = ExitStack()
        self._builds = ProgramBuilds(tests, files)
        self._runs = SubmissionRuns(tests, files)
        self._built_files: dict[str, SubmissionFiles] = {}

    def run(self, test: Test, limits: Limits, _isolation: Isolation, variables: Mapping[str, str]) -> Outcome:
        """Run a test in a separate process; see `TestRunner`."""

        def run_once(test: Test, limits: Limits) -> Outcome:
            return self._run_ready(test, limits, variables)

        return self._runs.outcome(test, limits, run_once)

    def close(self) -> None:
        """Remove the built files."""
        self._stack.close()

    def _run_ready(self, test: Test, limits: Limits, variables: Mapping[str, str]) -> Outcome:
        """Build the program if necessary, then run the test."""

        def build(step: BuildStep) -> Outcome:
            return self._build_program(step, limits, variables)

        ready = self._builds.ready(test, build, self._resources.run_slots)
        if isinstance(ready, Outcome):
            return ready
        return self._resources.run_test(test, lambda: self._run_test(ready, limits, variables))

    def _build_program(self, step: BuildStep, limits: Limits, variables: Mapping[str, str]) -> Outcome:
        resources = self._resources
        with workspace(self._files, resources.scratch) as folder:
            _lay_out(_encoded(step.files), folder)
            outcome = run_dialogue(
                resources.interpreter.command(step.command, folder, variables),
                (),
                limits=step.recipe.limits,
                cancelled=resources.cancelled,
                drivers=self._drivers,
            )
            if not is_built(outcome):
                return outcome
            try:
                files = regular_files(folder, limits.disk_bytes)
            except SessionError as error:
                return replace(outcome, exit_code=1, transcript=f"{outcome.transcript}{error}\n")
            copies = self._stack.enter_context(workspace(files, resources.scratch))
        self._built_files[step.name] = tuple((copies / name, name) for _, name in files)
        return outcome

    def _run_test(self, ready: ReadyTest, limits: Limits, variables: Mapping[str, str]) -> Outcome:
        interpreter, test = self._resources.interpreter, ready.test
        files = self._built_files.get(ready.name, self._files)
        # Files that the program must write do not exist before the run, unless the course provides them.
        not_laid_out = {*(file.name for file in test.start.files), *test.side_output.files}
        submission_files = [(path, name) for path, name in files if name not in not_laid_out]
        with workspace(submission_files, self._resources.scratch) as folder:
            _lay_out(_files_beside(test), folder)
            with started_program(test, limits) as program:
                _lay_out(_encoded(program.files), folder)
                launch = program.launch(interpreter, folder, variables)
                return program.outcome(self._run_session(launch, test, limits))

    def _run_session(self, launch: Launch, test: Test, limits: Limits) -> Outcome:
        limits = _watch(test).limits(limits)
        with side_files(test) as side, _watch(test).report(limits) as report:
            separated = report.launch(side.launch(launch))
            outcome = run_interaction(test, separated, limits, self._resources.cancelled, self._drivers)
            outcome = report.outcome(side.with_errors(outcome, launch, limits), launch)
        return with_written_files(outcome, launch, test.side_output.files)


class SandboxedRunner:
    """A runner with one sandbox for all tests.

    The first test creates the sandbox, and if it breaks, a plain one replaces it.
    """

    def __init__(
        self, resources: RunResources, sandboxes: Sandboxes, files: SubmissionFiles, tests: Sequence[Test]
    ) -> None:
        """Run `tests`, and possibly others, for the submission `files`.

        The paths in the interpreter of `resources` are paths inside the sandbox.
        """
        self._resources = resources
        self._sandboxes = sandboxes
        self._files = files
        self._tests = tests
        self._runs = SubmissionRuns(tests, files)
        self._stack = ExitStack()
        self._sandbox: Sandbox | None = None
        self._can_be_prepared = True
        self._builds = ProgramBuilds(tests, files)

    def run(self, test: Test, limits: Limits, isolation: Isolation, variables: Mapping[str, str]) -> Outcome:
        """Run a test in the sandbox; see `TestRunner`.

        A test that breaks the sandbox is run again in a fresh one, where it and all later tests are separate processes.
        A game is never repeated.
        """

        def run_once(test: Test, limits: Limits) -> Outcome:
            try:
                return self._run_test(test, limits, isolation, variables)
            except SandboxError as error:
                self.close()
                self._can_be_prepared = False
                if isinstance(error, LostProgramError) and is_game(test.interaction):
                    raise
                return self._run_test(test, limits, isolation, variables)

        if is_game(test.interaction):
            # Consecutive process numbers would let one game recognise another.
            self.close()
        return self._runs.outcome(test, limits, run_once)

    def close(self) -> None:
        """End the sandbox and delete everything built in it."""
        self._sandbox = None
        self._builds = ProgramBuilds(self._tests, self._files)
        self._stack.close()

    def _run_test(self, test: Test, limits: Limits, isolation: Isolation, variables: Mapping[str, str]) -> Outcome:
        def build(step: BuildStep) -> Outcome:
            return self._build_program(step, limits, variables)

        ready = self._builds.ready(test, build, self._resources.run_slots)
        if isinstance(ready, Outcome):
            return ready
        # The sandbox is created while other tests use the cores, because creating it mostly consists of waiting for the
        # kernel.
        self._open_sandbox(_watch(test).limits(limits))
        return self._resources.run_test(test, lambda: self._start_test(ready, limits, isolation, variables))

    def _build_program(self, step: BuildStep, limits: Limits, variables: Mapping[str, str]) -> Outcome:
        refuse_lower_limits(step.recipe.limits)
        files = _encoded(step.files)
        sandbox = self._open_sandbox(limits)
        start = partial(sandbox.start, RequestKind.BUILD, step.name, files=files, wanted=WantedFiles())
        launch = self._resources.interpreter.command(step.command, _WORK, variables)
        return run_dialogue(
            launch,
            (),
            limits=step.recipe.limits,
            cancelled=self._resources.cancelled,
            drivers=SessionDrivers(start=start),
        )

    def _start_test(
        self, ready: ReadyTest, limits: Limits, isolation: Isolation, variables: Mapping[str, str]
    ) -> Outcome:
        interpreter, test = self._resources.interpreter, ready.test
        kind = _prepared_kind(test) if isolation is Isolation.FORK else RequestKind.EXECUTE
        with started_program(test, limits) as program:
            launch = program.launch(interpreter, _WORK, variables)
            return program.outcome(self._run_session(kind, ready, limits, launch, _encoded(program.files)))

    def _run_session(
        self, kind: RequestKind, ready: ReadyTest, limits: Limits, launch: Launch, files: Mapping[str, bytes]
    ) -> Outcome:
        test = ready.test
        limits = _watch(test).limits(limits)
        refuse_lower_limits(limits)
        files = {**_files_beside(test), **files}
        with side_files(test) as side, _watch(test).report(limits) as report:
            start = partial(self._open_sandbox(limits).start, kind, ready.name, files=files, wanted=side.wanted)
            drivers = SessionDrivers(start=start)
            separated = report.launch(side.launch(launch))
            outcome = run_interaction(test, separated, limits, self._resources.cancelled, drivers)
            outcome = report.outcome(side.with_errors(outcome, launch, limits), launch)
            return side.with_copies(outcome, launch)

    def _open_sandbox(self, limits: Limits) -> Sandbox:
        if self._sandbox is None:
            submission = self._stack.enter_context(workspace(self._files, self._resources.scratch))
            let_everyone_read(submission)
            group = self._stack.enter_context(self._resources.memory_groups.group())
            needs = SandboxNeeds(
                submission=submission,
                limits=limits,
                group=group,
                prepare=self._can_be_prepared,
                calls=any(_prepared_kind(test) is RequestKind.CALL for test in self._tests),
            )
            self._sandbox = self._stack.enter_context(self._sandboxes.open(needs))
        return self._sandbox


def _encoded(files: Mapping[str, str]) -> dict[str, bytes]:
    return {name: text.encode() for name, text in files.items()}


def _lay_out(files: Mapping[str, bytes], folder: Path) -> None:
    """Write files, and the folders that hold them, to a working folder, replacing existing entries."""
    for name, content in files.items():
        file = folder / name
        for parent in filter(Path.is_file, file.parents):
            parent.unlink()
        if file.is_dir():
            remove_folder(file)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)


def _files_beside(test: Test) -> dict[str, bytes]:
    """Return the files to place next to the program, other than the submission's.

    Raises OSError, or SessionError if a course file has changed.
    """
    contents = {file.name: file.source.read_bytes() for file in test.start.files}
    changed = [file.name for file in test.start.files if content_digest(contents[file.name]) != file.digest]
    if changed:
        raise SessionError(f"{changed[0]} has changed since the tests were read: grade again")
    return {**contents, **_watch(test).files_beside()}


def _watch(test: Test) -> SessionWatch:
    """Return the watch for a test's runs. Raises LanguageError."""
    watch = test.start.watch
    return watch if isinstance(watch, SessionWatch) else watch_of(test.recipe)


def _prepared_kind(test: Test) -> RequestKind:
    """Return the kind of request for a test that can run in a fork of the prepared interpreter."""
    if test.recipe is not None or _brings_modules(test):
        return RequestKind.EXECUTE
    match test.interaction:
        case HeldSession():
            return RequestKind.EXECUTE
        case Dialogue(stdin=None):
            return RequestKind.FORK
        case FunctionCall():
            return RequestKind.CALL
        case Dialogue() | PluginInteraction() | ReplSession() | StdinRun():
            return RequestKind.EXECUTE


def _brings_modules(test: Test) -> bool:
    """Return whether a test adds a module that did not exist when the submission was prepared."""
    return any(file.name.endswith(".py") for file in test.start.files)


def started_program(test: Test, limits: Limits) -> AbstractContextManager[StartedProgram]:
    """Return the program to start for a test, which is the student's or a child process that reports on it."""
    match test.interaction:
        case FunctionCall() as call:
            return reported_call(test.program, call) if test.recipe is None else reported_main(test.recipe, call)
        case HeldSession() as other:
            return other.reported(test, limits)
        case Dialogue() | PluginInteraction() | ReplSession() | StdinRun():
            return nullcontext(WholeProgram(test))


def run_interaction(test: Test, launch: Launch, limits: Limits, cancelled: Event, drivers: SessionDrivers) -> Outcome:
    """Run a prepared test as its interaction requires: in a terminal, with a file as input, or through a plugin."""
    match test.interaction:
        case HeldSession() as other:
            return other.session(launch, limits, cancelled, drivers)
        case PluginInteraction() as other:
            raise TypeError(f"a {type(other).__name__} has no session")
        case StdinRun(text=text):
            return run_stdin(launch, text, limits=limits, cancelled=cancelled, start=drivers.start)
        case (
            Dialogue(lines=lines, echo=echo)
            | ReplSession(lines=lines, echo=echo)
            | FunctionCall(lines=lines, echo=echo)
        ):
            return run_dialogue(
                launch,
                lines,
                echo=echo,
                limits=limits,
                after_lines=AfterLines.STOP if isinstance(test.ending, AsksAgain) else AfterLines.END_OF_INPUT,
                cancelled=cancelled,
                drivers=drivers,
            )
