"""A repair that passes all tests is tried on random sessions too."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.plugins.locating.repairing.test_hints import ASSIGNMENT, REFERENCE

TESTS = """\
format: 1
program: sums.py
part: program
points: 2
tests:
  - {id: none, input: [""]}
  - {id: two, input: [3, 4, ""]}
"""
SESSIONS = """\
format: 1
sessions:
  - id: numbers
    test: two
    rules: {number: "{-9..9}"}
    input: [{repeat: "{number}", times: 1..4}, ""]
"""


@pytest.fixture
def course(tmp_path: Path) -> Path:
    for name, text in {
        "reference/sums.py": REFERENCE,
        "test_specs/sums/assignment.yaml": ASSIGNMENT.replace("marks: 10", "marks: 4"),
        "test_specs/sums/tests/sums.yaml": TESTS,
        "test_specs/sums/fuzz.yaml": SESSIONS,
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    run(tmp_path, "generate", "sums")
    return tmp_path


def run(folder: Path, *arguments: str) -> str:
    command = [sys.executable, "-m", "grader", *arguments]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, encoding="utf-8").stdout


def repair_of(course: Path, program: str) -> dict[str, Any]:
    file = course / "submissions" / "sums" / "ann" / "sums.py"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(program)
    run(course, "grade", "submissions/sums", "--repair", "--sandbox", "none")
    content = json.loads((course / "reports" / "sums" / "results.json").read_text())
    [repair] = content["submissions"][0]["repairs"]
    return dict(repair)


@pytest.mark.slow
def test_a_repair_that_agrees_says_so(course: Path) -> None:
    repair = repair_of(course, REFERENCE.replace("result += n", "result -= n"))
    assert repair["sessions"] > 10
    assert not repair["differs"]


@pytest.mark.slow
def test_a_repair_that_differs_is_proved_on_the_tests_only(course: Path) -> None:
    # No test types a negative number, which the reference does not add.
    wrong = REFERENCE.replace("        if n >= 0:\n            result += n\n", "        result -= n\n")
    repair = repair_of(course, wrong)
    assert repair["differs"]
    assert "+        result += n" in repair["diff"]
    assert repair["failing"] == 0
