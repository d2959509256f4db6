"""`--locate` names the lines that are likely at fault, to the instructor alone, and changes no mark."""

import json
import re
import sqlite3
from contextlib import closing
from typing import Any

import pytest

from tests.conftest import RIGHT, Grader, SmallCourse

HALF_RIGHT = """\
number = int(input("Number: "))
if number > 11:
    number += 1  # one too many
print("Double:", 2 * number)
"""


def submissions(course: SmallCourse) -> list[dict[str, Any]]:
    content = json.loads((course.reports / "results.json").read_text())
    found: list[dict[str, Any]] = content["submissions"]
    return found


def timeless(entry: dict[str, Any]) -> dict[str, Any]:
    tests = [{key: value for key, value in test.items() if not key.endswith("_seconds")} for test in entry["tests"]]
    return {**entry, "tests": tests}


def rows(course: SmallCourse) -> int:
    with closing(sqlite3.connect(course.folder / ".grader" / "store.sqlite3")) as connection:
        (count,) = connection.execute("SELECT count(*) FROM outcomes").fetchone()
        return int(count)


def test_results_say_which_lines_and_are_else_the_same(grader: Grader, small_course: SmallCourse) -> None:
    small_course.hand_in("half", HALF_RIGHT)
    small_course.hand_in("right", RIGHT)
    assert grader("grade", "submissions").returncode == 0
    plain = submissions(small_course)
    assert grader("grade", "submissions", "--locate").returncode == 0
    half, right = submissions(small_course)
    [found] = half.pop("suspects")
    assert (found["program"], found["failed"], found["passed"]) == ("double.py", 1, 2)
    only = {"file": "double.py", "failed": 1, "passed": 0, "raised": 0, "repair": {"passed": 3, "tried": 3}}
    assert found["lines"][:2] == [{**only, "line": 3, "use": "run"}, {**only, "line": 2, "use": "entered"}]
    assert [timeless(half), timeless(right)] == [timeless(one) for one in plain]


@pytest.mark.slow
def test_what_was_recorded_is_not_run_again(grader: Grader, small_course: SmallCourse) -> None:
    small_course.hand_in("half", HALF_RIGHT)
    assert grader("grade", "submissions").returncode == 0
    before = rows(small_course)
    assert grader("grade", "submissions", "--locate").returncode == 0
    assert rows(small_course) == before + 3
    assert grader("report", "submissions", "--locate").returncode == 0
    assert rows(small_course) == before + 3


@pytest.mark.slow
def test_the_page_of_the_instructor_shows_them_and_what_students_get_does_not(
    grader: Grader, small_course: SmallCourse
) -> None:
    small_course.hand_in("half", HALF_RIGHT)
    assert grader("grade", "submissions", "--locate").returncode == 0
    assert grader("report", "submissions", "--locate").returncode == 0
    page = (small_course.folder / "reports" / "html" / "doubles" / "students" / "half.html").read_text()
    assert re.findall(r">(double\.py:\d)</a> <code>(.*?)</code>", page)[:2] == [
        ("double.py:3", "number += 1  # one too many"),
        ("double.py:2", "if number &gt; 11:"),
    ]
    assert "one too many" not in (small_course.reports / "students" / "half.txt").read_text()
    assert grader("report", "submissions").returncode == 0
    page = (small_course.folder / "reports" / "html" / "doubles" / "students" / "half.html").read_text()
    assert "Lines that may be at fault" not in page
