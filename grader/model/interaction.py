"""How a test communicates with a program: one frozen dataclass for each way, combined in `Interaction`.

Code that handles them differently uses `match` with `assert_never`, so that mypy lists every place to change for a new
one. The interactions of plugins derive from `PluginInteraction`, which declares everything the core asks them.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Self, TypeAlias

from grader.model.judgement import Judgement
from grader.model.outcome import Outcome
from grader.model.plain_values import Plain
from grader.text.sentence import Sentence

if TYPE_CHECKING:
    from grader.model.test import Test


class CallCheck(StrEnum):
    """The results of a call that are compared: the return value, the printed text, and the variables afterwards.

    The values for exceptions allow a call to raise an exception if the reference does, with the same type or message.
    STATE compares objects by class and public attributes.
    """

    RETURN_VALUE = "return_value"
    OUTPUT = "output"
    MUTATED_VARIABLES = "mutated_variables"
    EXCEPTION_TYPE = "exception_type"
    EXCEPTION_MESSAGE = "exception_message"
    STATE = "state"


@dataclass(frozen=True)
class CardsModule:
    """The provided module with the classes for cards and decks in function tests.

    `card` takes a rank from 1 to 13 and a suit from 1 to 4 (clubs, diamonds, hearts, spades), and `deck` takes no
    arguments.
    """

    file: str
    card: str
    deck: str


@dataclass(frozen=True)
class StdinRun:
    """The program runs without a terminal.

    Its standard input is `text`; `name` is the file in the inputs/ folder, or None if the text is in the test itself.
    """

    name: str | None
    text: str


@dataclass(frozen=True)
class Dialogue:
    """The program runs in a terminal, which shows typed text if `echo` is set.

    Each of `lines` (without its newline) is typed when the program asks for input. With `stdin`, the program reads that
    text from its standard input, and the typed lines from /dev/tty.
    """

    between: ClassVar[str] = " ⏎ "
    """The sign between typed lines in a report."""

    lines: tuple[str, ...]
    echo: bool = True
    stdin: StdinRun | None = None

    def printed_text(self, text: str, /) -> str:
        """Return the part of a transcript, given without its typed text, that checks see."""
        return text


@dataclass(frozen=True)
class ReplSession:
    """Python's interactive prompt runs in a terminal in the program's folder; see `Dialogue` for the fields."""

    lines: tuple[str, ...]
    echo: bool = True


@dataclass(frozen=True, kw_only=True)
class FunctionCall:
    """A call of a function in the program, or several in a row, in a terminal; see `Dialogue` for `lines` and `echo`.

    Each of `calls` is an expression; if there are several, some may be statements. `setup` (Python statements) and
    `calls` can use the names in `variables` as well as the program's names.
    """

    calls: tuple[str, ...]
    variables: Mapping[str, Plain]
    setup: tuple[str, ...]
    checks: frozenset[CallCheck]
    cards: CardsModule | None
    lines: tuple[str, ...] = ()
    echo: bool = True

    @property
    def may_raise(self) -> bool:
        """Return whether raising an exception can be right."""
        return not self.checks.isdisjoint((CallCheck.EXCEPTION_TYPE, CallCheck.EXCEPTION_MESSAGE))


def is_statement(call: str) -> bool:
    """Return whether a call in C, C++ or Java is a statement, which has no value."""
    return call.rstrip().endswith(";")


class PluginInteraction(ABC):
    """A plugin's interaction: a frozen dataclass whose fields determine its sessions.

    `words` is its name in messages, and `not_partial` explains why it does not support partial credit. `only_python`
    explains why its program must be in Python (None: any language works). `runs_program` is true if the program itself
    is run. With `needs_reference`, an expected file is generated. With `is_game`, a course file plays the other side
    and judges, and games are never replayed. `carried` lists the modules that a bundle needs for the plugin's tests.
    Bundles only contain the tests if it is set and any course file that judges them can be handed out.
    """

    words: ClassVar[str]
    not_partial: ClassVar[str]
    only_python: ClassVar[str | None] = None
    runs_program: ClassVar[bool] = True
    needs_reference: ClassVar[bool] = True
    is_game: ClassVar[bool] = False
    carried: ClassVar[tuple[str, ...]] = ()

    @property
    def shows_typing(self) -> bool:
        """Return whether the transcript contains typed text."""
        return False

    @property
    def modules(self) -> tuple[str, ...]:
        """Return the files that the course places next to the program, in addition to the files listed by the test."""
        return ()

    @property
    def judging_file(self) -> Path | None:
        """Return the course file that judges; all files next to it are needed too."""
        return None

    @property
    def options(self) -> tuple[tuple[str, str], ...]:
        """Return the options passed to the judging file."""
        return ()

    def moved(self, _place: Callable[[Path], Path], /) -> Self:
        """Return the interaction with its judging file at a different path."""
        return self

    def without_digest(self) -> Self:
        """Return the interaction without the digest of files that are not handed out."""
        return self

    def faults(self, _test: "Test", /) -> Iterator[tuple[str, str]]:
        """Yield the keys of a test that conflict with each other, each with a message."""
        yield from ()

    @abstractmethod
    def judge(self, test: "Test", outcome: Outcome, /) -> Judgement:
        """Judge the outcome of a test."""

    @abstractmethod
    def how_to_repeat(self, test: "Test", command: str, /) -> Sentence:
        """Return a line that explains how a student can repeat a test whose program is run by `command`."""

    def expected_text(self, outcome: Outcome, /) -> str:
        """Return the content of the expected file, given the outcome of the reference."""
        return outcome.transcript

    def failed_import(self, _outcome: Outcome, /) -> str:
        """Return the statement that failed to import a missing module, if the transcript does not show it."""
        return ""


Interaction: TypeAlias = Dialogue | ReplSession | StdinRun | FunctionCall | PluginInteraction


def is_game(interaction: Interaction) -> bool:
    """Return whether a course file plays the other side."""
    return isinstance(interaction, PluginInteraction) and interaction.is_game


def typed_lines(interaction: Interaction) -> tuple[str, ...]:
    """Return the lines to type, without newlines, if they are known before the program runs."""
    match interaction:
        case Dialogue(lines=lines) | ReplSession(lines=lines) | FunctionCall(lines=lines):
            return lines
        case StdinRun() | PluginInteraction():
            return ()


def program_input(interaction: Interaction) -> str:
    """Return all input of the program as one string; empty if the input depends on the program's output."""
    match interaction:
        case StdinRun(text=text):
            return text
        case Dialogue(lines=lines, stdin=StdinRun(text=text)):
            return "".join((text, *(f"{line}\n" for line in lines)))
        case Dialogue(lines=lines) | ReplSession(lines=lines) | FunctionCall(lines=lines):
            return "".join(f"{line}\n" for line in lines)
        case PluginInteraction():
            return ""


def shows_typing(interaction: Interaction) -> bool:
    """Return whether the transcript contains typed text, because the terminal echoes it."""
    match interaction:
        case PluginInteraction():
            return interaction.shows_typing
        case Dialogue(echo=echo) | ReplSession(echo=echo) | FunctionCall(echo=echo):
            return echo
        case StdinRun():
            return False


def is_repl(interaction: Interaction) -> bool:
    """Return whether the lines are typed at Python's prompt, which continues after an exception."""
    match interaction:
        case ReplSession():
            return True
        case Dialogue() | StdinRun() | FunctionCall() | PluginInteraction():
            return False
