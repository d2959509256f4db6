"""Tests with commands through the whole grader: generated, graded, told, handed out."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Grader, SmallCourse

ASSIGNMENT = """\
format: 1
id: calc
title: Adding
programs:
  - {file: calc.py}
parts:
  - {id: calc, title: adding, marks: 3}
due: 2030-03-20 17:00
time_zone: Europe/Vienna
"""
TESTS = """\
format: 1
program: calc.py
part: calc
visibility: public
points: 1
files: [tests]
tests:
  - id: unit
    title: the tests of the handout
    command: python3 -m unittest -q tests.test_calc
    hint: Run these tests yourself.
  - id: script
    visibility: hidden
    command: sh tests/secret.sh
  - id: refused
    command: [python3, calc.py, none]
    exit_status: 2
"""
CALC = """\
import sys


def add(a, b):
    return a + b


if __name__ == "__main__":
    sys.exit(2 if "none" in sys.argv else 0)
"""
UNIT = """\
import unittest

from calc import add


class TestAdd(unittest.TestCase):
    def test_one_and_two(self):
        self.assertEqual(add(1, 2), 3)
"""
SECRET = "echo the secret; PYTHONPATH=. python3 -c 'from calc import add; assert add(2, 2) == 4'\n"
STUDENTS = {"right": CALC, "wrong": CALC.replace("a + b", "a - b")}


@pytest.fixture
def course(small_course: SmallCourse) -> Path:
    spec = small_course.folder / "test_specs" / "calc"
    files = {
        small_course.folder / "reference" / "calc.py": CALC,
        spec / "assignment.yaml": ASSIGNMENT,
        spec / "tests" / "tests.yaml": TESTS,
        spec / "files" / "tests" / "test_calc.py": UNIT,
        spec / "files" / "tests" / "secret.sh": SECRET,
    }
    files |= {small_course.folder / "submissions" / "calc" / name / "calc.py": text for name, text in STUDENTS.items()}
    for file, text in files.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return spec


@pytest.mark.slow
def test_points_are_for_commands_that_end_as_expected(grader: Grader, small_course: SmallCourse, course: Path) -> None:
    assert grader("generate", "calc").returncode == 0
    assert not (course / "expected").exists() or not list((course / "expected").iterdir())
    run = grader("grade", "submissions/calc")
    assert run.returncode == 0, run.stdout + run.stderr
    reports = small_course.folder / "reports" / "calc"
    rows = {row["student"]: row for row in json.loads((reports / "results.json").read_text())["submissions"]}
    verdicts = {name: {test["id"]: test["verdict"] for test in row["tests"]} for name, row in rows.items()}
    assert verdicts == {
        "right": {"unit": "passed", "script": "passed", "refused": "passed"},
        "wrong": {"unit": "exit-status", "script": "exit-status", "refused": "passed"},
    }
    told = (reports / "students" / "wrong.txt").read_text()
    assert "The command `python3 -m unittest -q tests.test_calc` ends with exit status 1; expected 0." in told
    assert "  | AssertionError: -1 != 3" in told
    assert "Hint: Run these tests yourself." in told
    assert not any("secret" in file.read_text() for file in (reports / "students").iterdir())
    assert grader("report", "submissions/calc").returncode == 0
    pages = [file.read_text() for file in (small_course.folder / "reports" / "html").rglob("*wrong*.html")]
    assert any("AssertionError: -1 != 3" in page for page in pages)


@pytest.mark.usefixtures("course")
def test_a_reference_that_fails_is_refused(grader: Grader, small_course: SmallCourse) -> None:
    (small_course.folder / "reference" / "calc.py").write_text(STUDENTS["wrong"])
    run = grader("generate", "calc")
    assert run.returncode == 2
    assert "fails the test unit: The command `python3 -m unittest" in run.stderr
    assert "AssertionError: -1 != 3" in run.stderr


@pytest.mark.slow
def test_what_is_not_installed_is_told_and_costs_nothing(
    grader: Grader, small_course: SmallCourse, course: Path
) -> None:
    tests = course / "tests" / "tests.yaml"
    tests.write_text(TESTS.replace("python3 -m unittest -q tests.test_calc", "no-such-tool test"))
    run = grader("grade", "submissions/calc")
    assert "right: no mark yet, these tests must be rerun (internal-error): unit" in run.stdout
    checked = grader("check", small_course.folder / "submissions" / "calc" / "right")
    assert "`no-such-tool` is not installed here" in " ".join((checked.stdout + checked.stderr).split())
    assert "Traceback" not in checked.stdout + checked.stderr


@pytest.mark.slow
def test_a_bundle_has_the_public_commands_and_their_files(
    grader: Grader, small_course: SmallCourse, course: Path
) -> None:
    (course / "files" / "hidden").mkdir()
    (course / "files" / "tests" / "secret.sh").rename(course / "files" / "hidden" / "secret.sh")
    tests = course / "tests" / "tests.yaml"
    tests.write_text(TESTS.replace("sh tests/secret.sh", "sh hidden/secret.sh\n    files: [hidden]"))
    assert grader("generate", "calc").returncode == 0
    assert "2 public tests." in grader("bundle", "calc", "--folder").stdout
    [bundle] = [folder for folder in small_course.folder.iterdir() if (folder / "grader_check").is_dir()]
    assert not any("secret" in file.name for file in bundle.rglob("*"))
    for student, status in (("right", 0), ("wrong", 1)):
        (bundle / "calc.py").write_text(STUDENTS[student])
        run = subprocess.run(
            [sys.executable, "-m", "grader_check"], cwd=bundle, capture_output=True, text=True, check=False
        )
        assert run.returncode == status, run.stdout + run.stderr
    assert "AssertionError: -1 != 3" in run.stdout
