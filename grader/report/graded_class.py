"""What a report on a class is made of."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from grader.intake.comments import Comment
from grader.intake.extensions import NO_CONSIDERATION, Consideration
from grader.intake.manual_marks import NOT_MARKED, ManualMarks
from grader.marks.decided import with_verdicts
from grader.marks.exact import exact
from grader.marks.late import Mark
from grader.marks.override import MarkOverride, Override, VerdictOverride
from grader.marks.submission_mark import not_yet_marked, points_so_far, submission_mark, to_confirm
from grader.marks.words import lateness_words as lateness_words
from grader.pipeline.results import GradedSubmission
from grader.rules.finding import RuleResult
from grader.spec.assignment import Assignment, ManualItem, Part


@dataclass(frozen=True)
class Row:
    """One student: the results, the due date that holds, what was marked by hand, and the mark.

    The mark is None while it cannot be told, and for somebody who is excused. `points` are those so far.
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
    granted: Consideration = NO_CONSIDERATION
    overrides: tuple[Override, ...] = ()
    unfit: tuple[Override, ...] = ()
    comments: tuple[str, ...] = ()

    @property
    def student(self) -> str:
        """The student's name."""
        return self.graded.submission.student

    @property
    def mark_is_lost(self) -> bool:
        """Whether there is no mark for another reason than that somebody has still to mark or is excused."""
        return self.mark is None and not self.not_yet_marked and not self.granted.excused

    def part_points(self, part: Part) -> Decimal:
        """The points so far in one part: of tests, of rules and by hand."""
        by_hand = (self.manual.points.get(item.id, Decimal(0)) for item in part.manual)
        return sum(by_hand, self.graded.part_points(part.id))

    def waits(self, part: Part) -> bool:
        """Whether an item of the part is not yet marked."""
        return any(item in self.not_yet_marked for item in part.manual)


@dataclass(frozen=True)
class GradedClass:
    """A class with marks. `not_graded` names the students that an interruption left out.

    `comments` are those on mistakes that somebody makes; each is in the rows of its students, too.
    """

    assignment: Assignment
    rows: tuple[Row, ...]
    not_graded: tuple[str, ...]
    notes: tuple[str, ...]
    comments: tuple[Comment, ...] = ()


def graded_row(
    assignment: Assignment,
    graded: GradedSubmission,
    extensions: Mapping[str, Consideration],
    manual: ManualMarks = NOT_MARKED,
    overrides: Sequence[Override] = (),
) -> Row:
    """The row of one submission under the `extensions`, with what was marked by hand and decided."""
    granted = extensions.get(graded.submission.student, NO_CONSIDERATION)
    fitting = tuple(override for override in overrides if override.decision.fits(graded.digest))
    graded = with_verdicts(graded, fitting)
    decided = next((override for override in fitting if isinstance(override, MarkOverride)), None)
    return Row(
        graded=graded,
        due=granted.due or assignment.due,
        manual=manual,
        points=points_so_far(assignment, graded, manual),
        not_yet_marked=not_yet_marked(assignment, graded, manual),
        to_confirm=to_confirm(graded, manual),
        mark=submission_mark(assignment, graded, granted, manual, decided),
        granted=granted,
        overrides=fitting,
        unfit=tuple(override for override in overrides if override not in fitting),
    )


def checked_class(assignment: Assignment, graded: GradedSubmission) -> GradedClass:
    """A self-check as a class of one: without hidden tests and what a person marks, there is no mark."""
    row = Row(graded, assignment.due, NOT_MARKED, graded.raw, (), (), None)
    return GradedClass(assignment, (row,), (), graded.submission.notes)


def override_words(override: Override) -> str:
    """What was decided, by whom and why."""
    if isinstance(override, VerdictOverride):
        share = "" if override.score is None else f" with {exact(override.score * 100)} % of the points"
        what = f"test {override.test}: {override.verdict}{share}"
    else:
        what = f"mark {exact(override.mark)}"
    return f"{what}. {override.decision.sentence}"


def unfit_words(override: Override, digest: str) -> str:
    """An override that does not count, and why."""
    return (
        f"not applied, because it is about the submission {override.decision.submission} and this one is "
        f"{digest[:16]}: {override_words(override)}"
    )
