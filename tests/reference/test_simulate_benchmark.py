"""The benchmark of simulate(), on few games."""

import json
import subprocess
import sys

import pytest

from tests.reference.programs import REFERENCE, environment


@pytest.mark.slow
def test_simulate_takes_at_most_a_tenth_of_a_straightforward_programs_time() -> None:
    benchmark = REFERENCE.parent / "benchmarks" / "simulate.py"
    done = subprocess.run(
        [sys.executable, benchmark, "--games", "400", "--repetitions", "3"],
        env=environment(),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    result = json.loads(done.stdout)
    assert result["call"] == "simulate(400, 0)"
    assert result["same_output"] is True
    assert result["ratio"] <= 0.1
