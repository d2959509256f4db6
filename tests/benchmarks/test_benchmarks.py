"""The benchmarks run, and print figures that can be told apart; how large these are is no matter of tests."""

import json
import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks.first_minute import measure
from benchmarks.localise import changed_lines
from tests import ROOT
from tests.sandbox import needs_sandbox


def figures(name: str, *options: str) -> dict[str, Any]:
    command = [sys.executable, "-m", f"benchmarks.{name}", *options]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(run.stdout)
    return found


@pytest.mark.slow
@needs_sandbox
def test_batch() -> None:
    found = figures("batch", "--students", "2", "4", "--rounds", "1")
    assert [one["students"] for one in found["classes"]] == [2, 4]
    for one in found["classes"]:
        assert one["warm"]["median"] < one["cold"]["median"]
        assert one["cold_ratio"] == pytest.approx(one["cold"]["median"] / one["bare"]["median"], rel=0.02)
        assert 0 < one["cold_processor_seconds"]["grader"] < one["cold_processor_seconds"]["machine"]
    assert found["cold_time_per_student_large_to_small"] > 0


@pytest.mark.slow
@needs_sandbox
def test_session() -> None:
    found = figures("session", "--repetitions", "4", "--identical", "3")
    assert found["dialogue_10"]["ratio_process"] < found["dialogue_1000"]["ratio_process"]
    assert found["dialogue_10"]["ratio_prepared"] > 0
    assert found["output_10_megabytes"]["ratio_prepared"] > 0
    assert found["identical_quiet"] == {"runs": 6, "distinct_transcripts": 1} == found["identical_busy"]


@pytest.mark.slow
@needs_sandbox
def test_calls() -> None:
    found = figures("calls", "--rounds", "1", "--runs", "10")
    assert found["bare"]["median"] > 0
    ratio = found["process"]["median"] / found["fork"]["median"]
    assert found["process_to_fork"] == pytest.approx(ratio, rel=0.02)
    assert ratio > 1


@pytest.mark.slow
def test_check50() -> None:
    found = figures("check50", "--rounds", "1")
    ratio = found["check50"]["median"] / found["grader"]["median"]
    assert found["check50_to_grader"] == pytest.approx(ratio, rel=0.02)
    assert found["grader_one_test"]["processor"] > 0


@pytest.mark.slow
@needs_sandbox
def test_cluster() -> None:
    found = figures("cluster", "--students", "2", "--rounds", "1")
    for kind in ("wall", "processor"):
        seconds = found[kind]["seconds"]
        assert found[kind]["ratio"] == pytest.approx(seconds["cluster"][0] / seconds["local"][0], rel=0.02)
    assert found["processor"]["start_seconds_more"] > 0


@pytest.mark.slow
@needs_sandbox
def test_localise() -> None:
    found = figures("localise", "--assignments", "cse231-lab10a", "--every", "4")
    assert found["programs"] == 6
    assert 0 < found["ranked"] <= 6
    for name in ("ochiai", "tarantula", "dstar", "none"):
        assert 0 <= found[name]["first 1"] <= found[name]["first 3"] <= found[name]["first 5"] <= 1


def test_faulty_lines_are_those_that_differ_or_stand_beside_a_gap() -> None:
    right = ["a", "b", "c", "d"]
    assert changed_lines(right, right) == (0, frozenset())
    assert changed_lines(right, ["a", "x", "c", "d"]) == (1, frozenset({2}))
    assert changed_lines(right, ["a", "b", "d"]) == (1, frozenset({2, 3}))
    assert changed_lines(right, ["b", "c", "d", "x", "y"]) == (3, frozenset({1, 4, 5}))
    assert changed_lines(right, ["a", "b", "c"]) == (1, frozenset({3}))


@pytest.mark.slow
@needs_sandbox
def test_sandboxes() -> None:
    found = figures("sandboxes", "--rounds", "2")
    assert found["own_to_fork"] == pytest.approx(found["own"] / found["fork"], abs=0.01)
    assert found["fork"] > 0


@pytest.mark.slow
@needs_sandbox
def test_endless() -> None:
    found = figures("endless", "--students", "4", "--every-endless", "4", "--limit", "0.2")
    assert (found["endless"], found["limits_alone"]) == (1, 1.0)
    assert found["graded"] > 2.0, "one program was run on one of two cores"


@pytest.mark.slow
@needs_sandbox
def test_scale() -> None:
    found = figures("scale", "--sample", "2", "--submissions", "100", "--cores", "1", "10", "--replayed", "100")
    few, many = found["clusters"]
    assert (few["cores"], many["cores"]) == (1, 10)
    assert many["hours"] < few["hours"]
    # What a submission takes is drawn from few samples.
    assert few["hours"] >= 0.8 * few["hours_at_least"] > 0
    assert all(value > 0 for value in found["measured_per_submission"].values())


