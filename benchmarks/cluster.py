"""What a cluster on this machine costs, against the threads of one process: a class graded both ways, alternating.

Every run has an empty store and sandboxes. `ratio` is the median time with `--cluster local:N`, start included, against
that with `--jobs N`. `start_ratio` is the same for a class of one student. Printed as JSON; times are in seconds.
Run as `python -m benchmarks.cluster`.
"""

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.batch_class import TESTS, BatchClass, make_class


def main() -> None:
    """Measure and print."""
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
        "ratio": _ratio(many),
        "ratios_of_rounds": [
            round(ours / local, 3) for ours, local in zip(many["cluster"], many["local"], strict=True)
        ],
        "start_ratio": _ratio(one),
        "start_seconds": round(statistics.median(one["cluster"]) - statistics.median(one["local"]), 2),
        **{kind: [round(seconds, 2) for seconds in times] for kind, times in many.items()},
    }
    print(json.dumps(report, indent=2))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--students", type=int, default=400, help=f"class size; {TESTS} tests each")
    parser.add_argument("--workers", type=int, default=2, help="worker processes, and tests at a time without them")
    parser.add_argument("--rounds", type=int, default=5, help="how often each way is measured")
    parser.add_argument("--every-faulty", type=int, default=10, help="one of so many submissions fails every test")
    return parser.parse_args()


def _measure(made: BatchClass, options: argparse.Namespace) -> dict[str, list[float]]:
    _run(["generate", "--course", str(made.folder)])
    ways = {"local": ["--jobs", str(options.workers)], "cluster": ["--cluster", f"local:{options.workers}"]}
    times: dict[str, list[float]] = {way: [] for way in ways}
    for number in range(options.rounds):
        # Whoever comes second finds warmer caches: they take turns.
        for way in sorted(ways, reverse=number % 2 == 1):
            shutil.rmtree(made.folder / ".grader", ignore_errors=True)
            started = time.perf_counter()
            _run(["grade", str(made.submissions), "--course", str(made.folder), *ways[way]])
            times[way].append(time.perf_counter() - started)
            print(f"round {number + 1}, {way}: {times[way][-1]:.2f} s", file=sys.stderr)
    return times


def _ratio(times: dict[str, list[float]]) -> float:
    return round(statistics.median(times["cluster"]) / statistics.median(times["local"]), 3)


def _run(arguments: list[str]) -> None:
    subprocess.run([sys.executable, "-m", "grader", *arguments], check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
