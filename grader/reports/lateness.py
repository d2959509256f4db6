"""Words for the lateness of a submission in the tables of a class."""

from grader.model.results import StudentResult
from grader.text.words import lateness_words


def lateness(row: StudentResult) -> str:
    """Return the words for a cell: a duration, missing work, or `?` if the time or the mark is unknown."""
    submission = row.graded.submission
    if row.mark is not None and submission.submitted:
        return lateness_words(row.mark.late)
    if row.mark is None or submission.files:
        return "?"
    return "no program handed in" if submission.unused or submission.refused else "nothing handed in"
