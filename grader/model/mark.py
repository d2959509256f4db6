"""The mark of a submission, and people's decisions about it: overrides, extensions and manual marks."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from typing import TypeAlias

from grader.model.assignment import Assignment, ManualItem
from grader.model.judgement import Verdict
from grader.text.escape import escape_controls
from grader.text.sentence import Sentence, say


@dataclass(frozen=True)
class InstructorDecision:
    """The reason for a decision, and its author. With `submission`, it only applies to digests with that prefix."""

    reason: str
    by: str
    submission: str | None = None

    @property
    def sentence(self) -> Sentence:
        """The decision as worded in every report, without control characters."""
        return say("Decided by {by}: {reason}", by=escape_controls(self.by), reason=escape_controls(self.reason))

    def fits(self, digest: str) -> bool:
        """Return whether the decision applies to the submission with this digest."""
        return self.submission is None or digest.startswith(self.submission)


@dataclass(frozen=True)
class MarkOverride:
    """A mark that replaces the one computed from points and lateness."""

    mark: Decimal
    decision: InstructorDecision


@dataclass(frozen=True)
class VerdictOverride:
    """A verdict that replaces the verdict on a test.

    `score` is the share of its points; None leaves it to the verdict.
    """

    test: str
    verdict: Verdict
    score: Decimal | None
    decision: InstructorDecision


Override: TypeAlias = MarkOverride | VerdictOverride


@dataclass(frozen=True, kw_only=True)
class StudentExtension:
    """The special terms for one student.

    `due` replaces the assignment's due date, unless it is None. `late_days` is the number of days in the student's bank
    before this assignment (None: the number that the assignment gives everyone), and `extra_late_days` are added.
    `waived` means that lateness costs nothing. `excused` means that no mark counts. `reason` is only for the
    instructor.
    """

    due: datetime | None = None
    late_days: int | None = None
    extra_late_days: int = 0
    waived: bool = False
    excused: bool = False
    reason: str = ""


@dataclass(frozen=True)
class ClassExtensions:
    """Extensions by student, and notes about students without a submission."""

    of: Mapping[str, StudentExtension]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Mark:
    """A mark and how it was calculated.

    `late` is the real time after the due date (zero if on time). `late_days` and `late_hours` are the started days and
    hours that count, after subtracting the grace period and banked late days. `bank_used` is the number of late days
    used for this assignment, and `bank_left` the number that remain. `cap` is the highest mark still possible,
    `deduction` the penalty for lateness, `unrounded` the exact mark, and `adjusted` the final mark. `override` is a
    mark from a person that replaces it. `steps` explain the calculation in plain sentences, from the points to the
    mark.
    """

    raw: Decimal
    late: timedelta
    late_days: int
    late_hours: int
    cap: Decimal
    deduction: Decimal
    unrounded: Decimal
    adjusted: Decimal
    bank_used: int = 0
    bank_left: int = 0
    override: MarkOverride | None = None
    steps: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return the mark without trailing zeros, such as `8.5`."""
        return f"{self.adjusted.normalize() + 0:f}"


@dataclass(frozen=True)
class ManualMarks:
    """A person's marks for a submission: points by item, and rules whose penalty is confirmed or waived."""

    points: Mapping[str, Decimal] = field(default_factory=dict)
    confirmed: frozenset[str] = frozenset()
    waived: frozenset[str] = frozenset()

    def unmarked(self, assignment: Assignment) -> tuple[ManualItem, ...]:
        """Return the items that are not marked yet."""
        return tuple(item for item in assignment.manual if item.id not in self.points)


@dataclass(frozen=True)
class MarkedByHand:
    """Manual marks by student, and notes about students without a submission."""

    marks: Mapping[str, ManualMarks]
    notes: tuple[str, ...] = ()
