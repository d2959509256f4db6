"""What becomes of a submission's row where a person decided, or several attempts are worth the same, and of a class."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from grader.api.request import GradeOptions
from grader.class_files.all_files import read_class_files
from grader.grading.class_result import class_of
from grader.grading.student_result import best_attempt
from grader.intake.choose_attempt import ClassSubmissions
from grader.marks.submission_mark import points_so_far
from grader.model.results import StudentResult
from grader.model.rule import RuleResult
from grader.reports.student_notes import notes_of
from tests.reports import graded_example, rubric_example


def test_of_equal_attempts_the_one_counts_that_uses_no_late_days() -> None:
    early, late, last = (graded_example.row("ann", graded_example.EXPECTED, late=timedelta(0)) for _ in range(3))
    assert late.mark is not None
    rows = [
        replace(one, graded=replace(one.graded, submission=replace(one.graded.submission, attempt=number)))
        for number, one in enumerate((early, last, replace(late, mark=replace(late.mark, bank_used=1))), 1)
    ]
    assert best_attempt(rows).graded.submission.attempt == 2


def test_a_rule_that_is_confirmed_and_kept_is_noted() -> None:
    row = rubric_example.CLASS.rows[0]
    [broken, *others] = row.graded.rules
    kept = replace(row, graded=replace(row.graded, rules=(RuleResult(broken.rule, ()), *others)))
    note = f"{broken.rule.id} is confirmed, but kept: it costs nothing"
    assert note in notes_of(kept, rubric_example.CLASS)
    assert note not in notes_of(row, rubric_example.CLASS)
    points = [points_so_far(rubric_example.ASSIGNMENT, one.graded, one.manual) for one in (kept, row)]
    assert points[0] == points[1] + broken.rule.deduct > broken.rule.deduct > 0


class CountingName(str):
    """A name that counts how often any of its kind is compared with another one."""

    __slots__ = ()
    __hash__ = str.__hash__
    compared = 0

    def __eq__(self, other: object) -> bool:
        CountingName.compared += 1
        return str.__eq__(self, other)


def test_in_a_large_class_each_student_is_compared_with_few(tmp_path: Path) -> None:
    [example, *_] = graded_example.CLASS.rows

    def row_of(number: int) -> StudentResult:
        submission = replace(example.graded.submission, student=CountingName(f"s{number}"))
        return replace(example, graded=replace(example.graded, submission=submission))

    rows = [row_of(number) for number in range(1000)]
    submissions = ClassSubmissions(tuple(row_of(number).graded.submission for number in range(1000)), ())
    files = read_class_files(GradeOptions(), tmp_path, graded_example.ASSIGNMENT, [])
    found = class_of(graded_example.ASSIGNMENT, submissions, files, rows[10:])
    assert (found.rows, found.not_graded) == (tuple(rows[10:]), tuple(f"s{number}" for number in range(10)))
    assert CountingName.compared < 10_000
