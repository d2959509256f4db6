"""A class whose programs draw has the same results after a killed run, and on a cluster."""

import re
import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from tests import ROOT

STUDENTS = ("right", "overwrites", "prints-lines")
GRADE = [sys.executable, "-m", "grader", "grade", "submissions/noughts", "--sandbox", "none"]


@pytest.fixture
def course(tmp_path: Path) -> Path:
    folder = tmp_path / "course"
    # Results that were kept in the example would be taken instead of grading.
    shutil.copytree(ROOT / "docs" / "examples" / "screens", folder, ignore=shutil.ignore_patterns(".grader", "reports"))
    for student in (folder / "submissions" / "noughts").iterdir():
        if student.name not in STUDENTS:
            shutil.rmtree(student)
    return folder


def outcomes(course: Path) -> int:
    store = course / ".grader" / "store.sqlite3"
    if not store.exists():
        return 0
    with closing(sqlite3.connect(store)) as connection:
        has_table = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'outcomes'").fetchone()
        return int(connection.execute("SELECT count(*) FROM outcomes").fetchone()[0]) if has_table else 0


def graded(course: Path, *options: str) -> dict[str, bytes]:
    """Grade the class, and return its reports without the times."""
    run = subprocess.run([*GRADE, *options], cwd=course, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    reports = course / "reports"
    return {
        str(file.relative_to(reports)): re.sub(rb'(_seconds": )[\d.e-]+', rb"\1", file.read_bytes())
        for file in reports.rglob("*")
        if file.is_file() and file.name != "audit.jsonl"
    }


@pytest.mark.slow
def test_a_killed_run_is_resumed_with_the_same_results(course: Path) -> None:
    undisturbed = graded(course)
    total = outcomes(course)
    shutil.rmtree(course / ".grader")
    shutil.rmtree(course / "reports")
    with subprocess.Popen(GRADE, cwd=course, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        while not outcomes(course):
            assert process.poll() is None
            time.sleep(0.02)
        process.kill()
    assert 0 < outcomes(course) < total
    assert graded(course) == undisturbed
    assert outcomes(course) == total


@pytest.mark.slow
def test_a_cluster_gives_the_same_results(course: Path) -> None:
    there = graded(course, "--cluster", "local:2")
    total = outcomes(course)
    shutil.rmtree(course / ".grader")
    shutil.rmtree(course / "reports")
    assert graded(course) == there
    assert outcomes(course) == total
