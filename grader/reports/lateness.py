"""Describes a submission's lateness in the tables about a class."""

from grader.model.results import StudentResult
from grader.text.words import lateness_words


def lateness(row: StudentResult) -> str:
    """Return the text for a table cell: a duration, missing work, or `?` if the time or the mark is unknown."""
    submission = row.graded.submission
    if row.mark is not None and submission.submitted:
        return lateness_words(row.mark.late)
    if row.mark is None or submission.files:
        return "?"
    return "no program handed in" if submission.unused or submission.refused else "nothing handed in"
