"""Tests that are not run because others of their program ran into the time limit: an assignment may ask for that."""

import json
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.conftest import RIGHT, Grader, SmallCourse

ENDLESS = f"import time\n\n{RIGHT}time.sleep(60)\n"
WHY = "Not run: double.py ran into the time limit in 1 other test."
WHY_HIDDEN = "Not run: the program ran into the time limit in other tests."
IN_MARK = "2 tests earn nothing because they were not run: the program ran into the time limit in others."


@pytest.fixture
def course(small_course: SmallCourse) -> SmallCourse:
    """One timeout is enough, as each takes a second; one of two students has an endless program."""
    spec = small_course.folder / "test_specs" / "doubles" / "assignment.yaml"
    limited = spec.read_text().replace("wall_seconds: 20", "wall_seconds: 1")
    spec.write_text(f"{limited}stop_after_timeouts: 1\n")
    small_course.hand_in("endless", ENDLESS)
    small_course.hand_in("right", RIGHT)
    return small_course


def graded(course: SmallCourse, grader: Grader) -> dict[str, Any]:
    assert grader("grade", "submissions").returncode == 0
    rows = json.loads((course.reports / "results.json").read_text())["submissions"]
    return {row["student"]: row for row in rows}


@pytest.mark.slow
def test_the_rest_of_that_program_alone_is_not_run(course: SmallCourse, grader: Grader) -> None:
    rows = graded(course, grader)
    tests = {test["id"]: (test["verdict"], test["cause"], test["diagnosis"]) for test in rows["endless"]["tests"]}
    assert tests["small"][:2] == ("timeout", "timeout")
    assert tests["hidden-11"] == tests["hidden-12"] == ("not-run", "not-run", WHY)
    assert tests["at-the-prompt"][0] == "passed"
    assert IN_MARK in rows["endless"]["mark"]["steps"]
    assert {test["verdict"] for test in rows["right"]["tests"]} == {"passed"}
    assert not [step for step in rows["right"]["mark"]["steps"] if "not run" in step]


@pytest.mark.slow
def test_all_are_run_without_the_key(course: SmallCourse, grader: Grader) -> None:
    spec = course.folder / "test_specs" / "doubles" / "assignment.yaml"
    spec.write_text(spec.read_text().replace("stop_after_timeouts: 1\n", ""))
    verdicts = [test["verdict"] for test in graded(course, grader)["endless"]["tests"]]
    assert sorted(verdicts) == ["passed", "timeout", "timeout", "timeout"]


@pytest.mark.slow
def test_students_read_that_hidden_tests_were_not_run(course: SmallCourse, grader: Grader) -> None:
    graded(course, grader)
    text = (course.reports / "students" / "endless.txt").read_text()
    assert f"hidden test 1  [not-run]\n  {WHY_HIDDEN}\n  The same in 1 more test: hidden test 2\n" in text
    assert f"  {IN_MARK}\n" in text
    assert "fails" not in text
    assert grader("report", "submissions").returncode == 0
    page = (course.folder / "reports" / "html" / "doubles" / "students" / "endless.html").read_text()
    assert "v-not-run" in page
    assert WHY in page


@pytest.mark.slow
def test_a_test_that_was_not_run_is_skipped_for_continuous_integration(course: SmallCourse, grader: Grader) -> None:
    run = grader("export", "junit", "submissions", "--output", "out")
    assert run.returncode == 0, run.stderr
    exported = ElementTree.parse(course.folder / "out")
    suites = {suite.get("name"): suite for suite in exported.iter("testsuite")}
    counts = [suites["endless"].get(name) for name in ("tests", "failures", "errors", "skipped")]
    assert counts == ["4", "1", "0", "2"]
    assert [case.get("message") for case in suites["endless"].iter("skipped")] == [WHY_HIDDEN, WHY_HIDDEN]


def test_who_was_not_tested_made_no_further_mistake(course: SmallCourse, grader: Grader) -> None:
    course.hand_in("again", ENDLESS.replace("60", "61"))
    told = grader("insight", "submissions").stdout
    assert "Failing in a way of their own: again, endless" in told
    assert "not-run" not in told
