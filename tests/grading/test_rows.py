"""What becomes of a submission's row where a person decided, or several attempts are worth the same."""

from dataclasses import replace
from datetime import timedelta

from grader.grading.student_result import best_attempt
from grader.marks.submission_mark import points_so_far
from grader.model.rule import RuleResult
from grader.reports.terminal.class_report import notes_of
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
