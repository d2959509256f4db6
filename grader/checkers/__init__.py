"""The protocol of checkers: functions that judge answers if many are right (docs/reference/checker-protocol.md).

A checker is a function `check(input, expected, actual)` that returns one of `passed()`, `wrong(reason)` and
`unknown(reason)`. `expected` is the output of the reference, and `actual` is the output of the student's program.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from grader.model.outcome import CheckResult as CheckResult
from grader.model.outcome import CheckStatus as CheckStatus

ScoreShare = Decimal | float | str | None
"""A share of the points, from 0 to 1; None leaves the points to the verdict."""


@dataclass(frozen=True)
class ActualOutput:
    """The results of the student's program, which ended on its own without an uncaught exception."""

    stdout: str
    stderr: str
    exit_status: int


@dataclass(frozen=True)
class RaisedError:
    """An exception that a call raised: the name of its class and its message."""

    type: str
    message: str


@dataclass(frozen=True)
class CallStep:
    """A call in a test, and the value it returned or the error it raised."""

    call: str
    returned: object
    raised: RaisedError | None


@dataclass(frozen=True, kw_only=True)
class ActualCall(ActualOutput):
    """The results of a test that calls functions.

    Each call either returned or raised an error where the reference does too. `given` holds the variables of the test
    by name, `variables` their values after the call, and `expected_returned` and `expected_variables` the reference's
    results. `expression` and `returned` belong to the last call; `calls` and `expected_calls` list all calls. A checker
    gets Python values, in which a `Card`, `Deck`, `Instance` or `OtherValue` represents an object. The grader itself
    uses plain values; see `grader.model.plain_values`.
    """

    expression: str
    given: Mapping[str, object]
    returned: object
    variables: Mapping[str, object]
    expected_returned: object
    expected_variables: Mapping[str, object]
    calls: tuple[CallStep, ...] = ()
    expected_calls: tuple[CallStep, ...] = ()


@dataclass(frozen=True)
class Card:
    """A playing card, such as `10♠` or `3♥ face down`; `XX` is a blank one."""

    name: str


@dataclass(frozen=True)
class Deck:
    """The cards of a deck, starting with the top card."""

    cards: tuple[object, ...]


@dataclass(frozen=True)
class Instance:
    """An object of one of the program's classes, with its public attributes, if a test has `state` in `checks`."""

    type: str
    attributes: Mapping[str, object]


@dataclass(frozen=True)
class OtherValue:
    """A value of any other kind, as a description."""

    words: str


def passed(reason: str = "", score: ScoreShare = None) -> CheckResult:
    """Answer that the output is right; `score` may still be less than the full points, with a reason."""
    return CheckResult(CheckStatus.PASSED, reason, share_of_points(score))


def wrong(reason: str, score: ScoreShare = None) -> CheckResult:
    """Answer that the output is wrong for the given reason; `score` may still award a share of the points."""
    return CheckResult(CheckStatus.WRONG, reason, share_of_points(score))


def unknown(reason: str) -> CheckResult:
    """Leave the decision to a person."""
    return CheckResult(CheckStatus.UNKNOWN, reason, score=None)


def share_of_points(score: ScoreShare) -> Decimal | None:
    """Return the score rounded to four places. Raises ValueError if it is not a number from 0 to 1."""
    if score is None:
        return None
    with suppress(InvalidOperation):
        share = Decimal(str(score))
        if 0 <= share <= 1:
            return round(share, 4)
    raise ValueError(f"a score is a share from 0 to 1, not {score}")
