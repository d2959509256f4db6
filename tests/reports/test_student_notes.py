"""The notes on a class: a line for a student, and one for a note on many."""

from dataclasses import replace

from grader.model.results import StudentResult
from grader.reports.student_notes import grouped_notes
from tests.reports.graded_example import CLASS


def noted(student: str, *notes: str) -> StudentResult:
    row = CLASS.rows[0]
    submission = replace(row.graded.submission, student=student, notes=notes)
    return replace(row, graded=replace(row.graded, submission=submission, variants={}))


def test_a_note_on_three_students_is_in_one_line_and_what_else_is_noted_is_kept() -> None:
    rows = (noted("ann", "no time", "a\nb"), noted("bob", "no time", "two programs"), noted("eve", "no time"))
    assert list(grouped_notes(replace(CLASS, rows=rows))) == [
        "3 students: no time: ann, bob, eve",
        "ann: a\nb",
        "bob: two programs",
    ]


def test_a_note_on_two_students_stays_with_each() -> None:
    rows = (noted("ann", "no time", "two programs"), noted("bob", "no time"))
    assert list(grouped_notes(replace(CLASS, rows=rows))) == ["ann: no time; two programs", "bob: no time"]


def test_of_many_students_the_first_are_named() -> None:
    rows = tuple(noted(f"s{number}", "no time") for number in range(300))
    assert list(grouped_notes(replace(CLASS, rows=rows))) == ["300 students: no time: s0, s1, s2, s3, s4 and 295 more"]
