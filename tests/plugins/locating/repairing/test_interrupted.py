"""Ctrl-C during the search for repairs ends it: reports are complete, say so, and the next run finishes the search."""

import json
import signal
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


def interrupt_search(folder: Path, number: signal.Signals = signal.SIGINT) -> tuple[int | None, str]:
    """Grade a class at a terminal, send a signal during the search for repairs, and return exit code and output."""
    with closing(spawn(sys.executable, COMMAND, cwd=folder, encoding="utf-8", timeout=300)) as terminal:
        terminal.expect_exact("Looking for repairs")
        terminal.kill(number)
        terminal.expect(EOF)
        terminal.wait()
        return terminal.exitstatus, " ".join(str(terminal.before).split())


@pytest.mark.slow
@needs_sandbox
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_search(small_course: SmallCourse, number: signal.Signals) -> None:
    small_course.hand_in("ann", SLOW)
    small_course.hand_in("ben", WRONG)
    code, output = interrupt_search(small_course.folder, number)
    assert code == 130
    assert "the search for repairs was interrupted, and is not finished for ann" in output
    ann = submission(small_course, "ann")
    assert ann["mark"]["adjusted"] == "2"
    assert ann["repairs"] == []
    assert ann["repairs_unfinished"] == ["double.py"]
    subprocess.run([sys.executable, *COMMAND], cwd=small_course.folder, check=True, timeout=300)
    assert submission(small_course, "ann")["mark"]["adjusted"] == "2"
    assert "repairs_unfinished" not in submission(small_course, "ann")
    assert submission(small_course, "ben")["repairs"]
