"""Measures the cost of a cluster on this machine against the threads of one process, by grading a class both ways.

Every run has an empty store and sandboxes. `ratio` is the median time with `--cluster local:N`, including start-up,
divided by the time with the same number of tests in parallel, two for each worker. A class of one student shows the
cost of start-up; `ratio_after_start` compares the cost of the other students. The ratios of processor time are for the
whole machine, including programs under test, so keep it idle. Prints JSON, with times in seconds. Run as `python -m
benchmarks.cluster`.
"""

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import psutil

from benchmarks.batch_class import TESTS, BatchClass, make_class
from grader.run.run_slots import TESTS_PER_CORE


def main() -> None:
    """Measure, and print the figures."""
    options = _options()
    with tempfile.TemporaryDirectory(prefix="cluster-") as name:
        one = _measure(make_class(Path(name) / "one", 1), options)
        many = _measure(
            make_class(
                Path(name) / "many", options.students, every_faulty=options.every_faulty or options.students + 1
            ),
            options,
        )
    report = {
        "students": options.students,
        "tests": TESTS,
        "workers": options.workers,
        "rounds": options.rounds,
        "every_faulty": options.every_faulty,
        "wall": _compared(one, many, lambda cost: cost.wall),
        "processor": _compared(one, many, lambda cost: cost.processor),
    }
    print(json.dumps(report, indent=2))


@dataclass(frozen=True)
class _Cost:
    """The seconds of one run."""

    wall: float
    processor: float


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--students", type=int, default=400, help=f"class size; {TESTS} tests each")
    parser.add_argument("--workers", type=int, default=2, help="worker processes")
    parser.add_argument("--rounds", type=int, default=5, help="how often each way is measured")
    parser.add_argument("--every-faulty", type=int, default=10, help="one of so many submissions fails every test")
    return parser.parse_args()


def _measure(made: BatchClass, options: argparse.Namespace) -> dict[str, list[_Cost]]:
    _run(["generate", "--course", str(made.folder)])
    jobs = TESTS_PER_CORE * options.workers
    ways = {"local": ["--jobs", str(jobs)], "cluster": ["--cluster", f"local:{options.workers}"]}
    costs: dict[str, list[_Cost]] = {way: [] for way in ways}
    for number in range(options.rounds):
        # The second run finds warmer caches, so the two take turns.
        for way in sorted(ways, reverse=number % 2 == 1):
            shutil.rmtree(made.folder / ".grader", ignore_errors=True)
            wall, processor = time.perf_counter(), _processor_seconds()
            _run(["grade", str(made.submissions), "--course", str(made.folder), *ways[way]])
            costs[way].append(_Cost(time.perf_counter() - wall, _processor_seconds() - processor))
    return costs


def _processor_seconds() -> float:
    """Return the seconds that all processes of this machine have used, because workers and programs end as orphans."""
    times = psutil.cpu_times()
    return float(times.user + times.system)


def _compared(
    one: dict[str, list[_Cost]], many: dict[str, list[_Cost]], seconds: Callable[[_Cost], float]
) -> dict[str, object]:
    def median(costs: list[_Cost]) -> float:
        return statistics.median(map(seconds, costs))

    start, whole = ({way: median(costs) for way, costs in found.items()} for found in (one, many))
    return {
        "ratio": round(whole["cluster"] / whole["local"], 3),
        "ratios_of_rounds": [
            round(seconds(a) / seconds(b), 3) for a, b in zip(many["cluster"], many["local"], strict=True)
        ],
        "ratio_after_start": round((whole["cluster"] - start["cluster"]) / (whole["local"] - start["local"]), 3),
        "start_seconds_more": round(start["cluster"] - start["local"], 2),
        "seconds": {way: [round(seconds(cost), 2) for cost in costs] for way, costs in many.items()},
    }


def _run(arguments: list[str]) -> None:
    subprocess.run([sys.executable, "-m", "grader", *arguments], check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
