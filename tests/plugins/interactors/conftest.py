"""A short way to hold a session between a program and an interactor, both given as text."""

import textwrap
from pathlib import Path
from threading import Event
from typing import Any, Protocol

import pytest

from grader.model.outcome import Outcome
from grader.model.program import Limits
from grader.plugins.interactors.interaction import InteractorRun
from grader.plugins.interactors.session import run_with_interactor
from grader.plugins.interactors.settings import Channel, InteractorSettings
from grader.run.interpreter import Interpreter, student_environment
from grader.run.terminal.session import SessionDrivers

LIMITS = Limits(wall_seconds=60)


def interactor(folder: Path, body: str, **settings: Any) -> InteractorSettings:
    """An interactor `mine` whose function `play` has this body."""
    file = folder / "interactors" / "mine.py"
    file.parent.mkdir(exist_ok=True)
    file.write_text(f"def play(program):\n{textwrap.indent(textwrap.dedent(body).strip(), '    ')}\n", encoding="utf-8")
    return InteractorSettings(name="mine", file=file, content="", **settings)


class Play(Protocol):
    """Holds a session: the source of the program, then the body of the interactor."""

    def __call__(
        self, source: str, body: str, *, limits: Limits = ..., cancelled: Event = ..., **settings: Any
    ) -> Outcome: ...


@pytest.fixture(scope="session")
def interpreter(tmp_path_factory: pytest.TempPathFactory) -> Interpreter:
    return student_environment(tmp_path_factory.mktemp("interpreter"))


def player(folder: Path, interpreter: Interpreter, channel: Channel) -> Play:
    """What holds sessions through `channel`."""

    def play(
        source: str, body: str, *, limits: Limits = LIMITS, cancelled: Event | None = None, **settings: Any
    ) -> Outcome:
        workdir = folder / "work"
        workdir.mkdir(exist_ok=True)
        (workdir / "program.py").write_text(textwrap.dedent(source), encoding="utf-8")
        launch = interpreter.program("program.py", workdir, {})
        run = InteractorRun(interactor(folder, body, **settings), channel)
        return run_with_interactor(run, launch, limits, cancelled or Event(), SessionDrivers())

    return play


@pytest.fixture(params=Channel)
def play(request: pytest.FixtureRequest, tmp_path: Path, interpreter: Interpreter) -> Play:
    """Sessions in a terminal, and through pipes."""
    return player(tmp_path, interpreter, request.param)


@pytest.fixture
def at_terminal(tmp_path: Path, interpreter: Interpreter) -> Play:
    return player(tmp_path, interpreter, Channel.TERMINAL)


@pytest.fixture
def through_pipes(tmp_path: Path, interpreter: Interpreter) -> Play:
    return player(tmp_path, interpreter, Channel.PIPES)
