"""Counts runs of programs that wake by themselves whose frames are wrong or late, beside busy loops.

The programs are those of tests/plugins/screens/test_timers.py: some wait for a key, and the others never keep still.
Prints JSON: for each program the runs, those with other frames or another end, and seconds of the shortest, median and
longest. Run as `python -m benchmarks.screens_polling`.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median

from benchmarks.screens import busy_loops
from grader.model.assignment import Isolation
from grader.model.outcome import Termination
from grader.model.program import Limits
from grader.run.environment import open_environment
from grader.run.interface import TestRunner
from tests.plugins.screens.conftest import screen_test
from tests.plugins.screens.test_timers import MOVING, POLLING, SHOWN

_TEST = screen_test(("+", "q"))


def main() -> None:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", nargs="*", choices=[*POLLING, *MOVING], default=[*POLLING, *MOVING])
    parser.add_argument("--runs", type=int, default=20, help="of each program")
    parser.add_argument("--jobs", type=int, default=4, help="sessions at a time")
    parser.add_argument("--busy", type=int, default=8, help="busy loops beside the runs")
    options = parser.parse_args()
    figures = {}
    with (
        tempfile.TemporaryDirectory() as folder,
        open_environment(tests_at_a_time=options.jobs) as environment,
        ThreadPoolExecutor(options.jobs) as pool,
        busy_loops(options.busy),
    ):
        for name in options.programs:
            file = Path(folder, "game.py")
            file.write_text({**POLLING, **MOVING}[name])
            with environment.runner([(file, file.name)], [_TEST]) as runner:
                tries = list(pool.map(lambda _, name=name, runner=runner: _run(runner, name), range(options.runs)))
            seconds = [round(taken, 1) for _, taken in tries]
            wrong = [ending for ending, _ in tries if ending]
            figures[name] = {
                "runs": len(tries),
                "wrong": wrong,
                "seconds": [min(seconds), median(seconds), max(seconds)],
                "load": round(os.getloadavg()[0], 1),
            }
            print(f"{name}: {figures[name]}", file=sys.stderr)
    print(json.dumps(figures, indent=2))


def _run(runner: TestRunner, name: str) -> tuple[str, float]:
    """Return what is wrong with a run, or an empty text, and its seconds."""
    limits = Limits(wall_seconds=60 if name in POLLING else 3)
    begun = time.monotonic()
    outcome = runner.run(_TEST, limits, Isolation.FRESH_PROCESS, {})
    right = (SHOWN, Termination.EXITED) if name in POLLING else ("", Termination.TIMED_OUT)
    is_right = (outcome.transcript, outcome.ending) == right
    return "" if is_right else f"{outcome.ending}: {outcome.transcript}", time.monotonic() - begun


if __name__ == "__main__":
    main()
