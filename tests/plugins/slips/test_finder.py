"""Slips are named beside the tests that fail, as a possible cause."""

import subprocess
import sys
from pathlib import Path

from grader.plugins.bundling.bundle import make_file
from grader.spec.course import Course
from tests.conftest import RIGHT, Grader, SmallCourse

HINT = "  Hint: Perhaps line {line} is the cause: `{code}` {what}.\n"
UNCALLED = "has no parentheses after it, so nothing is called there"
WRONG = """\
text = input("Number: ").strip
print("Double:", text)
"""
ROWS = """\
rows = [[]] * 2
rows[0].append(int(input("Number: ")))
print("Double:", sum(map(sum, rows)) + 1)
"""
UNUSED = """\
def never():
    print(text.strip)


number = int(input("Number: "))
print("Double: ", 2 * number)
"""


def test_a_check_names_a_slip_beside_a_failed_test(small_course: SmallCourse, grader: Grader) -> None:
    uncalled = grader("check", small_course.hand_in("uncalled", WRONG) / "double.py")
    assert HINT.format(line=1, code="input('Number: ').strip", what=UNCALLED) in uncalled.stdout
    rows = grader("check", small_course.hand_in("rows", ROWS) / "double.py")
    what = "repeats one and the same row, so what is put into one row is in all of them"
    assert HINT.format(line=1, code="[[]] * 2", what=what) in rows.stdout


def test_a_slip_that_cannot_be_the_cause_is_not_named(small_course: SmallCourse, grader: Grader) -> None:
    programs = {
        "passing": f"rows = [[]] * 4\n{RIGHT}",
        "unused": UNUSED,
        "unknown": f"print(nothing)\n{WRONG}",
        "unreadable": f"def (:\n{WRONG}",
    }
    for student, program in programs.items():
        run = grader("check", small_course.hand_in(student, program) / "double.py")
        assert "Perhaps" not in run.stdout, student


def test_a_bundle_names_a_slip(small_course: SmallCourse, tmp_path: Path) -> None:
    bundle = make_file(Course(small_course.folder).assignment("doubles"), tmp_path / "grader.pyz").path
    program = small_course.hand_in("uncalled", WRONG) / "double.py"
    run = subprocess.run([sys.executable, bundle, program], capture_output=True, text=True, check=False)
    assert "Perhaps line 1 is the cause" in run.stdout
