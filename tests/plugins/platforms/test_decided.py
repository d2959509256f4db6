"""What a person decided, in exports."""

import json
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from grader.grading.student_result import student_result
from grader.grading.student_view import student_views
from grader.model.assignment import ManualItem, Part
from grader.model.judgement import Verdict
from grader.model.mark import ManualMarks, VerdictOverride
from grader.model.results import GradedSubmission, StudentResult
from grader.model.submission import SubmittedFile
from grader.model.test import Visibility
from grader.platforms import student_exports
from grader.platforms.platform import ExportOptions
from grader.platforms.scores import score_so_far, why_open
from grader.plugins.exporting.formats import student_export
from grader.plugins.exporting.student_files import student_file_writer
from grader.plugins.late_policies.percent_per_day import PercentOf, PercentPerDay
from grader.plugins.platforms.shared.output_text import mark_summary
from grader.reports.student_text import student_text
from tests.grading.hidden_example import ORIGIN
from tests.reports import graded_example
from tests.reports.decided_example import APPEAL, CLASS, WRONG, row
from tests.reports.graded_example import EXPECTED

ITEMS = (ManualItem("names", "names", Decimal(1)), ManualItem("layout", "layout", Decimal("0.5")))
ROWS = {row.student: row for row in CLASS.rows}


def test_no_mark_is_exported_for_somebody_who_is_excused() -> None:
    assert (score_so_far(CLASS.assignment, ROWS["excused"]), why_open(ROWS["excused"])) == (None, "excused")
    assert score_so_far(CLASS.assignment, ROWS["Dvořák, Łucja"]) == 1


def handed_in(student: str, late: timedelta) -> GradedSubmission:
    graded = graded_example.row(student, EXPECTED, late=late).graded
    return replace(
        graded, submission=replace(graded.submission, files=(SubmittedFile("double.py", Path("double.py")),))
    )


@pytest.mark.parametrize("name", ["gradescope", "prairielearn", "codegrade"])
def test_work_that_is_late_is_late_before_everything_is_marked(name: str) -> None:
    # 1.5 points for the program and as many for style: a day late costs 20 % of three.
    style = Part(id="style", title="Style", marks=Decimal("1.5"), manual=ITEMS)
    policy = PercentPerDay(Decimal(20), of=PercentOf.FULL)
    assignment = replace(graded_example.ASSIGNMENT, parts=(*graded_example.ASSIGNMENT.parts, style), late=policy)
    days = {"in time": 0, "a day": 1, "a month": 30}
    graded = {student: handed_in(student, timedelta(days=late)) for student, late in days.items()}
    rows = [student_result(assignment, one, {}) for one in graded.values()]
    assert [(row.mark, len(row.not_yet_marked)) for row in rows] == [(None, 2)] * 3
    assert [score_so_far(assignment, row) for row in rows] == [Decimal("1.5"), Decimal("0.9"), 0]
    known = student_result(assignment, graded["a day"], {}, ManualMarks({"names": Decimal(1)}))
    assert score_so_far(assignment, known) == Decimal("1.9")
    render, view_of = student_export(name).renderer(ExportOptions()), student_views(assignment)
    texts = {row.student: render(assignment, view_of(row), ORIGIN) for row in rows}
    written = {
        student: json.loads(text.splitlines()[-1] if name == "codegrade" else text) for student, text in texts.items()
    }
    scores = [content.get("score", content.get("points")) for content in written.values()]
    assert (
        scores
        == {"gradescope": [1.5, 0.9, 0], "prairielearn": [0.5, 0.3, 0.0], "codegrade": ["1/2", "3/10", "0/1"]}[name]
    )


@pytest.mark.parametrize("name", student_exports())
def test_no_file_of_a_class_has_a_mark_before_everything_is_marked(name: str) -> None:
    style = Part(id="style", title="Style", marks=Decimal("1.5"), manual=ITEMS)
    assignment = replace(graded_example.ASSIGNMENT, parts=(*graded_example.ASSIGNMENT.parts, style))
    row = student_result(assignment, handed_in("ada", timedelta()), {})
    told = replace(CLASS, assignment=assignment, rows=(row,))
    exported = student_file_writer(student_export(name), ExportOptions())(told, ORIGIN)
    if name in ("gradescope", "prairielearn", "codegrade"):
        assert (exported.students, exported.left_out) == (frozenset(), ("ada: not yet marked: names, layout",))
    else:
        assert exported.notes == ("scored without what is not yet marked: ada",)
        assert "Mark: " not in b"".join(exported.files.values()).decode()


def hidden(row: StudentResult) -> StudentResult:
    results = tuple(
        replace(result, test=replace(result.test, visibility=Visibility.HIDDEN)) for result in row.graded.results
    )
    return replace(row, graded=replace(row.graded, results=results))


def test_the_reason_of_a_decision_on_a_hidden_test_is_shown() -> None:
    tests = tuple(replace(test, visibility=Visibility.HIDDEN) for test in CLASS.assignment.tests)
    assignment = replace(CLASS.assignment, tests=tests)
    text = student_text(assignment, student_views(assignment)(hidden(ROWS["verdict"])))
    assert "Decided by the lecturer" in text
    assert "small" not in text


def test_a_summary_gives_the_reasons_of_decisions_without_names_of_hidden_tests() -> None:
    refused = row("refused", WRONG, VerdictOverride("small", Verdict.WRONG_OUTPUT, None, APPEAL))
    tests = tuple(replace(test, visibility=Visibility.HIDDEN) for test in CLASS.assignment.tests)
    assignment = replace(CLASS.assignment, tests=tests)
    reason = 'Decided by the lecturer: appeal, "granted".'
    for student, decision in (
        (ROWS["Dvořák, Łucja"], reason),
        (ROWS["verdict"], f"hidden test 1: {reason}"),
        (refused, f"hidden test 1: {reason}"),
    ):
        assert mark_summary(assignment, student_views(assignment)(hidden(student))).endswith(f" {decision}")
    assert "Decided" not in mark_summary(assignment, student_views(assignment)(hidden(ROWS["other submission"])))
