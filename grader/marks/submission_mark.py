"""The mark of a graded submission."""

from datetime import datetime
from decimal import Decimal

from grader.intake.manual_marks import NOT_MARKED, ManualMarks
from grader.marks.late import Mark, mark_with_lateness
from grader.pipeline.results import GradedSubmission
from grader.rules.finding import RuleResult
from grader.spec.assignment import Assignment, ManualItem


def submission_mark(
    assignment: Assignment,
    graded: GradedSubmission,
    extended_due: datetime | None,
    manual: ManualMarks = NOT_MARKED,
) -> Mark | None:
    """The mark of `graded`; None while it cannot be told.

    It cannot be told when a test must be rerun because of an internal error, when the folder could not be read, while
    an item is not yet marked, or when there are points but the time of the submission is not known.
    """
    submission = graded.submission
    due = extended_due or assignment.due
    if graded.needs_rerun or not submission.readable or not_yet_marked(assignment, graded, manual):
        return None
    raw = points_so_far(assignment, graded, manual)
    if submission.submitted is None:
        return None if raw else mark_with_lateness(raw, assignment.marks, None, due, due)
    return mark_with_lateness(raw, assignment.marks, assignment.late, submission.submitted, due)


def points_so_far(assignment: Assignment, graded: GradedSubmission, manual: ManualMarks) -> Decimal:
    """The points of tests, rules and marked items, less what confirmed rules cost; never below zero."""
    confirmed = [rule for rule in assignment.rules if rule.id in manual.confirmed]
    if any(rule.zero for rule in confirmed):
        return Decimal(0)
    earned = graded.raw + sum(manual.points.values(), Decimal(0))
    return max(earned - sum((rule.deduct for rule in confirmed), Decimal(0)), Decimal(0))


def not_yet_marked(assignment: Assignment, graded: GradedSubmission, manual: ManualMarks) -> tuple[ManualItem, ...]:
    """The items that somebody has still to mark; none when nothing was handed in."""
    return manual.unmarked(assignment) if graded.submission.files else ()


def to_confirm(graded: GradedSubmission, manual: ManualMarks) -> tuple[RuleResult, ...]:
    """The broken rules whose cost the instructor has neither confirmed nor waived."""
    decided = manual.confirmed | manual.waived
    return tuple(
        result for result in graded.rules if result.rule.asks and result.findings and result.rule.id not in decided
    )
