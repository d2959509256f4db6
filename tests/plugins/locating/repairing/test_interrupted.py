"""Ctrl-C during the search for repairs ends it: reports are complete, say so, and the next run finishes the search."""

import json
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from pexpect import EOF, spawn

from tests.conftest import RIGHT, WRONG, SmallCourse
from tests.sandbox import needs_sandbox

SLOW = "for _ in range(2_000_000):\n    pass\n" + RIGHT.replace("2 *", "9 * 3 *")


def submission(course: SmallCourse, student: str) -> dict[str, Any]:
    content = json.loads((course.reports / "results.json").read_text())
    [entry] = [entry for entry in content["submissions"] if entry["student"] == student]
    return dict(entry)


COMMAND = ["-m", "grader", "grade", "submissions", "--repair", "--jobs", "1"]


def interrupt_search(folder: Path) -> int | None:
    """Grade a class at a terminal, press Ctrl-C during the search for repairs, and return the exit code."""
    with closing(spawn(sys.executable, COMMAND, cwd=folder, encoding="utf-8", timeout=300)) as terminal:
        terminal.expect_exact("Looking for repairs")
        terminal.sendintr()
        terminal.expect(EOF)
        terminal.wait()
        return terminal.exitstatus


@pytest.mark.slow
@needs_sandbox
def test_an_interrupted_search(small_course: SmallCourse) -> None:
    small_course.hand_in("ann", SLOW)
    small_course.hand_in("ben", WRONG)
    assert interrupt_search(small_course.folder) == 130
    ann = submission(small_course, "ann")
    assert ann["mark"]["adjusted"] == "2"
    assert ann["repairs"] == []
    assert ann["repairs_unfinished"] == ["double.py"]
    subprocess.run([sys.executable, *COMMAND], cwd=small_course.folder, check=True, timeout=300)
    assert submission(small_course, "ann")["mark"]["adjusted"] == "2"
    assert "repairs_unfinished" not in submission(small_course, "ann")
    assert submission(small_course, "ben")["repairs"]
