"""Ctrl-C during the search for repairs ends it: reports are complete, say so, and the next run finishes the search."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from tests.conftest import RIGHT, WRONG, SmallCourse
from tests.sandbox import needs_sandbox

SLOW = "for _ in range(2_000_000):\n    pass\n" + RIGHT.replace("2 *", "9 * 3 *")


def submission(course: SmallCourse, student: str) -> dict[str, Any]:
    content = json.loads((course.reports / "results.json").read_text())
    [entry] = [entry for entry in content["submissions"] if entry["student"] == student]
    return dict(entry)


def start(folder: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "grader", "grade", "submissions", "--repair", "--jobs", "1"]
    return subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", start_new_session=True
    )


@needs_sandbox
def test_an_interrupted_search(small_course: SmallCourse) -> None:
    small_course.hand_in("ann", SLOW)
    small_course.hand_in("ben", WRONG)
    assert subprocess.run(
        [sys.executable, "-m", "grader", "grade", "submissions"], cwd=small_course.folder, check=True, timeout=300
    )
    marks = submission(small_course, "ann")["mark"]
    process = start(small_course.folder)
    time.sleep(0)
    assert process.stderr is not None
    for line in process.stderr:
        if "Looking for repairs" in line:
            break
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 130, errors
    ann = submission(small_course, "ann")
    assert ann["mark"] == marks
    assert ann["repairs"] == []
    assert ann["repairs_unfinished"] == ["double.py"]
    finished = start(small_course.folder)
    finished.communicate(timeout=300)
    assert finished.returncode == 0
    assert "repairs_unfinished" not in submission(small_course, "ann")
    assert submission(small_course, "ben")["repairs"]
