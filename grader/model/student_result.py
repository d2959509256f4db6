"""A student's results with points and mark, and those of a whole class."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from grader.errors import SourceLocation
from grader.model.assignment import Assignment, ManualItem, Part
from grader.model.mark import NO_EXTENSION, ManualMarks, Mark, Override, StudentExtension
from grader.model.results import GradedSubmission, TestResult
from grader.model.rule import RuleResult


@dataclass(frozen=True)
class GroupComment:
    """A comment on the group of that name, as `grader insight` gives it, and where it stands."""

    group: str
    text: str
    place: SourceLocation


@dataclass(frozen=True, kw_only=True)
class StudentResult:
    """One student: the results, the due date that holds, what was marked by hand, and the mark.

    The mark is None while it cannot be told, and for a student who is excused. `points` are those so far.
    `not_yet_marked` are the items that wait for a person, `to_confirm` the broken rules whose cost does. `granted` is
    the special consideration, `overrides` what a person decided in place of the grader; those in `unfit` are about
    another submission than this one and do not count. `comments` are on mistakes that others made too.
    """

    graded: GradedSubmission
    due: datetime
    manual: ManualMarks
    points: Decimal
    not_yet_marked: tuple[ManualItem, ...]
    to_confirm: tuple[RuleResult, ...]
    mark: Mark | None
    granted: StudentExtension = NO_EXTENSION
    overrides: tuple[Override, ...] = ()
    unfit: tuple[Override, ...] = ()
    comments: tuple[str, ...] = ()

    @property
    def student(self) -> str:
        """The student's name."""
        return self.graded.submission.student

    @property
    def name(self) -> str:
        """The student's name."""
        return self.student

    @property
    def tests(self) -> tuple[TestResult, ...]:
        """What came out of each test, in the order of the assignment."""
        return self.graded.results

    @property
    def mark_is_lost(self) -> bool:
        """Whether there is no mark, though all is marked by hand and the student is not excused."""
        return self.mark is None and not self.not_yet_marked and not self.granted.excused

    def part_points(self, part: Part) -> Decimal:
        """The points so far in one part: of tests, of rules and by hand."""
        by_hand = (self.manual.points.get(item.id, Decimal(0)) for item in part.manual)
        return sum(by_hand, self.graded.part_points(part.id))

    def waits(self, part: Part) -> bool:
        """Whether an item of the part is not yet marked."""
        return any(item in self.not_yet_marked for item in part.manual)


@dataclass(frozen=True, kw_only=True)
class ClassResult:
    """A class with marks. `not_graded` names the students that an interruption left out.

    `comments` are those on mistakes that students make; each is in the rows of its students, too.
    """

    assignment: Assignment
    rows: tuple[StudentResult, ...]
    not_graded: tuple[str, ...]
    notes: tuple[str, ...]
    comments: tuple[GroupComment, ...] = ()

    @property
    def students(self) -> tuple[StudentResult, ...]:
        """The students that were graded."""
        return self.rows
