"""Which programs of a submission have been built, and how that ended.

Where the tests of one submission are run.
"""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Event

from grader.errors import SessionError
from grader.model.assignment import Isolation
from grader.model.interaction import Start
from grader.model.limits import Limits
from grader.model.outcome import Outcome, Termination
from grader.model.test import Test
from grader.run.core_slots import CoreSlots
from grader.run.function.call import calling
from grader.run.interface import Launch, SubmissionFiles
from grader.run.interpreter import Interpreter
from grader.run.sandbox.bubblewrap import WORK, SandboxView
from grader.run.sandbox.sandbox import RequestKind, Sandbox, SandboxError, open_sandbox
from grader.run.stdin_session import run_stdin
from grader.run.terminal.session import BEST_DRIVERS, SessionDrivers, run_dialogue
from grader.run.workspace import regular_files, workspace


class ProgramBuilds:
    """The builds of one submission: each program is built once, when its first test is run."""

    def __init__(self) -> None:
        self._outcomes: dict[str, Outcome] = {}

    def failure(self, test: Test, build: Callable[[], Outcome]) -> Outcome | None:
        """Return how the build of the test's program failed, None if it did not or there is nothing to build.

        `build` is called for the first test of a program.
        """
        if test.recipe is None or test.recipe.build is None:
            return None
        if test.program not in self._outcomes:
            self._outcomes[test.program] = build()
        outcome = self._outcomes[test.program]
        return None if is_built(outcome) else replace(outcome, in_build=True)


def is_built(outcome: Outcome) -> bool:
    """Say whether a build ended as it should."""
    return outcome.ending is Termination.EXITED and outcome.exit_code == 0


WorldMaker = Callable[[], AbstractContextManager[SandboxView]]


class OpenRunner:
    """No sandbox: each test is a process of its own, with limits only."""

    def __init__(
        self,
        interpreter: Interpreter,
        files: SubmissionFiles,
        scratch: Path,
        turns: CoreSlots,
        cancelled: Event,
        means: SessionDrivers,
    ) -> None:
        """`scratch` is the folder in which each test gets its own."""
        self._means = means
        self._interpreter = interpreter
        self._files = files
        self._scratch = scratch
        self._turns = turns
        self._cancelled = cancelled
        self._stack = ExitStack()
        self._builds = ProgramBuilds()
        self._built: dict[str, SubmissionFiles] = {}

    def run(self, test: Test, limits: Limits, isolation: Isolation, environment: Mapping[str, str]) -> Outcome:  # noqa: ARG002
        """See Place."""
        build = partial(self._build, test, limits, environment)
        return self._builds.failure(test, partial(self._turns.fairly, build)) or self._turns.fairly(
            partial(self._run, test, limits, environment)
        )

    def close(self) -> None:
        """Remove what was built."""
        self._stack.close()

    def _build(self, test: Test, limits: Limits, environment: Mapping[str, str]) -> Outcome:
        assert test.recipe is not None
        assert test.recipe.build is not None
        with workspace(self._files, self._scratch) as folder:
            launch = self._interpreter.command(test.recipe.build, folder, environment)
            outcome = run_dialogue(
                launch,
                (),
                limits=test.recipe.limits,
                cancelled=self._cancelled,
                probes=self._means.probes,
                start=self._means.start,
            )
            if not is_built(outcome):
                return outcome
            try:
                files = regular_files(folder, limits.disk_bytes)
            except SessionError as error:
                return replace(outcome, exit_code=1, transcript=f"{outcome.transcript}{error}\n")
            kept = self._stack.enter_context(workspace(files, self._scratch))
        self._built[test.program] = tuple((kept / name, name) for _, name in files)
        return outcome

    def _run(self, test: Test, limits: Limits, environment: Mapping[str, str]) -> Outcome:
        with workspace(self._built.get(test.program, self._files), self._scratch) as folder:
            if test.call is None:
                return self._hold(launch_of(test, self._interpreter, folder, environment), test, limits)
            with calling(test) as call:
                for name, text in call.files.items():
                    (folder / name).write_text(text, encoding="utf-8")
                child = self._interpreter.program(call.child, folder, environment)
                return call.outcome(self._hold(call.launch(child), test, limits))

    def _hold(self, launch: Launch, test: Test, limits: Limits) -> Outcome:
        return run_test(test, launch, limits, self._cancelled, self._means)


