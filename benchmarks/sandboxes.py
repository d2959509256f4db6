"""Measures how long it takes to start a sandbox, run a test and end it, with a shared or a separate interpreter.

A single run alternates between the two kinds. Prints JSON, with times in milliseconds: the median elapsed time, most of
which the grader may spend waiting for the kernel, and the mean processor time of the whole machine, so nothing else may
run. Run as `python -m benchmarks.sandboxes`.
"""

import argparse
import json
import os
import statistics
import tempfile
import time
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from grader.model.assignment import Isolation
from grader.model.interaction import Dialogue
from grader.model.program import Limits
from grader.run.environment import RunEnvironment, sandboxed_environment
from grader.run.sandbox.sandboxes import SandboxStart
from tests.building import TEST

_SOURCE = "import random\nprint(random.random() < 2)\n"
_TEST = replace(TEST, program="program.py", interaction=Dialogue(()))


def main() -> None:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=40, help="how often each kind is measured")
    rounds: int = parser.parse_args().rounds
    with ExitStack() as stack:
        program = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "program.py"
        program.write_text(_SOURCE, encoding="utf-8")
        environments = {
            start: stack.enter_context(sandboxed_environment((), tests_at_a_time=1, start=start))
            for start in SandboxStart
        }
        times: dict[SandboxStart, list[float]] = {start: [] for start in SandboxStart}
        busy: dict[SandboxStart, list[float]] = {start: [] for start in SandboxStart}
        for _ in range(rounds + 1):
            for start, environment in environments.items():
                before = _busy_milliseconds()
                times[start].append(_milliseconds(environment, program))
                busy[start].append(_busy_milliseconds() - before)
        if environments[SandboxStart.FORK].sandbox_start is not SandboxStart.FORK:
            raise SystemExit("here no sandbox can make others")
    # The first round starts the shared interpreter.
    medians = {start.value: round(statistics.median(values[1:]), 2) for start, values in times.items()}
    processor = {f"{start.value}_processor": round(statistics.mean(values[1:]), 2) for start, values in busy.items()}
    ratio = round(medians["own"] / medians["fork"], 2)
    print(json.dumps({"rounds": rounds, **medians, "own_to_fork": ratio, **processor}, indent=2))


def _busy_milliseconds() -> float:
    """Return the processor time of the whole machine: user, nice and system in the first line of proc_stat(5)."""
    with Path("/proc/stat").open(encoding="ascii") as file:
        return 1000 * sum(map(int, file.readline().split()[1:4])) / os.sysconf("SC_CLK_TCK")


def _milliseconds(environment: RunEnvironment, program: Path) -> float:
    started = time.perf_counter()
    with environment.runner([(program, program.name)]) as runner:
        outcome = runner.run(_TEST, Limits(), Isolation.FORK, {})
    seconds = time.perf_counter() - started
    assert outcome.transcript == "True\n", outcome
    return 1000 * seconds


if __name__ == "__main__":
    main()
