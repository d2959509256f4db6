"""The policies of an assignment on lateness and rounding, and the penalty for late work."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from typing import ClassVar

from grader.text.sentence import say


class PenaltyForm(StrEnum):
    """The form in which a late policy lowers marks; the value is the heading of the column in a report."""

    CAP = "cap"
    DEDUCTION = "late"


@dataclass(frozen=True)
class LateWork:
    """Work that earned `points` of the `full` mark and counts as `late` by more than zero.

    With bonus points the mark may exceed the full mark; `highest` is the most that is possible on time.
    """

    points: Decimal
    full: Decimal
    late: timedelta
    highest: Decimal

    @property
    def days(self) -> int:
        """The number of 24-hour days begun: one second late is one day, 24 hours are one, a second more is two."""
        return -(-self.late // timedelta(days=1))

    @property
    def hours(self) -> int:
        """The number of hours begun: one second late is one hour, 60 minutes are one, a second more is two."""
        return -(-self.late // timedelta(hours=1))


@dataclass(frozen=True)
class LatePenalty:
    """The highest mark that is still possible, the deduction, and the steps of the calculation, a sentence each."""

    cap: Decimal
    deduction: Decimal
    steps: tuple[str, ...] = ()


class LatePolicy(ABC):
    """The cost of lateness. Its classes are frozen dataclasses whose fields are the options in assignment.yaml.

    `name` is its name there. `about` describes the policy.
    """

    name: ClassVar[str]
    about: ClassVar[str]
    form: ClassVar[PenaltyForm]

    @abstractmethod
    def penalty(self, work: LateWork) -> LatePenalty:
        """Return the exact cost of the lateness of `work`."""


@dataclass(frozen=True)
class LateTerms:
    """The terms that soften or limit the late policy for all students.

    Work that is late by no more than `grace` counts as on time. `late_days` is how many days late each student may be
    without penalty over all assignments, `max_late_days` how many of them on this one (None: all). After `cut_off`
    the mark is zero.
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
    """The rounding of the mark at the very end: to `places` decimal places."""

    places: int
    mode: RoundingMode


@dataclass(frozen=True)
class FinalStep:
    """The end of a calculation: the mark is rounded (left exact without a rule) and limited to `highest`.

    `highest` exceeds the full mark where there is a bonus; None means the full mark.
    """

    rounding: Rounding | None = None
    highest: Decimal | None = None
