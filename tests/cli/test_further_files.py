"""Modules, headers and data that students hand in beside the programs, from the spec to the report."""

import json
import shutil
from typing import Any

import pytest

from tests.conftest import Grader, SmallCourse

ASSIGNMENT = """\
format: 1
id: doubles
title: Areas
programs:
  - file: main.py
  - file: other.py
further_files: ["*.py", "data/*"]
parts:
  - {id: areas, title: Areas, marks: 4}
due: 2030-01-01 12:00
time_zone: UTC
rules:
  - {id: no-eval, title: no eval, rule: forbidden-names, names: [eval], part: areas, points: 1}
  - {id: divided, title: two functions, rule: own-functions, program: main.py, at_least: 2, part: areas, points: 1}
  - {id: area, title: area, rule: required-functions, program: main.py, functions: [area(r)], part: areas, points: 1}
"""
TESTS = """\
format: 1
program: main.py
part: areas
visibility: public
points: 1
tests:
  - {id: two, input: [2]}
"""
SHAPES = "def square(r):\n    return r * r\n\n\ndef area(r):\n    return int(open('data/k.txt').read()) * square(r)\n"
MAIN = "from shapes import area\nfrom other import NAME\nprint(NAME, area(int(input('r: '))))\n"
OTHER = "NAME = 'area'\n"
OWN_EVAL = "\n\ndef eval(number):\n    return number\n"
FILES = {"main.py": MAIN, "shapes.py": SHAPES, "other.py": OTHER, "data/k.txt": "3\n"}


@pytest.fixture
def course(small_course: SmallCourse) -> SmallCourse:
    """A course whose reference has a module and data of its own, and imports the other program."""
    spec = small_course.folder / "test_specs" / "doubles"
    for folder in (spec / "tests", spec / "expected", small_course.folder / "reference"):
        shutil.rmtree(folder)
        folder.mkdir()
    (spec / "assignment.yaml").write_text(ASSIGNMENT)
    (spec / "tests" / "main.yaml").write_text(TESTS)
    lay_out(small_course, "reference", FILES)
    return small_course


def lay_out(course: SmallCourse, folder: str, files: dict[str, str]) -> None:
    for name, content in files.items():
        file = course.folder / folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)


def graded(course: SmallCourse, grader: Grader) -> dict[str, Any]:
    for command in (("generate",), ("grade", "submissions/doubles")):
        run = grader(*command)
        assert run.returncode == 0, run.stdout + run.stderr
    submissions = json.loads((course.reports / "results.json").read_text())["submissions"]
    return {entry["student"]: entry for entry in submissions}


@pytest.mark.slow
def test_further_files_lie_beside_the_program_and_keep_the_rules(course: SmallCourse, grader: Grader) -> None:
    lay_out(course, "submissions/doubles/right", FILES)
    lay_out(course, "submissions/doubles/inner/proj", FILES)
    hidden = {"shapes.py": SHAPES + "\n\nprint(eval('\"\"'), end='')\n"}
    lay_out(course, "submissions/doubles/hides", {**FILES, **hidden})
    lay_out(course, "submissions/doubles/other-data", {**FILES, "data/k.txt": "4\n", "notes.txt": "hello\n"})
    through_two = {"shapes.py": "from circles import area, eval\n\neval(1)\n", "circles.py": SHAPES + OWN_EVAL}
    lay_out(course, "submissions/doubles/through-two", {**FILES, **through_two})
    found = graded(course, grader)
    assert {student: entry["points"] for student, entry in found.items()} == {
        "right": "4",
        "inner": "4",
        "hides": "3",
        "other-data": "3",
        "through-two": "4",
    }
    assert found["hides"]["rules"][0]["findings"][0]["file"] == "shapes.py"
    assert found["right"]["digest"] == found["inner"]["digest"] != found["other-data"]["digest"]
    assert found["other-data"]["notes"] == ["notes.txt is not used: it is not one of the files to hand in"]
    feedback = (course.reports / "students" / "other-data.txt").read_text()
    assert "notes.txt is not used: it is not one of the files to hand in" in feedback


@pytest.mark.slow
def test_a_file_that_changed_is_run_again(course: SmallCourse, grader: Grader) -> None:
    lay_out(course, "submissions/doubles/right", FILES)
    assert graded(course, grader)["right"]["points"] == "4"
    lay_out(course, "submissions/doubles/right", {"data/k.txt": "5\n"})
    assert graded(course, grader)["right"]["points"] == "3"


@pytest.mark.slow
def test_without_the_key_other_files_are_not_used_and_named(course: SmallCourse, grader: Grader) -> None:
    spec = course.folder / "test_specs" / "doubles" / "assignment.yaml"
    lay_out(course, "submissions/doubles/right", FILES)
    assert graded(course, grader)["right"]["points"] == "4"
    spec.write_text(ASSIGNMENT.replace('further_files: ["*.py", "data/*"]\n', ""))
    lay_out(course, "reference", {"main.py": "print('area', 3 * int(input('r: ')) ** 2)\n"})
    assert grader("grade", "submissions/doubles").returncode == 0
    [entry] = json.loads((course.reports / "results.json").read_text())["submissions"]
    # The rule is kept by what is read of it, so a missing module costs the test and the rules about functions.
    assert entry["points"] == "1"
    said = "shapes.py and data/k.txt are not used: they are not among the files to hand in"
    assert entry["notes"] == [said]
    check = grader("check", course.students / "right")
    assert said in check.stdout


@pytest.mark.slow
def test_a_self_check_of_one_program_takes_the_files_beside_it(course: SmallCourse, grader: Grader) -> None:
    lay_out(course, "submissions/doubles/right", FILES)
    assert grader("generate").returncode == 0
    lay_out(
        course,
        "submissions/doubles/alone",
        {**FILES, "main.py": MAIN.replace("from other import NAME", "NAME = 'area'")},
    )
    check = grader("check", course.students / "alone" / "main.py")
    assert "1 of 1 tests passed" in check.stdout, check.stdout + check.stderr


@pytest.mark.parametrize("pattern", ["/etc/*", "../*.py", "data/../../x", "a\\\\b", "data//x"])
def test_a_pattern_stays_in_the_folder_of_the_submission(course: SmallCourse, grader: Grader, pattern: str) -> None:
    spec = course.folder / "test_specs" / "doubles" / "assignment.yaml"
    spec.write_text(ASSIGNMENT.replace('["*.py", "data/*"]', f"['{pattern}']"))
    run = grader("generate")
    assert (run.returncode, "a pattern of relative file names" in run.stderr) == (2, True), run.stderr
