"""How late a submission is, as tables of a class say it."""

from grader.model.results import StudentResult
from grader.text.words import lateness_words


def lateness(row: StudentResult) -> str:
    """Return the words for a cell: a duration, what was not handed in, or `?` where the time or the mark is unknown."""
    submission = row.graded.submission
    if row.mark is not None and submission.submitted:
        return lateness_words(row.mark.late)
    if row.mark is None or submission.files:
        return "?"
    return "no program handed in" if submission.unused or submission.refused else "nothing handed in"
