"""The outcome of a session: the transcript, how the program ended, and the resources it used."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from enum import StrEnum

_UNFAIR = 0.05
"""If other processes delayed a program for more than this share of its time, a timeout may not be its fault."""


class Termination(StrEnum):
    """How a session ended. STOPPED means that an interactor ended it early."""

    EXITED = "exited"
    SIGNALLED = "signalled"
    TIMED_OUT = "timed-out"
    OUTPUT_LIMIT = "output-limit"
    MEMORY_LIMIT = "memory-limit"
    KEEPS_READING = "keeps-reading"
    ASKED_AGAIN = "asked-again"
    STOPPED = "stopped"
    CANCELLED = "cancelled"


@dataclass(frozen=True)
class TypedLine:
    """A typed line; `offset` is the length of the transcript when it was typed.

    `text` does not include the line ending. End of input (Ctrl-D) is not recorded here.
    """

    offset: int
    text: str


@dataclass(frozen=True)
class RaisedException:
    """An exception raised by a call.

    `types` lists the names of its class and base classes, nearest first. Classes that are not built into Python include
    the module, such as `bank.Overdrawn`. Its traceback is the transcript from `start` to `end`.
    """

    types: tuple[str, ...]
    message: str
    start: int
    end: int


@dataclass(frozen=True)
class StepResult:
    """The value in plain form returned by a call in a function test, or the exception it raised."""

    returned: object
    raised: RaisedException | None = None


@dataclass(frozen=True)
class CallResult:
    """The result of the calls in a function test.

    `reached` is true if the program was imported, and `asked` is true if it read input during the import. The return
    values and `given` (the variables by name after the last call) are in plain form (see `grader.model.plain_values`).
    If the program did not finish the calls, `given` is None and `steps` is empty. The default values describe a session
    that ended before the calls.
    """

    reached: bool = False
    asked: bool = False
    steps: tuple[StepResult, ...] = ()
    given: Mapping[str, object] | None = None

    @property
    def returned(self) -> object:
        """The value of the last call."""
        return self.steps[-1].returned if self.steps else None


class CheckStatus(StrEnum):
    """The possible answers of a checker or interactor.

    `unknown` leaves the decision to a person and never costs marks.
    """

    PASSED = "passed"
    WRONG = "wrong"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class CheckResult:
    """The answer of a checker or interactor, its reason (a sentence for the student), and the share of the points."""

    status: CheckStatus
    reason: str
    score: Decimal | None


@dataclass(frozen=True, order=True)
class CodeLine:
    """A line in a file of the submission; lines are numbered from 1."""

    file: str
    line: int


@dataclass(frozen=True)
class TraceStep:
    """The code that ran between two outputs: `lines` in the order in which they first ran.

    `newlines` is the number of newlines then printed at once, or 0 at the end of the program.
    """

    lines: tuple[CodeLine, ...]
    newlines: int


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """The result of a session.

    `transcript` is the text that a person would have seen, including echoed input if the terminal echoes. Bytes that
    are not UTF-8 appear as lone surrogates (PEP 383), so writing it with `surrogateescape` restores the original bytes.
    `unsent` counts the input lines that were not read before the program ended. `exit_code` is only set if `ending` is
    EXITED, and `signal` only if it is SIGNALLED. Times are in seconds; `starved_seconds` is how long other processes
    delayed a program that ran out of time. `call` is for function tests, whose transcript is the text printed during
    the calls. With `in_build`, all fields describe a failed build, after which the program was not run. `errors` is the
    text on standard error if that is not part of the transcript. `reported` is the report of a plugin's interaction, in
    a form that JSON supports. `files_cut` means that files reached a limit and may have been truncated. `written` maps
    each file that the test compares to its content, or to None if the file is missing. `answer` comes from the
    interactor, and is None without an interactor or if the session ended first. `error_report` is the output of a
    sanitizer or valgrind. `trace` lists the lines that ran, if they were recorded.
    """

    transcript: str
    typed: tuple[TypedLine, ...]
    ending: Termination
    exit_code: int | None
    signal: int | None
    unsent: int
    wall_seconds: float
    cpu_seconds: float
    starved_seconds: float = 0.0
    call: CallResult | None = None
    in_build: bool = False
    errors: str = ""
    files_cut: bool = False
    written: Mapping[str, str | None] = field(default_factory=dict)
    reported: object = None
    answer: CheckResult | None = None
    error_report: str = ""
    trace: tuple[TraceStep, ...] = ()

    @property
    def is_starved(self) -> bool:
        """Return whether the program ran out of time on a machine so busy that this means little."""
        return self.ending is Termination.TIMED_OUT and self.starved_seconds >= _UNFAIR * self.wall_seconds

    def is_like(self, other: "Outcome") -> bool:
        """Return whether the outcomes are equal except for their times."""
        return replace(self, wall_seconds=other.wall_seconds, cpu_seconds=other.cpu_seconds) == other

    @property
    def executed(self) -> frozenset[CodeLine]:
        """The lines that ran, if they were recorded."""
        return frozenset(line for step in self.trace for line in step.lines)
