"""What students see tells nothing of a hidden test but its points, verdict and kind of cause."""

from dataclasses import replace

from grader.judge.causes.line import TEXT
from grader.model.cause import SEALED
from grader.model.judgement import Diagnosis
from grader.model.mark import ManualMarks
from grader.model.results import ProgramSuspects
from grader.platforms.shared.student_view import row_for_students, rows_for_students
from grader.reports.student_text import student_text
from tests.platforms.example import (
    ASSIGNMENT,
    CLASS,
    EXPECTED,
    HIDDEN,
    PUBLIC,
    SECRET_INPUT,
    SECRET_OUTPUT,
    SECRET_REASON,
)


def test_marks_points_and_verdicts_are_the_same() -> None:
    for before, after in zip(CLASS.rows, rows_for_students(CLASS), strict=True):
        assert after.mark == before.mark
        assert after.graded.raw == before.graded.raw
        assert [one.verdict for one in after.graded.results] == [one.verdict for one in before.graded.results]
        assert after.graded.results[0] == before.graded.results[0]


def test_nothing_of_a_hidden_test_is_left() -> None:
    confirmed = ManualMarks({}, confirmed=frozenset({"honest"}))
    for row in rows_for_students(CLASS):
        open_row = replace(row, manual=confirmed)
        text = f"{student_text(ASSIGNMENT, open_row)} {open_row.graded!r} {open_row.told_rules!r} {open_row.granted!r}"
        for secret in (SECRET_INPUT, SECRET_OUTPUT, HIDDEN.id, HIDDEN.title, SECRET_REASON):
            assert secret not in text.replace(repr(HIDDEN.comparison), "")


def test_lines_at_fault_are_for_the_instructor() -> None:
    suspects = ProgramSuspects(program="double.py", failed=1, passed=1, lines=())
    row = replace(CLASS.rows[0], graded=replace(CLASS.rows[0].graded, suspects=(suspects,)))
    assert row_for_students(ASSIGNMENT, row).graded.suspects == ()


def test_a_hidden_test_has_the_same_number_for_everybody() -> None:
    assert {row.graded.results[1].test.id for row in rows_for_students(CLASS)} == {"hidden test 1"}


def test_the_cause_is_kept_without_its_sentence() -> None:
    wrong = list(rows_for_students(CLASS))[2].graded.results[1].judgement
    assert wrong.diagnosis == Diagnosis(TEXT, "What a hidden test types and expects is not shown.")
    assert wrong.divergence is None


def test_a_sealed_test_keeps_its_seal() -> None:
    shown = replace(CLASS.rows[2].graded.results[0], test=replace(PUBLIC, sealed=True))
    row = replace(CLASS.rows[2], graded=replace(CLASS.rows[2].graded, results=(shown,)))
    [after] = row_for_students(ASSIGNMENT, row).graded.results
    assert after.judgement.diagnosis == Diagnosis(SEALED, "Line 2 is the first wrong one; what is expected is sealed.")
    assert (after.verdict, after.outcome, after.expected) == (shown.verdict, shown.outcome, "")
    text = student_text(ASSIGNMENT, replace(row, graded=replace(row.graded, results=(after,))))
    assert "what is expected is sealed" in text
    assert EXPECTED[PUBLIC.id].splitlines()[1] not in text
