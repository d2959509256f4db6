"""`--repair` proves a change of each failing program, for the instructor alone."""

import json
import sqlite3
from contextlib import closing
from typing import Any

import pytest

from tests.conftest import RIGHT, Grader, SmallCourse

WRONG = RIGHT.replace("2 *", "3 *")
PLUS_ONE = """\
number = int(input("Number: "))
# Almost right
if number > 11:
    number += 1
print("Double:", 2 * number)
"""


def repairs(course: SmallCourse) -> dict[str, list[dict[str, Any]]]:
    content = json.loads((course.reports / "results.json").read_text())
    return {entry["student"]: entry.get("repairs", []) for entry in content["submissions"]}


def rows(course: SmallCourse) -> int:
    with closing(sqlite3.connect(course.folder / ".grader" / "store.sqlite3")) as connection:
        return sum(connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in ("outcomes", "answers"))


@pytest.fixture
def course(small_course: SmallCourse) -> SmallCourse:
    for student, text in {
        "ann": WRONG,
        "ben": WRONG + "# mine\n",
        "cy": PLUS_ONE,
        "dan": RIGHT,
        "eve": "print('",
    }.items():
        small_course.hand_in(student, text)
    return small_course


def test_results_have_the_repairs(grader: Grader, course: SmallCourse) -> None:
    run = grader("grade", "submissions", "--repair")
    assert run.returncode == 0, run.stderr
    found = repairs(course)
    assert {student for student, of_student in found.items() if of_student} == {"ann", "ben", "cy"}
    [ann], [ben], [cy] = found["ann"], found["ben"], found["cy"]
    assert ann["changes"] == ben["changes"] == ["`2` for `3` outside functions"]
    assert (ann["shared_with"], ben["shared_with"], cy["shared_with"]) == (["ben"], ["ann"], [])
    assert (ann["mistake"], ben["mistake"]) == ("double.py: `2` for `3` outside functions",) * 2
    assert (ann["program"], ann["tokens"], ann["failing"]) == ("double.py", 1, 0)
    assert "# Almost right" in cy["diff"]
    assert cy["failing"] == 0


@pytest.mark.slow
def test_marks_are_the_same_and_a_search_is_made_once(grader: Grader, course: SmallCourse) -> None:
    plain = grader("grade", "submissions")
    first = grader("grade", "submissions", "--repair")
    found, before = repairs(course), rows(course)
    assert plain.stdout == first.stdout
    assert grader("report", "submissions", "--repair").returncode == 0
    assert (repairs(course), rows(course)) == (found, before)


def test_only_the_page_of_the_instructor_shows_them(grader: Grader, course: SmallCourse) -> None:
    run = grader("report", "submissions", "--repair")
    assert run.returncode == 0, run.stderr
    pages = (course.folder / run.stdout.partition("Web pages: ")[2].strip()).parent / "students"
    ann, dan = ((pages / f"{student}.html").read_text() for student in ("ann", "dan"))
    assert "A change that repairs the program" in ann
    assert "With this change" in ann
    assert "\n-print(&#34;Double:&#34;, 3 * int(" in ann
    assert "U+000A" not in ann
    assert "The same change repairs double.py of ben." in ann
    assert "A change that repairs" not in dan
    groups, overview = ((pages.parent / f"{name}.html").read_text() for name in ("groups", "index"))
    assert "2 students: double.py: <code>2</code> for <code>3</code> outside functions" in groups
    assert 'href="students/ann.html#repairs"' in groups
    assert "<code>2</code> for <code>3</code> outside functions" in overview


@pytest.mark.slow
@pytest.mark.usefixtures("course")
def test_insight_names_the_group_of_students_with_one_repair(grader: Grader) -> None:
    run = grader("insight", "submissions", "--repair")
    assert run.returncode == 0, run.stderr
    assert "  2 students: double.py: `2` for `3` outside functions\n    ann, ben\n" in run.stdout
    assert "  repair    double.py: `2` for `3` outside functions: ann, ben\n" in run.stdout
    assert "repair" not in grader("insight", "submissions").stdout
