"""The mark of a submission, and a person's decisions about it: overrides, extensions, marks by hand."""

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
    """The reason for a decision and its author. With `submission`, it applies only to digests with that prefix."""

    reason: str
    by: str
    submission: str | None = None

    @property
    def sentence(self) -> Sentence:
        """The decision as every report words it, without control characters."""
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
    """A verdict that replaces the one on a test. `score` is the share of its points; None leaves it to the verdict."""

    test: str
    verdict: Verdict
    score: Decimal | None
    decision: InstructorDecision


Override: TypeAlias = MarkOverride | VerdictOverride


@dataclass(frozen=True, kw_only=True)
class StudentExtension:
    """The special terms for one student.

    `due` replaces the assignment's due date (None: it does not). `late_days` is the number in the student's bank
    before this assignment (None: as many as the assignment gives everybody), `extra_late_days` are added. `waived`:
    lateness costs nothing. `excused`: no mark counts. `reason` is for the instructor alone.
    """

    due: datetime | None = None
    late_days: int | None = None
    extra_late_days: int = 0
    waived: bool = False
    excused: bool = False
    reason: str = ""


@dataclass(frozen=True)
class ClassExtensions:
    """Extensions by student, and notes on students who have no submission."""

    of: Mapping[str, StudentExtension]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Mark:
    """A mark and how it was computed.

    `late` is the real time after the due date (zero when on time). `late_days` and `late_hours` are the started days
    and hours that count, after the grace period and late days from the bank; `bank_used` is how many late days this
    assignment took and `bank_left` how many remain. `cap` is the highest mark still possible, `deduction` the penalty
    for lateness, `unrounded` the exact mark, `adjusted` the final mark. `override` is a person's mark that replaces it.
    `steps` explain the calculation in plain sentences, from the points to the mark.
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
    """A person's marks for one submission: points by item, and rules whose cost is confirmed or waived."""

    points: Mapping[str, Decimal] = field(default_factory=dict)
    confirmed: frozenset[str] = frozenset()
    waived: frozenset[str] = frozenset()

    def unmarked(self, assignment: Assignment) -> tuple[ManualItem, ...]:
        """Return the items that are not marked yet."""
        return tuple(item for item in assignment.manual if item.id not in self.points)


@dataclass(frozen=True)
class MarkedByHand:
    """Manual marks by student, and notes on students who have no submission."""

    marks: Mapping[str, ManualMarks]
    notes: tuple[str, ...] = ()
