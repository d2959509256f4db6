"""Builds the result of a class from graded submissions and the files that people wrote about the class."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from grader.class_files.all_files import ClassFiles
from grader.grading.student_result import best_attempt, student_result
from grader.intake.choose_attempt import ClassSubmissions
from grader.model.assignment import Assignment
from grader.model.results import ClassResult, GradedSubmission, StudentResult


def result_in_class(assignment: Assignment, graded: GradedSubmission, files: ClassFiles) -> StudentResult:
    """Return a row for the submission, with everything that the files contain about its student."""
    student = graded.submission.student
    manual, overrides = files.manual_marks(student), files.overrides_of(student)
    row = student_result(assignment, graded, files.extensions.of, manual, overrides)
    return replace(row, remarks=files.comments_of(student), requests=files.requests_of(student))


def class_of(
    assignment: Assignment, submissions: ClassSubmissions, files: ClassFiles, results: Iterable[StudentResult]
) -> ClassResult:
    """Return the class, without comments on groups, and with each student's best attempt once all are graded."""
    rows: dict[str, list[StudentResult]] = {}
    for result in results:
        rows.setdefault(result.student, []).append(result)
    # After a cancellation, some attempts may be missing.
    attempts = Counter(submission.student for submission in submissions.submissions)
    complete = {student: rows[student] for student, count in attempts.items() if len(rows.get(student, ())) == count}
    return ClassResult(
        assignment=assignment,
        rows=tuple(best_attempt(attempts_of_student) for attempts_of_student in complete.values()),
        not_graded=tuple(student for student in attempts if student not in complete),
        notes=(*map(str, assignment.notes), *submissions.notes, *files.notes),
        without_effect=files.notes,
    )
