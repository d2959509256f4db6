"""Students' own tests and calls in a row, through the whole grader: generated, graded, told, handed out."""

import json
from pathlib import Path

import pytest

from tests.conftest import Grader, SmallCourse

ASSIGNMENT = """\
format: 1
id: own
title: Tests of a function
programs:
  - {file: test_twice.py}
  - {file: account.py}
parts:
  - {id: tests, title: the tests, marks: 3}
  - {id: account, title: the account, marks: 1}
due: 2030-03-20 17:00
time_zone: Europe/Vienna
limits: {wall_seconds: 60}
"""
OWN_TESTS = """\
format: 1
program: test_twice.py
part: tests
visibility: public
points: 1
tests:
  - id: accept
    own_tests: {module: twice.py, good: [right.py]}
  - id: catch-$bad
    title: $bad numbers
    for: {bad: [squared, stopped]}
    own_tests: {module: twice.py, good: [right.py], bad: $bad.py}
"""
CALLS = """\
format: 1
program: account.py
part: account
visibility: public
points: 1
tests:
  - id: moves
    calls: [a = Account(1), a.take(2), a.take(1), a]
    checks: [return_value, output, exception_type, state]
"""
ACCOUNT = """\
class Account:
    def __init__(self, sum):
        self.sum = sum

    def take(self, sum):
        if sum > self.sum:
            raise ValueError("too much")
        self.sum -= sum
        print("taken")
"""
REFERENCE = "from twice import twice\n\n\ndef test_it():\n    assert twice(3) == 6\n"
PROGRAMS = {
    "right.py": "def twice(n):\n    return n + n  # the secret\n",
    "squared.py": "def twice(n):\n    return n * n  # the secret\n",
    "stopped.py": "def twice(n):\n    if n > 2:\n        raise SystemExit\n    return 2 * n  # the secret\n",
}
STUDENTS = {
    "right": (REFERENCE, ACCOUNT),
    "weak": (REFERENCE.replace("twice(3) == 6", "twice(2) == 4"), ACCOUNT.replace("raise ValueError", "return print")),
    "wrong": (REFERENCE.replace("== 6", "== 7, open('twice.py').read()"), ACCOUNT.replace("-= sum", "-= 0")),
}


def write(course: SmallCourse) -> Path:
    spec = course.folder / "test_specs" / "own"
    files = {
        course.folder / "reference" / "test_twice.py": REFERENCE,
        course.folder / "reference" / "account.py": ACCOUNT,
        spec / "assignment.yaml": ASSIGNMENT,
        spec / "tests" / "tests.yaml": OWN_TESTS,
        spec / "tests" / "account.yaml": CALLS,
    }
    files |= {spec / "own_tests" / name: text for name, text in PROGRAMS.items()}
    for student, (tests, account) in STUDENTS.items():
        folder = course.folder / "submissions" / "own" / student
        files |= {folder / "test_twice.py": tests, folder / "account.py": account}
    for file, text in files.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return spec


@pytest.mark.slow
def test_points_are_for_bad_programs_that_are_caught(grader: Grader, small_course: SmallCourse) -> None:
    spec = write(small_course)
    assert grader("generate", "own").returncode == 0
    kept = {file.name: file.read_text() for file in (spec / "expected").iterdir()}
    assert kept["catch-squared.canonical.txt"] == "right.py: accepted\nsquared.py: refused by test_it\n"
    assert grader("generate", "own", "--check").returncode == 0
    run = grader("grade", "submissions/own")
    assert run.returncode == 0, run.stdout + run.stderr
    reports = small_course.folder / "reports" / "own"
    rows = {row["student"]: row for row in json.loads((reports / "results.json").read_text())["submissions"]}
    verdicts = {name: {test["id"]: test["verdict"] for test in row["tests"]} for name, row in rows.items()}
    assert verdicts == {
        "right": dict.fromkeys(("moves", "accept", "catch-squared", "catch-stopped"), "passed"),
        "weak": {**dict.fromkeys(("moves", "catch-squared", "catch-stopped"), "wrong-output"), "accept": "passed"},
        "wrong": dict.fromkeys(("moves", "accept", "catch-squared", "catch-stopped"), "wrong-output"),
    }
    told = json.dumps(rows)
    assert "the only test passes. It is this one: squared numbers." in told
    assert "Call 2 of 4, `a.take(2)` after `a = Account(1)`: The call must raise ValueError" in told
    assert "returned.sum: 0 expected, found 1" in told
    assert not any("the secret" in file.read_text() for file in reports.rglob("*") if file.is_file())


@pytest.mark.slow
def test_tests_for_pytest_where_there_is_none_cost_nothing(grader: Grader, small_course: SmallCourse) -> None:
    write(small_course)
    assert grader("generate", "own").returncode == 0
    tests = small_course.folder / "submissions" / "own" / "right" / "test_twice.py"
    told = small_course.folder / "reports" / "own" / "students" / "right.txt"
    tests.write_text(f"import pytest\n{REFERENCE}")
    assert "right: no mark yet, these tests must be rerun" in grader("grade", "submissions/own").stdout
    assert "the instructor has to add `packages: [pytest]` to assignment.yaml." in told.read_text()
    tests.write_text(f"import pytests\n{REFERENCE}")
    assert "right: no mark yet" not in grader("grade", "submissions/own").stdout
    assert "ModuleNotFoundError in line 1 (`import pytests`)" in told.read_text()


@pytest.mark.slow
def test_a_bundle_has_the_calls_and_none_of_the_programs(grader: Grader, small_course: SmallCourse) -> None:
    write(small_course)
    assert grader("generate", "own").returncode == 0
    run = grader("bundle", "own", "--folder")
    assert "1 public test." in run.stdout
    assert "3 more are left out: they need a checker" in " ".join(run.stdout.split())
    [bundle] = [folder for folder in small_course.folder.iterdir() if (folder / "grader_check").is_dir()]
    data = (file for file in (bundle / "grader_check" / "data").rglob("*.*") if file.is_file())
    assert not any("the secret" in file.read_text() for file in data)


def test_a_slip_of_the_author_is_told(grader: Grader, small_course: SmallCourse) -> None:
    spec = write(small_course)
    tests = spec / "tests" / "account.yaml"
    tests.write_text(CALLS.replace(", exception_type", ""))
    said = grader("generate", "own").stderr
    assert (
        "`a.take(2)` raises ValueError: too much. If students' programs must raise it too, add `exception_type`" in said
    )
    tests.write_text(CALLS.replace(", state", ""))
    assert "its function gives an object of Account" in grader("generate", "own").stderr
    tests.write_text(CALLS)
    (spec / "own_tests" / "squared.py").write_text(PROGRAMS["right.py"])
    said = grader("generate", "own").stderr
    assert "fails the test catch-squared: The tests do not catch a program that is wrong" in said
    (spec / "own_tests" / "right.py").write_text(PROGRAMS["squared.py"])
    assert (
        "The tests refuse a program that is right, `right.py`: test_it fails in line 5"
        in grader("generate", "own").stderr
    )
