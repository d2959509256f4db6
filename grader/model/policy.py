"""An assignment's policies on lateness and rounding, and the penalty for late work."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from typing import ClassVar

from grader.text.sentence import say


class PenaltyForm(StrEnum):
    """How a late policy lowers marks; the value is the column heading in a report."""

    CAP = "cap"
    DEDUCTION = "late"


@dataclass(frozen=True)
class LateWork:
    """Work that earned `points` out of `full` marks and is `late` by more than zero.

    With bonus points, the mark can exceed the full mark; `highest` is the maximum for work submitted on time.
    """

    points: Decimal
    full: Decimal
    late: timedelta
    highest: Decimal

    @property
    def days(self) -> int:
        """The number of 24-hour days started: 1 for one second, 1 for exactly 24 hours, and 2 for a second more."""
        return -(-self.late // timedelta(days=1))

    @property
    def hours(self) -> int:
        """The number of hours started: 1 for one second, 1 for exactly 60 minutes, and 2 for a second more."""
        return -(-self.late // timedelta(hours=1))


@dataclass(frozen=True)
class LatePenalty:
    """The highest mark still possible, the deduction, and the steps of the calculation as sentences."""

    cap: Decimal
    deduction: Decimal
    steps: tuple[str, ...] = ()


class LatePolicy(ABC):
    """A rule for the cost of lateness.

    Subclasses are frozen dataclasses whose fields are the options in assignment.yaml, where `name` selects the policy.
    `about` describes the policy.
    """

    name: ClassVar[str]
    about: ClassVar[str]
    form: ClassVar[PenaltyForm]

    @abstractmethod
    def penalty(self, work: LateWork) -> LatePenalty:
        """Return the exact cost of lateness for `work`."""


@dataclass(frozen=True)
class LateTerms:
    """The terms that relax or limit the late policy for all students.

    Work that is late by `grace` or less counts as on time. `late_days` is the number of penalty-free late days for each
    student over all assignments, and `max_late_days` the maximum for this one (None: all of them). After `cut_off`, the
    mark is zero.
    """

    grace: timedelta = timedelta(0)
    late_days: int = 0
    max_late_days: int | None = None
    cut_off: datetime | None = None


class RoundingMode(StrEnum):
    """The direction in which a mark is rounded."""

    HALF_UP = say("half-up")
    HALF_EVEN = say("half-even")
    UP = say("up")
    DOWN = say("down")


@dataclass(frozen=True)
class Rounding:
    """The rounding of the final mark to `places` decimal places."""

    places: int
    mode: RoundingMode


@dataclass(frozen=True)
class FinalStep:
    """The last step of a calculation, which rounds the mark and limits it to `highest`.

    Without a rule, the mark stays exact. `highest` is greater than the full mark if there is a bonus; None means the
    full mark.
    """

    rounding: Rounding | None = None
    highest: Decimal | None = None
