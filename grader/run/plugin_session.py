"""Sessions of interactions that are defined by plugins."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, ClassVar, Protocol, TypeAlias

from grader.model.interaction import Dialogue, PluginInteraction, is_repl
from grader.model.outcome import Outcome
from grader.model.program import Limits
from grader.model.results import TestResult
from grader.model.test import Test
from grader.run.interface import Launch, SubmissionFiles
from grader.run.interpreter import Interpreter
from grader.run.language import watch_of

if TYPE_CHECKING:
    from rich.text import Text

    from grader.run.terminal.session import SessionDrivers

RunTest: TypeAlias = Callable[[Test, Limits], Outcome]
"""A function that runs a test. Raises GraderError or OSError if that is not possible."""

SharedRuns: TypeAlias = Callable[[Test, Limits, RunTest], Outcome]
"""A function that returns the outcome of a test, given a runner, from results that the submission's tests share."""


class StartedProgram(Protocol):
    """The program to start for a test, and the conversion of its session to an outcome."""

    @property
    def files(self) -> Mapping[str, str]:
        """Return the files to add to the working folder, as text by name."""

    def launch(self, interpreter: Interpreter, workdir: Path, variables: Mapping[str, str], /) -> Launch:
        """Return the command to start."""

    def outcome(self, session: Outcome, /) -> Outcome:
        """Return the outcome of the test, given the outcome of the session."""


@dataclass(frozen=True)
class WholeProgram:
    """The program of a test, started as students start it."""

    test: Test

    @property
    def files(self) -> Mapping[str, str]:
        """Return the files to add to the working folder, as text by name."""
        return {}

    def launch(self, interpreter: Interpreter, workdir: Path, variables: Mapping[str, str]) -> Launch:
        """Return the command to start."""
        test, arguments, recipe = self.test, self.test.start.arguments, self.test.recipe
        if recipe is not None:
            return interpreter.command((*watch_of(recipe).run_command(recipe.run), *arguments), workdir, variables)
        if is_repl(test.interaction):
            return interpreter.prompt(workdir, variables)
        return interpreter.program(test.program, workdir, variables, arguments)

    def outcome(self, session: Outcome) -> Outcome:
        """Return the outcome of the test, given the outcome of the session."""
        return session


class HeldSession(ABC):
    """A session that a plugin holds with the program of a test."""

    @classmethod
    def shared_runs(cls, _tests: Sequence[Test], _files: SubmissionFiles, /) -> SharedRuns:
        """Return the runs shared by several of the `tests` known so far, for the submission `files`."""
        return lambda test, limits, run: run(test, limits)

    def reported(self, test: Test, _limits: Limits, /) -> AbstractContextManager[StartedProgram]:
        """Return the program to start for a test."""
        return nullcontext(WholeProgram(test))

    @abstractmethod
    def session(self, launch: Launch, limits: Limits, cancelled: Event, drivers: "SessionDrivers", /) -> Outcome:
        """Run a session with the started program. Raises SessionError in the same cases as `run_dialogue`."""


class PluginSession(HeldSession, PluginInteraction):
    """An interaction of a plugin that also judges the outcome."""


@dataclass(frozen=True)
class PluginDialogue(HeldSession, Dialogue):
    """A dialogue of a plugin. Its transcript is compared as in any dialogue, and the plugin shows it in reports.

    `carried` lists the modules, and `carried_packages` the installed packages, that a bundle needs for it. Bundles only
    contain its tests if it has any.
    """

    carried: ClassVar[tuple[str, ...]] = ()
    carried_packages: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def difference_text(self, result: TestResult, width: int | None, /) -> "Iterator[Text]":
        """Yield the first difference as lines for a terminal with `width` columns, or for a file."""

    @abstractmethod
    def difference_html(self, result: TestResult, /) -> str:
        """Return the first difference as HTML."""

    @abstractmethod
    def place(self, lines: Sequence[str], index: int, /) -> str:
        """Return words about the place of a line in the transcript, followed by a comma and a space, or nothing."""

    @abstractmethod
    def steps_html(self, result: TestResult, /) -> Sequence[tuple[str, bool]]:
        """Return the steps of the session as HTML, each with whether it is the first that differs."""


class SubmissionRuns:
    """The runs of a submission's tests, some of which share results."""

    def __init__(self, tests: Sequence[Test], files: SubmissionFiles) -> None:
        """Take the submission `files` and the `tests` known so far."""
        self._tests = tests
        self._files = files
        self._shared: dict[type[HeldSession], SharedRuns] = {}

    def outcome(self, test: Test, limits: Limits, run: RunTest) -> Outcome:
        """Run a test, or derive its outcome from shared runs."""
        if not isinstance(test.interaction, HeldSession):
            return run(test, limits)
        kind = type(test.interaction)
        return self._shared.setdefault(kind, kind.shared_runs(self._tests, self._files))(test, limits, run)
