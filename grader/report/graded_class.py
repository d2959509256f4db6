"""What a report on a class is made of."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from grader.intake.manual_marks import NOT_MARKED, ManualMarks
from grader.marks.late import Mark
from grader.marks.submission_mark import not_yet_marked, points_so_far, submission_mark, to_confirm
from grader.pipeline.results import GradedSubmission
from grader.rules.finding import RuleResult
from grader.spec.assignment import Assignment, ManualItem, Part


@dataclass(frozen=True)
class Row:
    """One student: the results, the due date that holds, what was marked by hand, and the mark.

    The mark is None while it cannot be told. `points` are those so far. `not_yet_marked` are the items that wait for a
    person, `to_confirm` the broken rules whose cost does.
    """

    graded: GradedSubmission
    due: datetime
    manual: ManualMarks
    points: Decimal
    not_yet_marked: tuple[ManualItem, ...]
    to_confirm: tuple[RuleResult, ...]
    mark: Mark | None

    @property
    def student(self) -> str:
        """The student's name."""
        return self.graded.submission.student

    def part_points(self, part: Part) -> Decimal:
        """The points so far in one part: of tests, of rules and by hand."""
        by_hand = (self.manual.points.get(item.id, Decimal(0)) for item in part.manual)
        return sum(by_hand, self.graded.part_points(part.id))

    def waits(self, part: Part) -> bool:
        """Whether an item of the part is not yet marked."""
        return any(item in self.not_yet_marked for item in part.manual)


@dataclass(frozen=True)
class GradedClass:
    """A class with marks. `not_graded` names the students that an interruption left out."""

    assignment: Assignment
    rows: tuple[Row, ...]
    not_graded: tuple[str, ...]
    notes: tuple[str, ...]


def graded_row(
    assignment: Assignment,
    graded: GradedSubmission,
    extensions: Mapping[str, datetime],
    manual: ManualMarks = NOT_MARKED,
) -> Row:
    """The row of one submission under the due dates in `extensions` and with what was marked by hand."""
    extended = extensions.get(graded.submission.student)
    return Row(
        graded=graded,
        due=extended or assignment.due,
        manual=manual,
        points=points_so_far(assignment, graded, manual),
        not_yet_marked=not_yet_marked(assignment, graded, manual),
        to_confirm=to_confirm(graded, manual),
        mark=submission_mark(assignment, graded, extended, manual),
    )


def checked_class(assignment: Assignment, graded: GradedSubmission) -> GradedClass:
    """A self-check as a class of one: without hidden tests and what a person marks, there is no mark."""
    row = Row(graded, assignment.due, NOT_MARKED, graded.raw, (), (), None)
    return GradedClass(assignment, (row,), (), graded.submission.notes)


def lateness_words(late: timedelta) -> str:
    """`in time`, `20 min late`, `1 d 3 h late`, rounded down to the minute; seconds below one minute."""
    if not late:
        return "in time"
    minutes, seconds = divmod(int(late.total_seconds()), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    units = [(days, "d"), (hours, "h"), (minutes, "min")]
    said = " ".join(f"{count} {unit}" for count, unit in units if count)
    return f"{said or f'{seconds} s'} late"
