"""What platforms are told of groups of tests, of bonus points and of tests that do not count."""

import base64
import json
from dataclasses import replace
from decimal import Decimal

import pytest

from grader.grading.student_view import student_views
from grader.model.results import ClassResult
from grader.model.submission import SubmittedFile
from grader.model.test import Visibility
from grader.platforms.platform import ExportError
from grader.plugins.platforms.canvas.gradebook import new_canvas_gradebook
from grader.plugins.platforms.classroom.autograder import classroom_result
from grader.plugins.platforms.gradescope.results import gradescope_results
from grader.plugins.platforms.moodle.exports import moodle_worksheet
from grader.plugins.platforms.plain_files.exports import junit_xml
from grader.plugins.platforms.prairielearn.results import prairielearn_results
from grader.plugins.platforms.shared.gradebook_file import read_gradebook_file
from grader.store.origin import Provenance
from tests import ROOT
from tests.reports.counted_example import ASSIGNMENT, CLASS

RIGHT, _, IN_PART, BARRED, _ = CLASS.rows
HEADER = "Identifier,Full name,Email address,Status,Grade,Maximum Grade"
ORIGIN = Provenance(harness="h", spec="s")
VIEW_OF = student_views(ASSIGNMENT)
FILES = (SubmittedFile("double.py", ROOT / "reference" / "cards.py"),)


def worksheet(maximum: str) -> tuple[list[str], tuple[str, ...]]:
    """The grades that Moodle gets of the first two students, and the notes."""
    graded = replace(CLASS, rows=CLASS.rows[:2])
    lines = [HEADER, *(f"Participant {row.student},{row.student},,,,{maximum}" for row in graded.rows)]
    sheet = read_gradebook_file("\n".join([*lines, ""]).encode(), "sheet.csv")
    exported = moodle_worksheet(graded, sheet)
    filled = read_gradebook_file(exported.files["moodle.csv"], "moodle.csv")
    return [filled.cell(record, 4) for record in (1, 2)], exported.notes


def test_moodle_takes_no_more_than_its_maximum() -> None:
    grades, [note] = worksheet("5.00")
    assert grades == ["5", "4.67"]
    assert note == (
        "5 is written for those with a higher mark, because it is the maximum grade in Moodle: a all right (5.5)"
    )


def test_moodle_takes_bonus_points_up_to_a_maximum_that_allows_them() -> None:
    assert worksheet("5.50") == (["5.5", "4.67"], ())


def test_moodle_with_another_maximum_is_refused() -> None:
    with pytest.raises(ExportError, match=r"The maximum grade in Moodle is 6.00"):
        worksheet("6.00")


def test_canvas_takes_marks_beyond_the_points_possible() -> None:
    content = new_canvas_gradebook(CLASS, None).files["canvas.csv"].decode()
    assert content.splitlines()[1:3] == ["    Points Possible,,,,,5", "a all right,,,a all right,,5.5"]


def test_gradescope_has_an_entry_per_group() -> None:
    content = json.loads(gradescope_results(ASSIGNMENT, VIEW_OF(IN_PART), ORIGIN, "hidden"))
    assert content["score"] == 4.83
    [group] = [test for test in content["tests"] if "group" in test["tags"]]
    assert group == {
        "score": 2,
        "max_score": 3,
        "status": "failed",
        "name": "numbers: all numbers",
        "output": "2 of 3; its tests add up, 1 of 2 passed",
        "tags": ["doubles", "group"],
        "visibility": "hidden",
    }
    assert sum(test["score"] for test in content["tests"]) == pytest.approx(float(IN_PART.points))


def test_prairielearn_gets_no_more_than_everything() -> None:
    graded = replace(RIGHT.graded, submission=replace(RIGHT.graded.submission, files=FILES))
    content = json.loads(prairielearn_results(ASSIGNMENT, VIEW_OF(replace(RIGHT, graded=graded)), ORIGIN))
    assert content["score"] == 1
    assert sum(test["points"] for test in content["tests"]) == pytest.approx(6)


def test_classroom_adds_up_tests_and_groups() -> None:
    content = json.loads(base64.b64decode(classroom_result(ASSIGNMENT, VIEW_OF(RIGHT), ORIGIN)))
    assert content["max_score"] == 5
    assert sum(test["score"] for test in content["tests"]) == pytest.approx(6)
    assert sum(test["max_score"] for test in content["tests"]) == pytest.approx(6)


def test_a_test_that_does_not_count_says_so() -> None:
    content = json.loads(gradescope_results(ASSIGNMENT, VIEW_OF(BARRED), ORIGIN))
    tests = {test["name"]: test for test in content["tests"]}
    assert (tests["one"]["score"], tests["one"]["status"]) == (0, "failed")
    assert "Does not count: the test starts did not pass. (so in 3 tests)" in tests["one"]["output"]
    assert "Hint: Read the first page." in tests["starts: the program starts"]["output"]


def test_names_of_hidden_tests_are_not_told_by_those_that_require_them() -> None:
    hidden = replace(ASSIGNMENT, tests=tuple(replace(test, visibility=Visibility.HIDDEN) for test in ASSIGNMENT.tests))
    results = tuple(replace(one, test=replace(one.test, visibility=Visibility.HIDDEN)) for one in BARRED.graded.results)
    row = replace(BARRED, graded=replace(BARRED.graded, results=results))
    shown = student_views(hidden)(row)
    assert shown.graded.results[1].why_not_counted == "Does not count: the test hidden test 1 did not pass."
    assert shown.graded.results[1].test.counting.requires == ("hidden test 1",)
    assert (shown.graded.groups[0].group.id, shown.graded.groups[0].group.title) == ("hidden group 1", "")
    assert shown.graded.groups[0].tests == ("hidden test 5", "hidden test 6")
    assert shown.graded.results[4].test.counting.group == "hidden group 1"
    assert shown.graded.raw == row.graded.raw == Decimal(4)
    assert "starts" not in gradescope_results(hidden, shown, ORIGIN)
    text = junit_xml(ClassResult(assignment=hidden, rows=(row,), not_graded=(), notes=()), ORIGIN).files["junit.xml"]
    assert b"starts" not in text
    assert b"Hint: Read the first page." in text


def test_classroom_does_not_pass_what_does_not_count() -> None:
    content = json.loads(base64.b64decode(classroom_result(ASSIGNMENT, VIEW_OF(BARRED), ORIGIN)))
    tests = {test["test_code"]: test for test in content["tests"]}
    assert (tests["one"]["status"], tests["one"]["score"]) == ("fail", 0)
    assert "Does not count" in tests["one"]["message"]
