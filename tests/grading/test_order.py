"""The order in which the tests of a submission run: what a public one shows comes from no hidden one."""

import json

from tests.conftest import Grader, SmallCourse

ASSIGNMENT = """\
format: 1
id: order
title: Order
programs:
  - {file: order.py}
parts:
  - {id: p, title: p, marks: 3}
due: 2030-03-20 17:00
time_zone: Europe/Vienna
"""
TESTS = """\
format: 1
program: order.py
part: p
points: 1
tests:
  - {id: first, visibility: hidden, input: [secret]}
  - {id: second, visibility: public, input: [known]}
  - {id: third, visibility: hidden, input: [other]}
"""
REFERENCE = "print(input())\n"
# Without a sandbox anything can be remembered.
REMEMBERS = """\
from pathlib import Path
seen = Path({place!r})
word = input()
print(word, *(seen.read_text().split() if seen.exists() else ()))
with seen.open("a") as file:
    print(word, file=file)
"""


def test_hidden_tests_run_after_public_ones(grader: Grader, small_course: SmallCourse) -> None:
    folder = small_course.folder
    files = {
        "test_specs/order/assignment.yaml": ASSIGNMENT,
        "test_specs/order/tests/tests.yaml": TESTS,
        "reference/order.py": REFERENCE,
        "submissions/order/anna/order.py": REMEMBERS.format(place=str(folder / "seen")),
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    assert grader("generate", "order").returncode == 0
    run = grader("grade", "submissions/order", "--sandbox", "none", "--jobs", "1")
    assert run.returncode == 0, run.stderr
    [row] = json.loads((folder / "reports" / "order" / "results.json").read_text())["submissions"]
    # Reports have the order of the course.
    assert [(test["id"], test["verdict"]) for test in row["tests"]] == [
        ("first", "wrong-output"),
        ("second", "passed"),
        ("third", "wrong-output"),
    ]
    assert (folder / "seen").read_text().split() == ["known", "secret", "other"]