class SandboxedRunner:
    """One sandbox for all tests, made when the first is run, and made again, unprepared, when it breaks."""

    def __init__(self, interpreter: Interpreter, world: WorldMaker, turns: CoreSlots, cancelled: Event) -> None:
        """`interpreter` is the one inside the world."""
        self._interpreter = interpreter
        self._world = world
        self._turns = turns
        self._cancelled = cancelled
        self._stack = ExitStack()
        self._sandbox: Sandbox | None = None
        self._can_be_prepared = True
        self._builds = ProgramBuilds()

    def run(self, test: Test, limits: Limits, isolation: Isolation, environment: Mapping[str, str]) -> Outcome:
        """See Place. A test that breaks the sandbox is run again in a fresh one, and it and the others as processes."""
        try:
            return self._run(test, limits, isolation, environment)
        except SandboxError:
            self.close()
            self._can_be_prepared = False
            return self._run(test, limits, isolation, environment)

    def close(self) -> None:
        """End the sandbox; what was built in it is gone."""
        self._sandbox = None
        self._builds = ProgramBuilds()
        self._stack.close()

    def _run(self, test: Test, limits: Limits, isolation: Isolation, environment: Mapping[str, str]) -> Outcome:
        build = partial(self._build, test, limits, environment)
        return self._builds.failure(test, partial(self._turns.fairly, build)) or self._turns.fairly(
            partial(self._start, test, limits, isolation, environment)
        )

    def _build(self, test: Test, limits: Limits, environment: Mapping[str, str]) -> Outcome:
        assert test.recipe is not None
        assert test.recipe.build is not None
        start = partial(self._open(limits).start, RequestKind.BUILD, test.program, {})
        launch = self._interpreter.command(test.recipe.build, Path(WORK), environment)
        return run_dialogue(launch, (), limits=test.recipe.limits, cancelled=self._cancelled, start=start)

    def _start(self, test: Test, limits: Limits, isolation: Isolation, environment: Mapping[str, str]) -> Outcome:
        if test.call is not None:
            with calling(test) as call:
                child = call.launch(self._interpreter.program(call.child, Path(WORK), environment))
                return call.outcome(self._hold(RequestKind.EXECUTE, test, limits, child, call.files))
        launch = launch_of(test, self._interpreter, Path(WORK), environment)
        prepared = isolation is Isolation.PREPARED and test.start is Start.PROGRAM and test.recipe is None
        return self._hold(RequestKind.FORK if prepared else RequestKind.EXECUTE, test, limits, launch, {})

    def _hold(self, kind: RequestKind, test: Test, limits: Limits, launch: Launch, files: Mapping[str, str]) -> Outcome:
        start = partial(self._open(limits).start, kind, test.program, files)
        return run_test(test, launch, limits, self._cancelled, replace(BEST_DRIVERS, start=start))

    def _open(self, limits: Limits) -> Sandbox:
        if self._sandbox is None:
            environment = self._interpreter.environment(Path(WORK), {})
            world = self._stack.enter_context(self._world())
            self._sandbox = self._stack.enter_context(
                open_sandbox(world, environment, limits, prepare=self._can_be_prepared)
            )
        return self._sandbox


def run_test(test: Test, launch: Launch, limits: Limits, cancelled: Event, means: SessionDrivers) -> Outcome:
    """Run what was prepared for a test the way the test asks for: in a terminal, or fed from a file."""
    if test.stdin is not None:
        return run_stdin(launch, test.stdin.text, limits=limits, cancelled=cancelled, start=means.start).outcome()
    return run_dialogue(
        launch,
        test.lines,
        echo=test.echo,
        limits=limits,
        cancelled=cancelled,
        probes=means.probes,
        start=means.start,
    )


def launch_of(test: Test, interpreter: Interpreter, folder: Path, environment: Mapping[str, str]) -> Launch:
    """Return what is started for a test."""
    if test.recipe is not None:
        return interpreter.command(test.recipe.run, folder, environment)
    if test.start is Start.PROMPT:
        return interpreter.prompt(folder, environment)
    return interpreter.program(test.program, folder, environment)
