"""The recipe for a code rule, followed to the letter."""

from pathlib import Path

import pytest

from tests.conftest import RIGHT, SmallCourse
from tests.contributing.recipes import follow, run_copy

FALLING_CAP = "late: {policy: falling-cap, percent_per_day: 10, max_days_late: 3}"


def edit_assignment(course: SmallCourse, was: str, now: str) -> None:
    file = course.folder / "test_specs" / "doubles" / "assignment.yaml"
    text = file.read_text()
    assert was in text
    file.write_text(text.replace(was, now))


@pytest.mark.slow
def test_a_code_rule(small_course: SmallCourse, tmp_path: Path) -> None:
    assert set(follow(tmp_path, "To add a code rule")) == {"grader/plugins/code_rules/style.py", "pyproject.toml"}
    rule = "rules:\n  - {id: loops, title: loops have conditions, rule: no-while-true, program: double.py}\n"
    edit_assignment(small_course, FALLING_CAP, f"{FALLING_CAP}\n{rule}")
    folder = small_course.hand_in("ada", f"{RIGHT}while True:\n    break\n")
    run = run_copy(tmp_path, "check", folder / "double.py", folder=small_course.folder)
    assert "double.py:2: the loop has no condition of its own: while True:" in run.stdout, run.stdout + run.stderr
    schema = run_copy(tmp_path, "schema", "assignment", folder=small_course.folder)
    assert '"no-while-true"' in schema.stdout
