"""Tests that count in groups, after others, in shares and beyond the full mark: from the files to every report."""

import csv
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Grader, SmallCourse

ASSIGNMENT = """\
format: 1
id: sums
title: Sums
programs: [{file: sums.py}]
parts:
  - {id: play, title: Playing, marks: 10}
  - {id: extra, title: More, marks: 1, bonus: true}
groups:
  - {id: large, title: large numbers, part: play, points: 2, count: all}
max_mark: 10.5
hints: {number: Look at the numbers once more.}
due: 2025-10-27 11:59
time_zone: Australia/Sydney
rounding: {places: 1}
"""
TESTS = """\
format: 1
program: sums.py
part: play
points: equal
requires: [starts]
groups: [{id: steps, points: 3, count: least}]
tests:
  - {id: starts, visibility: public, points: 1, input: [1, 1], hint: Read the first page of the handout.}
  - {id: small-$n, for: {n: 1..3}, visibility: public, input: [$n, 2], partial: lines}
  - {id: large-$n, for: {n: [100, 200]}, group: large, input: [$n, 5], hint: The secret is large.}
  - {id: in-steps, group: steps, input: [3, 4], partial: steps}
  - id: on-the-way
    points: 1
    input: [7, 8]
    milestones: [{text: first, share: 0.25}, {line: "The sum is 15", share: 0.5}]
"""
EXTRA = """\
format: 1
program: sums.py
part: extra
shared_points: 1
tests:
  - {id: more-$n, for: {n: 1..3}, input: [$n, $n]}
"""
REFERENCE = """\
first = int(input("The first: "))
second = int(input("The second: "))
print("The sum is", first + second)
print("The product is", first * second)
"""
WRONG_PRODUCT = REFERENCE.replace("first * second", "first * second + (first > 2)")
DOES_NOT_START = REFERENCE.replace("first + second", "first + second + (first == 1)")


MARKS = {"right": "10.5", "wrong-product": "7.2", "does-not-start": "0.7"}


