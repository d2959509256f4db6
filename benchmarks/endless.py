"""Measures the cost of a class with programs that never end, against the minimum time that their limits impose.

Some of the students submit a program that loops without asking for input; each of its tests uses the whole time limit
on one of two cores. Prints JSON, with times in seconds. Run as `python -m benchmarks.endless`.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.batch_class import TESTS, make_class

_CORES = 2


def main() -> None:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--students", type=int, default=40, help=f"size of the class; {TESTS} tests each")
    parser.add_argument("--every-endless", type=int, default=10, help="one of so many programs never ends")
    parser.add_argument("--limit", type=float, default=2.0, help="seconds that a test may take")
    options = parser.parse_args()
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:_CORES])
    with tempfile.TemporaryDirectory(prefix="endless-") as name:
        made = make_class(Path(name) / "course", options.students, every_faulty=options.students + 1)
        assignment = made.folder / "test_specs" / "totals" / "assignment.yaml"
        assignment.write_text(f"{assignment.read_text()}limits: {{wall_seconds: {options.limit}}}\n")
        endless = sorted(made.submissions.glob("*/totals.py"))[options.every_endless - 1 :: options.every_endless]
        for number, program in enumerate(endless):
            program.write_text(f"while True:\n    pass\n# {number}\n")
        command = [sys.executable, "-m", "grader", "grade", str(made.submissions), "--course", str(made.folder)]
        started = time.perf_counter()
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        seconds = time.perf_counter() - started
    forced = len(endless) * TESTS * options.limit / _CORES
    figures = {"endless": len(endless), "limits_alone": forced, "graded": round(seconds, 2)}
    print(json.dumps({"students": options.students, **figures, "ratio": round(seconds / forced, 3)}, indent=2))


if __name__ == "__main__":
    main()
