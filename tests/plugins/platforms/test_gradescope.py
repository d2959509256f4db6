"""What Gradescope is told beside the fields."""

import json
from dataclasses import replace
from typing import Any

from grader.grading.student_view import student_views
from grader.model.results import StudentResult
from grader.platforms.platform import ExportOptions
from grader.plugins.exporting.formats import student_export
from grader.plugins.exporting.student_files import student_file_writer
from grader.plugins.platforms.gradescope.results import gradescope_results
from tests.grading.hidden_example import ASSIGNMENT, CLASS, LATE, ORIGIN, WRONG
from tests.reports import rubric_example


def told(row: StudentResult, hidden: str = "after_published") -> dict[str, Any]:
    content: dict[str, Any] = json.loads(gradescope_results(ASSIGNMENT, student_views(ASSIGNMENT)(row), ORIGIN, hidden))
    return content


def test_the_score_has_lateness_in_it() -> None:
    content = told(LATE)
    assert content["score"] == 3.6
    assert sum(test.get("score", 0) for test in content["tests"]) == 4
    assert "Handed in 1 d 1 min late." in content["output"]


def test_hidden_tests_are_hidden_as_was_asked() -> None:
    assert [test["visibility"] for test in told(WRONG, "hidden")["tests"]] == ["visible", "hidden", "visible"]


def test_a_rule_with_a_cost_is_told_when_it_is_confirmed() -> None:
    assert [test["name"] for test in told(WRONG)["tests"]][2:] == ["docs: docstrings"]
    confirmed = replace(WRONG, manual=replace(WRONG.manual, confirmed=frozenset({"honest"})))
    rule = told(confirmed)["tests"][3]
    assert rule["status"] == "failed"
    assert "score" not in rule
    assert "no hidden test of the same kind does" in rule["output"]


def test_what_waits_for_a_person_is_left_to_gradescope() -> None:
    waiting = rubric_example.CLASS.rows[1]
    view = student_views(rubric_example.ASSIGNMENT)(waiting)
    content = json.loads(gradescope_results(rubric_example.ASSIGNMENT, view, ORIGIN))
    assert waiting.mark is None
    assert content["score"] == float(waiting.points)
    assert content["output"].endswith("Some items are not yet marked.")


def test_what_waits_for_us_is_no_score() -> None:
    write = student_file_writer(student_export("gradescope"), ExportOptions())
    assert "again@example.org.json" not in write(CLASS, ORIGIN).files
