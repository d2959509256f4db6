"""The recipe for an output format, followed to the letter."""

import json
from pathlib import Path

import pytest

from tests.conftest import RIGHT, SmallCourse
from tests.contributing.recipes import follow, run_copy

WRONG = RIGHT.replace("2 *", "3 *")
OPTIONS = ("--assignment", "doubles", "--sandbox", "none", "--jobs", "2")


@pytest.mark.slow
def test_an_output_format(small_course: SmallCourse, tmp_path: Path) -> None:
    named = follow("To add an output format", tmp_path)
    assert len(set(named)) == 2
    small_course.hand_in("first", WRONG)
    run = run_copy(tmp_path, "grade", "submissions/doubles", *OPTIONS, "--format", "sarif", folder=small_course.folder)
    assert run.returncode == 0, run.stderr
    (sarif,) = json.loads(run.stdout)["runs"]
    assert "first, small: " in sarif["results"][0]["message"]["text"]
    program = small_course.folder / "submissions" / "doubles" / "first" / "double.py"
    check = run_copy(tmp_path, "check", program, "--format", "sarif", folder=small_course.folder)
    assert check.returncode == 1, check.stderr
    assert json.loads(check.stdout)["version"] == "2.1.0"
