"""`partial: repair` gives the more points, the less of a program must change."""

import json
import re
import shutil
from fractions import Fraction
from typing import Any

import pytest

from grader.errors import SpecError
from grader.spec.course import Course
from tests.conftest import RIGHT, WRONG, Grader, SmallCourse

SIZE = 14
"""The number of words and signs in the program `WRONG`."""

BROKEN = RIGHT.replace('"Number: "))', '"Number: ")')


@pytest.fixture
def course(small_course: SmallCourse) -> SmallCourse:
    tests = small_course.folder / "test_specs" / "doubles" / "tests" / "double.yaml"
    tests.write_text(tests.read_text().replace("tests:", "partial: repair\ntests:"))
    for student, text in {"ann": WRONG, "ben": RIGHT, "cy": "print(17)\n", "dan": BROKEN}.items():
        small_course.hand_in(student, text)
    return small_course


def results(course: SmallCourse, student: str) -> dict[str, dict[str, Any]]:
    content = json.loads((course.reports / "results.json").read_text())
    [entry] = [entry for entry in content["submissions"] if entry["student"] == student]
    return {result["id"]: result for result in entry["tests"] if result["part"] == "doubles"}


def shares(course: SmallCourse, student: str) -> list[float]:
    return [float(result["share"]) for result in results(course, student).values()]


@pytest.mark.slow
def test_a_small_change_leaves_most_of_the_points(grader: Grader, course: SmallCourse) -> None:
    run = grader("grade", "submissions")
    assert run.returncode == 0, run.stderr
    share = 1 - 3 * Fraction(1, SIZE)
    assert shares(course, "ann") == pytest.approx([float(share)] * 3, abs=1e-4)
    words = f"Partial credit: a change of 1 of {SIZE} words and signs makes this test pass, which earns 78.5714 %"
    assert words in json.dumps(results(course, "ann"))
    student = "".join(file.read_text() for file in (course.reports / "students").glob("ann*"))
    assert words in student
    assert "2 *" not in student


@pytest.mark.slow
def test_right_wrong_and_stopped_programs(grader: Grader, course: SmallCourse) -> None:
    grader("grade", "submissions")
    assert [shares(course, student) for student in ("ben", "cy", "dan")] == [[1, 1, 1], [0, 0, 0], [0, 0, 0]]
    assert "no small change to the program makes this test pass" in json.dumps(results(course, "cy"))
    assert "Partial credit" not in json.dumps(results(course, "dan"))


@pytest.mark.slow
def test_a_stopped_program_earns_points_if_the_test_says_so(grader: Grader, course: SmallCourse) -> None:
    tests = course.folder / "test_specs" / "doubles" / "tests" / "double.yaml"
    tests.write_text(tests.read_text().replace("points: 4", "points: 4, partial_if_stopped: true"))
    grader("grade", "submissions")
    small, *others = shares(course, "dan")
    assert 0.7 < small < 1
    assert others == [0, 0]


@pytest.mark.slow
def test_the_points_are_the_same_again_and_without_the_others(grader: Grader, course: SmallCourse) -> None:
    grader("grade", "submissions")
    before = shares(course, "ann")
    grader("grade", "submissions", "--no-cache")
    assert shares(course, "ann") == before
    for other in ("ben", "cy", "dan"):
        shutil.rmtree(course.students / other)
    grader("grade", "submissions")
    assert shares(course, "ann") == before


@pytest.mark.slow
def test_code_that_never_runs_earns_nothing(grader: Grader, course: SmallCourse) -> None:
    unused = f"\n\ndef unused():\n    return [{'0, ' * 500}]\n"
    course.hand_in("eve", WRONG + unused)
    grader("grade", "submissions")
    reference = (course.folder / "reference" / "double.py").read_text()
    most = 1 - 3 * Fraction(1, len(re.findall(r"\w+|[^\w\s]", reference)))
    assert shares(course, "ann")[0] < shares(course, "eve")[0] <= float(most)
    assert "A solution has " in json.dumps(results(course, "eve"))


@pytest.mark.slow
def test_equal_points_and_no_reference(grader: Grader, course: SmallCourse) -> None:
    tests = course.folder / "test_specs" / "doubles" / "tests" / "double.yaml"
    text = tests.read_text().replace("part: doubles\n", "part: doubles\npoints: equal\n")
    tests.write_text(text.replace("points: 4, ", "").replace("    points: 3\n", ""))
    assert grader("grade", "submissions").returncode == 0
    assert shares(course, "ann") == pytest.approx([1 - 3 / SIZE] * 3, abs=1e-4)
    (course.folder / "reference" / "double.py").unlink()
    grader("grade", "submissions")
    assert shares(course, "ann") == [0, 0, 0]
    assert "there is none, so nothing is earned" in json.dumps(results(course, "ann"))


def test_it_is_for_python_programs(small_course: SmallCourse) -> None:
    spec = small_course.folder / "test_specs" / "doubles"
    for file in (spec / "assignment.yaml", spec / "tests" / "double.yaml"):
        file.write_text(file.read_text().replace("double.py", "double.c"))
    tests = spec / "tests" / "double.yaml"
    tests.write_text(tests.read_text().replace("tests:", "partial: repair\ntests:"))
    with pytest.raises(SpecError, match="found `partial: repair` for a program that is not in Python"):
        Course(small_course.folder).assignment("doubles")
