"""Which of a student's attempts counts where the best one does."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from grader.report.graded_class import Row


def best_attempt(rows: Sequence[Row]) -> Row:
    """The attempt with the highest mark, or points while there are no marks; of equal ones the last.

    An attempt whose mark cannot be told might be the best, and so goes first until somebody has looked.
    """
    best = max(rows, key=_merit)
    if len(rows) == 1:
        return best
    submission = best.graded.submission
    notes = (f"of {len(rows)} attempts, {submission.source} counts as the best", *submission.notes)
    return replace(best, graded=replace(best.graded, submission=replace(submission, notes=notes)))


def _merit(row: Row) -> tuple[bool, Decimal, int]:
    return row.mark_is_lost, row.mark.adjusted if row.mark else row.points, row.graded.submission.attempt
