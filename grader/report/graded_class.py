"""What a report on a class is made of."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from grader.marks.late import Mark
from grader.marks.submission_mark import submission_mark
from grader.pipeline.results import GradedSubmission
from grader.spec.assignment import Assignment


@dataclass(frozen=True)
class Row:
    """One student: the results, the due date that holds, and the mark (None while it cannot be told)."""

    graded: GradedSubmission
    due: datetime
    mark: Mark | None

    @property
    def student(self) -> str:
        """The student's name."""
        return self.graded.submission.student


@dataclass(frozen=True)
class GradedClass:
    """A class with marks. `not_graded` names the students that an interruption left out."""

    assignment: Assignment
    rows: tuple[Row, ...]
    not_graded: tuple[str, ...]
    notes: tuple[str, ...]


def graded_row(assignment: Assignment, graded: GradedSubmission, extensions: Mapping[str, datetime]) -> Row:
    """The row of one submission under the due dates in `extensions`."""
    extended = extensions.get(graded.submission.student)
    return Row(graded, extended or assignment.due, submission_mark(assignment, graded, extended))


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
