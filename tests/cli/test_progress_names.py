"""The name of a test that takes long, in a real terminal."""

import os
import sys
from pathlib import Path

import pytest
from pexpect import EOF, spawn

from tests.cli.test_messages import waiting
from tests.conftest import RIGHT, SmallCourse


@pytest.mark.slow
def test_grade_names_who_is_running_below_the_bar(small_course: SmallCourse, tmp_path: Path) -> None:
    waiting(small_course, tmp_path / "go")
    small_course.hand_in("zoe", RIGHT)
    command = ["-m", "grader", "grade", "submissions", "--sandbox", "none"]
    environment = {**os.environ, "TERM": "xterm"}
    terminal: spawn[str] = spawn(
        sys.executable,
        command,
        cwd=small_course.folder,
        env=environment,
        encoding="utf-8",
        timeout=60,
        dimensions=(24, 80),
    )
    try:
        terminal.expect(r"slow: test small, 1\d s")
        (tmp_path / "go").touch()
        terminal.expect(EOF)
    finally:
        terminal.close(force=True)
