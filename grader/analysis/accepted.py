"""The submissions of a class that pass all tests."""

from grader.model.judgement import Verdict
from grader.model.results import ClassResult, GradedSubmission


def accepted_submissions(graded: ClassResult) -> list[tuple[GradedSubmission, tuple[str, ...]]]:
    """The submissions that pass all tests by themselves, and whose they are: what is the same stands there once."""
    students: dict[str, list[GradedSubmission]] = {}
    for row in graded.rows:
        if all(result.verdict is Verdict.PASSED and result.overruled is None for result in row.graded.results):
            students.setdefault(row.graded.digest, []).append(row.graded)
    return [(same[0], tuple(one.submission.student for one in same)) for same in students.values()]
