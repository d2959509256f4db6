"""Runs versions of a program in forks of one interpreter inside the sandbox: the session of a test holds them all."""

import os
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event
from typing import ClassVar, Self, TypeVar

from grader.model.assignment import Isolation
from grader.model.judgement import Judgement
from grader.model.outcome import Outcome, Termination
from grader.model.program import Limits
from grader.model.test import Test
from grader.plugins.locating.repairing.forked_versions import SERVER_SCRIPT, ForkServer, server_scripts
from grader.run.interface import Launch, RunnerFactory, SubmissionFiles
from grader.run.interpreter import Interpreter
from grader.run.plugin_session import PluginSession, StartedProgram
from grader.run.process.program import StandardStreams
from grader.run.terminal.session import SessionDrivers
from grader.text.sentence import Sentence

_T = TypeVar("_T")
_FOLDER = ".versions"
_CPU_SECONDS = 120


def with_forks(
    runners: RunnerFactory, files: SubmissionFiles, test: Test, limits: Limits, use: Callable[[ForkServer], _T]
) -> _T:
    """Return what `use` makes of an interpreter that forks versions of the program of `test`, beside these files.

    Raises GraderError, OSError, and the errors of `use`.
    """
    results: list[_T] = []
    session = _ForkSession(lambda server: results.append(use(server)))
    with runners.runner(files) as runner:
        asked = replace(test, interaction=session, limits=None)
        runner.run(asked, replace(limits, cpu_seconds=_CPU_SECONDS), Isolation.FRESH_PROCESS, {})
    return results[0]


@dataclass(frozen=True)
class _ForkProgram:
    """The interpreter that forks."""

    @property
    def files(self) -> Mapping[str, str]:
        """Return its scripts, as text by name."""
        return {f"{_FOLDER}/{name}": text for name, text in server_scripts().items()}

    def launch(self, interpreter: Interpreter, workdir: Path, variables: Mapping[str, str]) -> Launch:
        """Return the command to start."""
        folders = str(workdir), str(workdir / _FOLDER)
        return interpreter.program(f"{_FOLDER}/{SERVER_SCRIPT}", workdir, variables, folders)

    def outcome(self, session: Outcome) -> Outcome:
        """Return the outcome of the session."""
        return session


@dataclass(frozen=True)
class _ForkSession(PluginSession):
    """A session in which `use` asks for runs of versions; like a game, it is never repeated."""

    words = "versions of a program"
    not_partial = "beside versions of a program"
    runs_program = False
    needs_reference = False
    is_game = True
    not_judged: ClassVar[str] = "versions are judged one by one"

    use: Callable[[ForkServer], None]

    def reported(self, _test: Test, _limits: Limits, /) -> AbstractContextManager[StartedProgram]:
        """Return the interpreter."""
        return nullcontext(_ForkProgram())

    def session(self, launch: Launch, limits: Limits, cancelled: Event, drivers: SessionDrivers, /) -> Outcome:
        """Use the interpreter until its work is done."""
        with _Pipes() as pipes, drivers.start(launch, limits, pipes.of_program):
            pipes.close_program_ends()
            self.use(ForkServer(pipes.requests, pipes.answers, cancelled))
        return Outcome(
            transcript="",
            typed=(),
            ending=Termination.EXITED,
            exit_code=0,
            signal=None,
            unsent=0,
            wall_seconds=0,
            cpu_seconds=0,
        )

    def judge(self, _test: Test, _outcome: Outcome, /) -> Judgement:
        """Raise an error, because each version is judged by itself."""
        raise TypeError(self.not_judged)

    def how_to_repeat(self, _test: Test, _command: str, /) -> Sentence:
        """Raise an error, because no person repeats the session."""
        raise TypeError(self.not_judged)


class _Pipes:
    """The pipes to and from the interpreter; its errors are dropped. Use as a context manager, which closes all."""

    def __init__(self) -> None:
        (reader, self.requests), (self.answers, writer) = os.pipe(), os.pipe()
        self.of_program = StandardStreams(reader, writer, os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC))
        self._open = {*self.of_program.descriptors, self.requests, self.answers}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._close(set(self._open))

    def close_program_ends(self) -> None:
        """Close this process's copies of the interpreter's ends."""
        self._close(set(self.of_program.descriptors))

    def _close(self, descriptors: set[int]) -> None:
        for descriptor in descriptors & self._open:
            os.close(descriptor)
        self._open -= descriptors
