"""`grader insight`, and comments that reach everybody who made the same mistake."""

import json
import re

import pytest

from tests.conftest import RIGHT, Grader, SmallCourse
from tests.sandbox import needs_sandbox

pytestmark = needs_sandbox

FIRST = 'number = int(input("Number: "))\nprint("Double:", 3 * number)\n'
SECOND = 'n = int(input("Number: "))\nprint(f"Double: {n + n + n}")\n'
OTHER = 'print("Double", 2 * int(input("Number: ")))\n'


def group(words: str) -> str:
    found = re.search(
        r"^2 students, 3 tests$(?:\n.*)*?^  comment   to all of them: group (\w{8}) in comments.yaml$", words, re.M
    )
    assert found, words
    return found[1]


@pytest.mark.slow
def test_a_comment_on_a_group_reaches_its_members_and_nobody_else(grader: Grader, small_course: SmallCourse) -> None:
    for student, program in {"ann": FIRST, "bob": SECOND, "eve": OTHER, "zoe": RIGHT}.items():
        small_course.hand_in(student, program)
    run = grader("insight", "submissions", "--show", "1")
    assert run.returncode == 0, run.stderr
    assert "1 mistake that several students share" in run.stdout
    assert "students  ann, bob" in run.stdout
    assert "Failing in a way of their own: eve" in run.stdout
    name = group(run.stdout)
    comments = small_course.students / "comments.yaml"
    entries = f"  - {{group: {name}, comment: Twice is enough.}}\n  - {{group: 01234567, comment: Gone.}}\n"
    comments.write_text(f"format: 1\ncomments:\n{entries}")
    run = grader("grade", "submissions")
    assert "comments.yaml:4:13: there is no group 01234567 any more" in run.stdout
    content = json.loads((small_course.reports / "results.json").read_text())
    said = {entry["student"]: entry["comments"] for entry in content["submissions"]}
    assert said == {"ann": ["Twice is enough."], "bob": ["Twice is enough."], "eve": [], "zoe": []}
    assert "Twice is enough." in (small_course.reports / "students" / "bob.txt").read_text()
    assert grader("report", "submissions").returncode == 0
    site = small_course.reports.parent / "html" / small_course.reports.name
    pages = ("groups", "students/ann", "students/bob", "students/eve", "students/zoe")
    assert ["Twice is enough." in (site / f"{page}.html").read_text() for page in pages] == [True] * 3 + [False] * 2


@pytest.mark.slow
def test_only_who_printed_the_same_wrong_thing_is_a_group(grader: Grader, small_course: SmallCourse) -> None:
    undefined = {"ann": "x", "bob": "x", "eve": "y", "kim": "z"}
    for student, name in undefined.items():
        small_course.hand_in(student, f"print({name})\n")
    told = grader("insight", "submissions").stdout
    assert "1 mistake that several students share\n\n2 students, 3 tests\n" in told
    assert "  students  ann, bob\n  further   eve, kim (other signs of it)\n" in told


def test_who_printed_different_things_is_no_group(grader: Grader, small_course: SmallCourse) -> None:
    for student, factor in {"ann": 3, "bob": 5}.items():
        small_course.hand_in(student, RIGHT.replace("2 *", f"{factor} *"))
    told = grader("insight", "submissions").stdout
    assert "0 mistakes that several students share" in told
    assert "Failing in a way of their own: ann, bob" in told


@pytest.mark.slow
def test_the_tests_are_listed_with_their_statistics(grader: Grader, small_course: SmallCourse) -> None:
    for student, program in {"ann": FIRST, "zoe": RIGHT}.items():
        small_course.hand_in(student, program)
    run = grader("insight", "submissions")
    assert re.search(r"small +│ +50% │ +1\.00 │", run.stdout), run.stdout
    assert re.search(r"at-the-prompt +│ +100% │ +- │", run.stdout), run.stdout
