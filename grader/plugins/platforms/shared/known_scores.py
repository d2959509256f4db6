"""Scores for platforms that only receive rows with a score."""

from decimal import Decimal

from grader.model.assignment import Assignment
from grader.model.results import StudentResult
from grader.platforms.scores import score_so_far


def known_score(assignment: Assignment, row: StudentResult) -> Decimal:
    """Return the score of a row that has one; otherwise raise ValueError."""
    score = score_so_far(assignment, row)
    if score is None:
        raise ValueError(f"{row.student} has no score")
    return score
