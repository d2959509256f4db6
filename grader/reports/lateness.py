"""Describes a submission's lateness in the tables about a class."""

from grader.marks.lateness import lateness as lateness_of
from grader.model.results import StudentResult
from grader.text.words import lateness_words


def lateness(row: StudentResult) -> str:
    """Return the text for a table cell: a duration, missing work, or `?` if it is unknown."""
    submission = row.graded.submission
    if submission.submitted and not row.granted.excused:
        return lateness_words(lateness_of(submission.submitted, row.due))
    if row.mark is None or submission.files:
        return "?"
    return "no program handed in" if submission.unused or submission.refused else "nothing handed in"
