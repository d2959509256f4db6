"""All reports for a student begin with the function that fails, not with the functions that call it."""

import re

import pytest

from tests.conftest import RIGHT, Grader, SmallCourse

REFERENCE = """\
def report(numbers):
    return [f"= {number}" for number in totals(numbers)]


def totals(numbers):
    return [triple(number) for number in numbers]


def triple(number):
    return 3 * number
"""

TESTS = """\
format: 1
program: triple.py
part: triples
tests:
  - {id: the-report, visibility: public, points: 0.5, call: "report([1, 2])"}
  - {id: the-totals, visibility: public, points: 0.5, call: "totals([1, 2])"}
  - {id: the-triple, visibility: public, points: 1, call: "triple(5)"}
"""


@pytest.mark.slow
def test_terminal_text_and_page_begin_with_the_same_function(small_course: SmallCourse, grader: Grader) -> None:
    (small_course.folder / "reference" / "triple.py").write_text(REFERENCE)
    (small_course.folder / "test_specs" / "doubles" / "tests" / "triple.yaml").write_text(TESTS)
    assert grader("generate", "doubles").returncode == 0
    folder = small_course.hand_in("ann", RIGHT)
    (folder / "triple.py").write_text(REFERENCE.replace("3 *", "2 *"))
    order = ["the-triple", "the-totals", "the-report"]

    described = re.compile(r"^(the-\w+)  \[wrong-output\]", re.MULTILINE)
    assert described.findall(grader("check", folder).stdout) == order
    assert described.findall(grader("check", folder, "--full").stdout) == order
    grader("grade", "submissions/doubles", "--sandbox", "none")
    assert described.findall((small_course.reports / "students" / "ann.txt").read_text()) == order
    grader("report", "submissions/doubles", "--sandbox", "none")
    page = small_course.folder / "reports" / "html" / "doubles" / "students" / "ann.html"
    assert list(dict.fromkeys(re.findall(r'id="test-(the-\w+)"', page.read_text()))) == order
