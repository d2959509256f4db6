"""The submissions of a class that pass all tests."""

from grader.model.results import ClassResult, GradedSubmission


def accepted_submissions(graded: ClassResult) -> list[tuple[GradedSubmission, tuple[str, ...]]]:
    """The submissions that pass all tests by themselves, and whose they are: what is the same stands there once."""
    students: dict[str, list[GradedSubmission]] = {}
    for row in graded.rows:
        if row.graded.passes_all_tests:
            students.setdefault(row.graded.digest, []).append(row.graded)
    return [(same[0], tuple(one.submission.student for one in same)) for same in students.values()]
