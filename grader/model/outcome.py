"""The outcome of one session: the transcript, how the program ended, and what it used."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from enum import StrEnum

_UNFAIR = 0.05
"""If other processes delayed a program for this share of its time, a timeout may not be its fault."""


class Termination(StrEnum):
    """The way that a session ended. STOPPED: an interactor ended it early."""

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
    """A typed line: `offset` is the length of the transcript at the moment of typing.

    `text` has no line end. End of input (Ctrl-D) is not recorded here.
    """

    offset: int
    text: str


@dataclass(frozen=True)
class RaisedException:
    """An exception that a call raised.

    `types` lists the names of its class and the base classes, the nearest first; a class that is not built into
    Python is listed with its module, such as `bank.Overdrawn`. Its traceback is the transcript from `start` to `end`.
    """

    types: tuple[str, ...]
    message: str
    start: int
    end: int


@dataclass(frozen=True)
class StepResult:
    """The value that one call in a function test returned, in plain form, or the exception that it raised."""

    returned: object
    raised: RaisedException | None = None


@dataclass(frozen=True)
class CallResult:
    """The result of the calls in a function test.

    `reached` says whether the program was imported, `asked` whether it read input meanwhile. The returned values and
    `given` (the variables by name, after the last call) are in plain form (see `grader.model.plain_values`). When the
    program did not finish the calls, `given` is None and `steps` is empty. By default, the session ended before that.
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
    """The possible answers of a checker or an interactor. `unknown` leaves it to a person and never costs a mark."""

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
    """A line in a file of the submission; lines count from 1."""

    file: str
    line: int


@dataclass(frozen=True)
class TraceStep:
    """The code that ran between two outputs: `lines` in the order in which they first ran.

    `newlines` is how many newlines were then printed at once, 0 at the end of the program.
    """

    lines: tuple[CodeLine, ...]
    newlines: int


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """The result of one session.

    `transcript` is the text that a person would have seen, echo included when the terminal echoes. Bytes that
    are not UTF-8 appear as lone surrogates (PEP 383), so writing it with `surrogateescape` restores
    the original bytes. `unsent` counts the input lines that the program ended without asking for. `exit_code` is set
    only when `ending` is EXITED, `signal` only when SIGNALLED. Times are in seconds; `starved_seconds` is how long
    other processes delayed a program that ran out of time. `call` is for function tests, whose transcript
    is the text printed during the call. With `in_build`, all fields describe the build of the program, which failed, so
    the program was not run. `errors` is the text printed on standard error where that is not part of the
    transcript. `reported` is what the interaction of a plugin reports, in a form that JSON can carry. `files_cut` says
    that files reached a limit and may have been truncated.
    `written` maps each file that the test compares to its content, or to None if the file is missing. `answer` comes
    from the interactor, None without an interactor or if the session ended before it answered. `error_report` is the
    output of a sanitizer or valgrind. `trace` has the lines that ran, where they were recorded.
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
        """Return whether the program ran out of time on a machine too busy for that to mean much."""
        return self.ending is Termination.TIMED_OUT and self.starved_seconds >= _UNFAIR * self.wall_seconds

    def is_like(self, other: "Outcome") -> bool:
        """Return whether the outcomes differ in their times alone."""
        return replace(self, wall_seconds=other.wall_seconds, cpu_seconds=other.cpu_seconds) == other

    @property
    def executed(self) -> frozenset[CodeLine]:
        """The lines that ran, where they were recorded."""
        return frozenset(line for step in self.trace for line in step.lines)
