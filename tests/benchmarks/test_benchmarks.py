"""The benchmarks run, and print figures that can be told apart; how large these are is no matter of tests."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.sandbox import needs_sandbox

ROOT = Path(__file__).parents[2]


def figures(name: str, *options: str) -> dict[str, Any]:
    command = [sys.executable, "-m", f"benchmarks.{name}", *options]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(run.stdout)
    return found


@needs_sandbox
def test_batch() -> None:
    found = figures("batch", "--students", "2", "4", "--rounds", "1")
    assert [one["students"] for one in found["classes"]] == [2, 4]
    for one in found["classes"]:
        assert one["warm"]["median"] < one["cold"]["median"]
        assert one["cold_ratio"] == pytest.approx(one["cold"]["median"] / one["bare"]["median"], rel=0.02)
    assert found["cold_time_per_student_large_to_small"] > 0


@needs_sandbox
def test_session() -> None:
    found = figures("session", "--repetitions", "4", "--identical", "3")
    assert found["dialogue_10"]["ratio_process"] < found["dialogue_1000"]["ratio_process"]
    assert found["dialogue_10"]["ratio_prepared"] > 0
    assert found["output_10_megabytes"]["ratio_prepared"] > 0
    assert found["identical_quiet"] == {"runs": 6, "distinct_transcripts": 1} == found["identical_busy"]


def test_intake() -> None:
    found = figures("intake", "--students", "5", "--shapes", "canvas", "moodle-zip")
    assert {shape: one["students"] for shape, one in found.items()} == {"canvas": 5, "moodle-zip": 5}
    assert all(one["seconds"] > 0 for one in found.values())


def test_html_report() -> None:
    found = figures("html_report", "--students", "4", "--tests", "3")
    assert found["pages"] == 8
    assert 0 < found["overview_bytes"] <= found["largest_page_bytes"] < 1e6 * found["site_megabytes"]


def test_every_benchmark_is_in_its_document_and_explains_itself() -> None:
    text = (ROOT / "benchmarks" / "README.md").read_text()
    named = set(re.findall(r"^python -m benchmarks\.(\w+)", text, re.M))
    scripts = {path.stem for path in (ROOT / "benchmarks").glob("*.py")} - {"__init__", "batch_class", "shapes"}
    assert named == scripts
    for name in named:
        command = [sys.executable, "-m", f"benchmarks.{name}", "--help"]
        assert subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
