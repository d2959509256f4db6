"""The outcome of one session: the transcript, how the program ended, and what it used."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum

_UNFAIR = 0.05
"""A program that others made wait for this part of its time may have run out of time through no fault of its own."""


class Termination(StrEnum):
    """How a session came to its end. STOPPED: an interactor had seen enough."""

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
    """A line that was typed: `offset` is the length of the transcript at the moment of typing.

    `text` has no line end. End of input (Ctrl-D) is not recorded here.
    """

    offset: int
    text: str


@dataclass(frozen=True)
class RaisedException:
    """An exception that a call raised.

    `types` are the names of its class and of those that this is derived from, the nearest first; one that is not
    built into Python stands with its module, such as `bank.Overdrawn`. Its traceback is the transcript from `start` to
    `end`.
    """

    types: tuple[str, ...]
    message: str
    start: int
    end: int


@dataclass(frozen=True)
class StepResult:
    """What one of the calls in a function test returned, in plain form, or the exception that it raised."""

    returned: object
    raised: RaisedException | None = None


@dataclass(frozen=True)
class CallResult:
    """What came of the calls in a function test.

    `reached` says whether the program was imported, `asked` whether it read input meanwhile. What was returned and
    `given` (by name, after the last call) are in plain form (see `grader.model.plain_values`); `given` is None when the
    program did not come to the end of the calls, and then `steps` are none. By default, the session ended before it.
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
    """What a checker or an interactor can find. `unknown` asks a person to decide; it never costs a student a mark."""

    PASSED = "passed"
    WRONG = "wrong"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class CheckResult:
    """What a checker or an interactor found, why (a sentence for the student), and the share of the points."""

    status: CheckStatus
    reason: str
    score: Decimal | None


class TrialEnd(StrEnum):
    """What came of a student's tests with one program: all passed, or what went wrong first."""

    PASSED = "passed"
    FAILED = "failed"
    IMPORT = "import"
    NEEDS_PYTEST = "needs-pytest"
    NO_TESTS = "no-tests"
    ENDED = "ended"
    ENDLESS = "endless"


@dataclass(frozen=True, kw_only=True)
class TrialResult:
    """What a student's tests found of one program, the one at the place `number` of `OwnTests.programs`.

    The file defines so many `tests`. The one that failed first is called `test`, and `error` is the class of its
    exception; `line` (None if unknown) and `code` are of the tests. What the file does not define is left out.
    """

    number: int
    end: TrialEnd
    tests: int
    test: str
    line: int | None
    code: str
    error: str


@dataclass(frozen=True, order=True)
class CodeLine:
    """A line of a file of the submission, from 1."""

    file: str
    line: int


@dataclass(frozen=True)
class TraceStep:
    """What ran between two outputs: `lines` as they first ran. Then so many `newlines` were printed at once.

    There are none at the end of the program.
    """

    lines: tuple[CodeLine, ...]
    newlines: int


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """The result of one session.

    `transcript` is what a person would have seen, echo included when the terminal echoes. Bytes that
    are not UTF-8 stand as lone surrogates (PEP 383), so writing it with `surrogateescape` gives back
    the very bytes. `unsent` counts the input lines the program ended without asking for. `exit_code` is set
    only when `ending` is EXITED, `signal` only when SIGNALLED. Times are in seconds; `starved_seconds` is how long a
    program that ran out of time was made to wait by others. `call` is for function tests, whose transcript
    is what was printed during the call. With `in_build`, all this tells of the build of the program, which failed, so
    the program was not run. `errors` is what was printed on standard error where that is not part of the
    transcript. `trials` are the results of a student's own tests, one for each program that was tried. `files_cut` says
    that files reached a limit, so what was written to them may be cut.
    `written` has what is in each file that the test compares, None for one that is not there. `answer` is what an
    interactor found, None where none played or the session ended before it could tell. `error_report` is what a
    sanitizer or valgrind wrote. `trace` has the lines that ran, where they were recorded.
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
    trials: tuple[TrialResult, ...] = ()
    answer: CheckResult | None = None
    error_report: str = ""
    trace: tuple[TraceStep, ...] = ()

    @property
    def is_starved(self) -> bool:
        """Return whether it ran out of time on a machine that was too busy for that to mean much."""
        return self.ending is Termination.TIMED_OUT and self.starved_seconds >= _UNFAIR * self.wall_seconds

    @property
    def executed(self) -> frozenset[CodeLine]:
        """The lines that ran, where they were recorded."""
        return frozenset(line for step in self.trace for line in step.lines)