@pytest.mark.slow
def test_million() -> None:
    found = figures("million", "--students", "60", "--kills", "1")
    assert found["same_reports"]
    assert found["undisturbed"]["killed"] == {"worker": 0, "coordinator": 0}
    assert found["disturbed"]["killed"] == {"worker": 1, "coordinator": 1}
    assert found["disturbed"]["outcomes"] >= 60
    assert found["report"]["bytes_at_most"] > 0 < found["export"]["seconds"]


@pytest.mark.slow
def test_million_in_one_run() -> None:
    found = figures("million", "--students", "10", "--runs", "undisturbed")
    assert found["undisturbed"]["killed"] == {"worker": 0, "coordinator": 0}
    assert "disturbed" not in found


def test_first_minute(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The demo itself is run by tests/docs/test_first_minute.py, in a copy made in the same way."""
    (tmp_path / "Makefile").write_text(".venv/grader:\n\t@echo installed\ndemo:\n\t@echo shown; sleep 0.2; exit 3\n")
    demo = measure(tmp_path, "demo")
    assert (demo["installation"]["exit_status"], demo["command"]["exit_status"]) == (0, 2)
    assert demo["command"]["seconds"] >= 0.2
    assert (demo["installation"]["lines"], demo["command"]["lines"]) == (1, 2)
    assert "shown" in capsys.readouterr().err


@pytest.mark.slow
def test_intake() -> None:
    found = figures("intake", "--students", "5", "--shapes", "canvas", "moodle-zip")
    assert {shape: one["students"] for shape, one in found.items()} == {"canvas": 5, "moodle-zip": 5}
    assert all(one["seconds"] > 0 for one in found.values())


@pytest.mark.slow
def test_html_report() -> None:
    found = figures("html_report", "--students", "4", "--tests", "3")
    assert found["pages"] == 9
    assert 0 < found["overview_bytes"] <= found["largest_page_bytes"] < 1e6 * found["site_megabytes"]


@pytest.mark.slow
def test_diff() -> None:
    """On a megabyte, what is quadratic takes hours: the limits are for slow machines, not for good figures."""
    kinds = ["game", "one_line", "empty_lines", "alternating", "two_kinds", "shuffled"]
    found = figures("diff", "--megabytes", "1", "--difflib-seconds", "0.1", "--kinds", *kinds)
    assert [one["kind"] for one in found["cases"]] == kinds
    for one in found["cases"]:
        assert one["judge_seconds"] < 10
        assert one["whole_seconds"] < 30
        assert max(one["judge_megabytes"], one["whole_megabytes"]) < 200


def test_every_benchmark_is_in_its_document_and_explains_itself(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (ROOT / "benchmarks" / "README.md").read_text()
    named = set(re.findall(r"^python -m benchmarks\.(\w+)", text, re.M))
    scripts = {path.stem for path in (ROOT / "benchmarks").glob("*.py")} - {
        "__init__",
        "batch_class",
        "code_measures",
        "reading_measures",
        "disguise",
        "drawing_programs",
        "handout_samples",
        "labelled_programs",
        "patch_size",
        "processor_time",
        "replayed_cluster",
        "scale_simulation",
        "shapes",
        "source_package",
    }
    assert named == scripts
    monkeypatch.setattr(sys, "argv", ["", "--help"])
    for name in named:
        with pytest.raises(SystemExit, match="0"):
            runpy.run_path(str(ROOT / "benchmarks" / f"{name}.py"), run_name="__main__")
        assert f"usage: {name}.py" in capsys.readouterr().out


@pytest.mark.slow
def test_seeds() -> None:
    found = figures("seeds", "--assignments", "cse231-lab10b", "--choices", "1")
    [war] = found["searches"]
    assert war["values_at_random"] == found["random_times"] * war["values_found"]
    assert war["reached_by_found"]["event"] >= war["reached_at_random"][0]["event"] > 0
    assert not war["only_random_reach"]
    assert not war["stated_and_never_reached"]


@pytest.mark.slow
def test_groups() -> None:
    """The bounds are those of this class, in which a quarter has misspelt something as well."""
    found = figures("groups", "--assignments", "cse231-lab10a", "--mistakes", "5", "--students", "4")
    one = found["cse231-lab10a"]
    assert one["students"] == 22
    assert one["precision"] >= 0.95
    assert one["recall"] >= 0.6


@pytest.mark.slow
def test_start() -> None:
    """No limit on seconds, but help costs less than where formats are named, which imports what reports need."""
    commands = figures("start", "--rounds", "3")["commands"]
    bare = commands["python -c pass"]
    assert bare["ratio"] == 1.0
    for name in ("grader --help", "grader --version"):
        assert bare["processor_seconds"] < commands[name]["processor_seconds"]
        assert commands[name]["processor_seconds"] < commands["grader check --help"]["processor_seconds"]
