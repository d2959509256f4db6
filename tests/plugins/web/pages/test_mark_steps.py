from dataclasses import replace
from datetime import timedelta

from grader.grading.student_result import student_result
from grader.model.assignment import Assignment
from grader.model.mark import StudentExtension
from grader.model.results import StudentResult
from grader.plugins.web.pages.student_page import mark_steps
from tests.reports import site_example
from tests.reports.graded_example import ASSIGNMENT, EXPECTED, rerun_row, row


def said(assignment: Assignment, graded: StudentResult) -> list[tuple[str, str, str]]:
    return [(step.label, step.value, step.sum) for step in mark_steps(assignment, graded)]


def test_the_calculation_line_by_line() -> None:
    late = row("a", EXPECTED, late=timedelta(days=1, minutes=1))
    assert late.mark
    assert len(late.mark.steps) > 1
    assert said(ASSIGNMENT, late) == [
        ("Points", "1.5", "tests, rules and marks by hand, of 1.5"),
        ("Due", "2025-10-27 11:59:00 AEDT", ""),
        ("Handed in", "2025-10-28 12:00:00 AEDT", "from submission.yaml"),
        *((f"Step {number}", "", step) for number, step in enumerate(late.mark.steps, 1)),
        ("Mark", "1.35", ""),
    ]


def test_a_mark_that_is_not_known_yet() -> None:
    assert said(ASSIGNMENT, rerun_row("c"))[-1] == ("Mark", "?", "not known yet")
    open_row = site_example.CLASS.rows[3]
    assert said(site_example.ASSIGNMENT, open_row)[-1] == ("Mark", "?", "not yet marked: mnemonic identifiers")


def test_who_is_excused_has_no_mark() -> None:
    excused = replace(row("a", EXPECTED), mark=None, granted=StudentExtension(excused=True))
    assert said(ASSIGNMENT, excused)[-1] == ("Mark", "excused", "no mark counts")


def test_what_a_confirmed_rule_costs_is_told() -> None:
    assert said(site_example.ASSIGNMENT, site_example.CLASS.rows[1])[:3] == [
        ("Earned", "3", "tests, rules and marks by hand, of 9.5"),
        ("Rule broken", "−1", "main: main() is used"),
        ("Points", "2", "never below 0"),
    ]


def test_an_extension_is_told() -> None:
    granted = StudentExtension(due=ASSIGNMENT.due + timedelta(days=1))
    extended = student_result(ASSIGNMENT, row("a", EXPECTED).graded, {"a": granted})
    assert said(ASSIGNMENT, extended)[1] == ("Due (extended)", "2025-10-28 11:59:00 AEDT", "")
