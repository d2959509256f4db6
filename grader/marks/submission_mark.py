"""The mark of a graded submission."""

from datetime import datetime

from grader.marks.late import Mark, mark_with_lateness
from grader.pipeline.results import GradedSubmission
from grader.spec.assignment import Assignment


def submission_mark(assignment: Assignment, graded: GradedSubmission, extended_due: datetime | None) -> Mark | None:
    """The mark of `graded`; None while it cannot be told.

    It cannot be told when a test must be rerun because of an internal error, when the folder could not be read, or
    when there are points but the time of the submission is not known.
    """
    submission = graded.submission
    due = extended_due or assignment.due
    if graded.needs_rerun or not submission.readable:
        return None
    if submission.submitted is None:
        return None if graded.raw else mark_with_lateness(graded.raw, assignment.marks, None, due, due)
    return mark_with_lateness(graded.raw, assignment.marks, assignment.late, submission.submitted, due)