@pytest.fixture
def course(small_course: SmallCourse, grader: Grader) -> Path:
    """A course with generated expected files, in which the grader runs."""
    files = {
        "test_specs/sums/assignment.yaml": ASSIGNMENT,
        "test_specs/sums/tests/play.yaml": TESTS,
        "test_specs/sums/tests/extra.yaml": EXTRA,
        "reference/sums.py": REFERENCE,
        "submissions/sums/right/sums.py": REFERENCE,
        "submissions/sums/wrong-product/sums.py": WRONG_PRODUCT,
        "submissions/sums/does-not-start/sums.py": DOES_NOT_START,
    }
    for name, content in files.items():
        (small_course.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (small_course.folder / name).write_text(content)
    for student in MARKS:
        (small_course.folder / "submissions" / "sums" / student / "submission.yaml").write_text(
            "submitted: 2025-10-27 11:00\n"
        )
    generated = grader("generate", "sums")
    assert generated.returncode == 0, generated.stdout + generated.stderr
    return small_course.folder


def results(course: Path) -> dict[str, dict[str, Any]]:
    content = json.loads((course / "reports" / "sums" / "results.json").read_text())
    return {entry["student"]: entry for entry in content["submissions"]}


@pytest.mark.slow
def test_marks_points_and_groups_in_every_report(course: Path, grader: Grader) -> None:
    run = grader("grade", "submissions/sums")
    assert run.returncode == 0, run.stdout + run.stderr
    graded = results(course)
    assert {student: entry["mark"]["adjusted"] for student, entry in graded.items()} == MARKS
    assert {student: entry["points"] for student, entry in graded.items()} == {
        "right": "11",
        "wrong-product": "7.1667",
        "does-not-start": "0.6667",
    }
    group = {"part": "play", "bonus": False}
    assert graded["wrong-product"]["groups"] == [
        {
            "id": "large",
            **group,
            "count": "all",
            "tests": ["large-100", "large-200"],
            "passed": 0,
            "points": "0",
            "possible": "2",
        },
        {"id": "steps", **group, "count": "least", "tests": ["in-steps"], "passed": 0, "points": "2", "possible": "3"},
    ]
    with (course / "reports" / "sums" / "results.csv").open(newline="") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    columns = ("play", "extra", "large", "steps", "points", "full", "mark")
    assert [rows["right"][name] for name in columns] == ["10", "1", "2", "3", "11", "10", "10.5"]
    assert [rows["wrong-product"][name] for name in columns] == ["6.5", "0.6667", "0", "2", "7.1667", "10", "7.2"]
    assert "+ 1" in run.stdout


@pytest.mark.slow
def test_the_feedback_of_a_student(course: Path, grader: Grader) -> None:
    for file in (course / "test_specs" / "sums" / "tests").iterdir():
        file.write_text(file.read_text().replace("format: 1\n", "format: 1\nvisibility: public\n"))
    assert grader("grade", "submissions/sums").returncode == 0
    texts = {student: (course / "reports" / "sums" / "students" / f"{student}.txt").read_text() for student in MARKS}
    assert "  With bonus points the mark can be 10.5 at most.\n" in texts["right"]
    assert "More: 1 of 1 (bonus), 3 tests passed\n" in texts["right"]
    wrong = texts["wrong-product"]
    assert "  group          steps (2 of 3; its worst test counts, 0 of 1 passed)\n" in wrong
    assert "  wrong-output   large-100 (in the group large)\n" in wrong
    said = "Partial credit: the first 2 of 3 steps are right, which earns 66.6667 % of the points."
    assert f"  wrong-output   in-steps (in the group steps)\n    {said}\n" in wrong
    assert "  Hint: Look at the numbers once more.\n" in wrong
    assert "  Hint: The secret is large.\n" in wrong
    barred = texts["does-not-start"]
    assert "  wrong-output   small-1 (0 of 1, does not count)\n" in barred
    assert "    Does not count: the test starts did not pass. (so in 7 tests)\n" in barred
    assert "  passed         small-2 (0 of 1, does not count)\n" in barred
    assert "Partial credit" not in barred, "what does not count earns no share"


@pytest.mark.slow
def test_a_decision_on_a_required_test_runs_nothing_again(course: Path, grader: Grader) -> None:
    assert grader("grade", "submissions/sums").returncode == 0
    override = "{student: does-not-start, test: starts, verdict: passed, reason: a slip of ours, by: a tutor}"
    (course / "submissions" / "sums" / "overrides.yaml").write_text(f"format: 1\noverrides:\n  - {override}\n")
    assert grader("grade", "submissions/sums").returncode == 0
    entry = results(course)["does-not-start"]
    assert (entry["points"], entry["mark"]["adjusted"]) == ("10.4167", "10.4")
    assert all(not test.get("barred_by") for test in entry["tests"])


@pytest.mark.slow
def test_web_pages(course: Path, grader: Grader) -> None:
    assert grader("report", "submissions/sums").returncode == 0
    pages = (course / "reports" / "html" / "sums" / "students").glob("*.html")
    found = {page.stem: page.read_text() for page in pages}
    assert "Hint: The secret is large." in found["wrong-product"]
    assert "its worst test counts, 0 of 1 passed" in found["wrong-product"]
    assert "Does not count: the test starts did not pass." in found["does-not-start"]
    assert "With bonus points the mark can be 10.5 at most." in found["right"]
    assert "(bonus)" in found["right"]


@pytest.mark.slow
def test_exports_tell_of_hidden_tests_what_may_be_told(course: Path, grader: Grader) -> None:
    assert grader("grade", "submissions/sums").returncode == 0
    run = grader("export", "gradescope", "submissions/sums")
    assert run.returncode == 0, run.stdout + run.stderr
    [file] = (course / "exports").rglob("wrong-product*.json")
    shown = json.loads(file.read_text())
    assert shown["score"] == 7.2
    tests = {test["name"]: test for test in shown["tests"]}
    hidden = tests["hidden test 4"]
    assert hidden["output"].splitlines()[1:] == ["Hint: Look at the numbers once more.", "Hint: The secret is large."]
    assert "Partial credit: 3 of 4 lines are right" in tests["small-3"]["output"]
    assert (tests["hidden group 1"]["score"], tests["hidden group 1"]["max_score"]) == (0, 2)
    assert tests["hidden group 2"]["visibility"] == "after_published"
    assert "large" not in file.read_text().replace("The secret is large.", ""), "the name of the group"


@pytest.mark.usefixtures("course")
def test_a_self_check(grader: Grader) -> None:
    run = grader("check", "submissions/sums/does-not-start", "--assignment", "sums")
    assert run.returncode == 1
    assert "starts" in run.stdout
    assert "  Hint: Read the first page of the handout.\n" in run.stdout
    assert "small-1: Does not count: the test starts did not pass. (so in 3 tests)" in run.stdout
    assert "group" not in run.stdout, "what a group earns is not known without its hidden tests"


@pytest.mark.slow
def test_a_bundle_carries_what_partial_credit_needs(course: Path, grader: Grader) -> None:
    tests = course / "test_specs" / "sums" / "tests" / "play.yaml"
    tests.write_text(tests.read_text().replace("partial: lines", "partial: steps"))
    assert grader("generate", "sums").returncode == 0
    bundled = grader("bundle", "sums", "--output", course / "sums.pyz")
    assert bundled.returncode == 0, bundled.stdout + bundled.stderr
    command: list[str | Path] = [
        sys.executable,
        course / "sums.pyz",
        "check",
        course / "submissions" / "sums" / "wrong-product",
    ]
    run = subprocess.run(command, cwd=course, capture_output=True, text=True, check=False)
    assert run.returncode == 1, run.stderr
    assert "small-3: Partial credit: the first 2 of 3 steps are right" in run.stdout
    assert "  Hint: Look at the numbers once more.\n" in run.stdout


@pytest.mark.slow
def test_generated_files_of_steps_are_checked(course: Path, grader: Grader) -> None:
    assert grader("generate", "--check", "sums").returncode == 0
    kept = course / "test_specs" / "sums" / "expected" / "in-steps.canonical.because.json"
    assert json.loads(kept.read_text())["typed"] == [11, 25]
    kept.unlink()
    assert grader("generate", "--check", "sums").returncode == 1
    run = grader("grade", "submissions/sums")
    assert run.returncode == 2
    assert "lacks when its input was read: run `grader generate sums`" in run.stderr


@pytest.mark.slow
def test_a_milestone_that_the_reference_does_not_reach(course: Path, grader: Grader) -> None:
    tests = course / "test_specs" / "sums" / "tests" / "play.yaml"
    tests.write_text(tests.read_text().replace("The sum is 15", "The sum is 16"))
    run = grader("generate", "sums")
    assert run.returncode == 2
    assert "fails the test on-the-way: it does not print the milestone `The sum is 16`" in run.stderr
