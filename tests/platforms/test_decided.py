"""What a person decided, in exports."""

from dataclasses import replace

from grader.model.results import StudentResult
from grader.model.test import Visibility
from grader.platforms.shared.output_text import score_so_far, why_open
from grader.platforms.shared.student_view import row_for_students
from grader.reports.student_text import student_text
from tests.reports.decided_example import CLASS

ROWS = {row.student: row for row in CLASS.rows}


def test_no_mark_is_exported_for_somebody_who_is_excused() -> None:
    assert (score_so_far(ROWS["excused"]), why_open(ROWS["excused"])) == (None, "excused")
    assert score_so_far(ROWS["Dvořák, Łucja"]) == 1


def hidden(row: StudentResult) -> StudentResult:
    results = tuple(
        replace(result, test=replace(result.test, visibility=Visibility.HIDDEN)) for result in row.graded.results
    )
    return replace(row, graded=replace(row.graded, results=results))


def test_the_reason_of_a_decision_on_a_hidden_test_is_shown() -> None:
    tests = tuple(replace(test, visibility=Visibility.HIDDEN) for test in CLASS.assignment.tests)
    assignment = replace(CLASS.assignment, tests=tests)
    text = student_text(assignment, row_for_students(assignment, hidden(ROWS["verdict"])))
    assert "Decided by the lecturer" in text
    assert "small" not in text
