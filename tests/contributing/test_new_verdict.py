"""The recipe for a verdict, followed to the letter."""

import json
from pathlib import Path

from tests.conftest import SmallCourse
from tests.contributing.recipes import follow, run_copy

SILENT = "total = 0\n"


def test_a_verdict(small_course: SmallCourse, tmp_path: Path) -> None:
    named = follow(tmp_path, "To add a verdict")
    assert len(set(named)) == 2
    program = small_course.hand_in("silent", SILENT) / "double.py"
    options = ("--assignment", "doubles", "--format", "json")
    run = run_copy(tmp_path, "check", program, *options, folder=small_course.folder)
    assert run.returncode == 1, run.stderr
    tests = json.loads(run.stdout)["submissions"][0]["tests"]
    assert {one["verdict"] for one in tests} == {"no-output"}
