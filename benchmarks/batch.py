"""Measures the cost of grading a class against bare runs: `python3 program < input > output` and `cmp`, two at a time.

A single run measures everything on two cores, alternating between the kinds: the bare runs with `xargs -P2`, `grader
grade` with sandboxes and an empty store, and `grader grade` again with nothing changed. With `--students 200 2000`, it
measures both sizes, which shows whether the time grows linearly and how much memory is needed. Prints JSON, with times
in seconds. For a cold run, the processor time of the grader's own process is listed separately from the total for the
machine, because a single process can only use one core. Run as `python -m benchmarks.batch`.
"""

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from benchmarks.batch_class import TESTS, BatchClass, make_class
from grader.run.interpreter import student_environment

_BARE = '"$0" "$1" < "$2" > "$3"; cmp -s "$3" "$4" || true'
_CORES = 2


def main() -> None:
    """Measure, and print the figures."""
    options = _options()
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:_CORES])
    with tempfile.TemporaryDirectory(prefix="batch-") as name:
        results = [_measure(Path(name), students, options) for students in options.students]
    report: dict[str, object] = {"classes": [result.figures for result in results]}
    if len(results) > 1:
        small, large = results[0], results[-1]
        growth = large.students / small.students
        report["cold_time_per_student_large_to_small"] = round(large.cold / small.cold / growth, 3)
    print(json.dumps(report, indent=2))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--students", type=int, nargs="+", default=[200], help=f"class sizes; {TESTS} tests each")
    parser.add_argument("--rounds", type=int, default=5, help="how often each kind is measured")
    parser.add_argument(
        "--every-faulty",
        type=int,
        default=0,
        help="one of so many submissions fails every test, which are run twice then",
    )
    return parser.parse_args()


@dataclass(frozen=True)
class _Result:
    """The figures of a class, and the figures that compare it with another class."""

    students: int
    cold: float
    figures: dict[str, object]


def _measure(folder: Path, students: int, options: argparse.Namespace) -> _Result:
    made = make_class(folder / "course", students, every_faulty=options.every_faulty or students + 1)
    python = student_environment(folder / "interpreter").executable
    _run([sys.executable, "-m", "grader", "generate", "--course", made.folder])
    times: dict[str, list[float]] = {"bare": [], "cold": [], "warm": []}
    runs: list[_GraderRun] = []
    for _ in range(options.rounds):
        times["bare"].append(_bare(made, students, python, folder / "bare"))
        shutil.rmtree(made.folder / ".grader", ignore_errors=True)
        cold, warm = _grade(made), _grade(made)
        times["cold"].append(cold.seconds)
        times["warm"].append(warm.seconds)
        runs.append(cold)
    medians = {kind: statistics.median(values) for kind, values in times.items()}
    own = statistics.median(run.own_processor_seconds for run in runs)
    machine = statistics.median(run.machine_processor_seconds for run in runs)
    figures = {
        "students": students,
        "tests": TESTS,
        "rounds": options.rounds,
        "every_faulty": options.every_faulty,
        **{kind: _spread(values) for kind, values in times.items()},
        "cold_ratio": round(medians["cold"] / medians["bare"], 3),
        "warm_ratio": round(medians["warm"] / medians["bare"], 4),
        "cold_processor_seconds": {"grader": round(own, 2), "machine": round(machine, 2)},
        "cores_kept_busy_by_one_process": round(machine / own, 1),
        "grader_megabytes": round(max(run.bytes_at_most for run in runs) / 1e6, 1),
    }
    return _Result(students, medians["cold"], figures)


def _spread(values: list[float]) -> dict[str, float]:
    middle = statistics.median(values)
    return {"lowest": round(min(values), 3), "median": round(middle, 3), "highest": round(max(values), 3)}


def _bare(made: BatchClass, students: int, python: Path, outputs: Path) -> float:
    shutil.rmtree(outputs, ignore_errors=True)
    outputs.mkdir(parents=True)
    programs = sorted(made.submissions.glob("*/totals.py"))
    words = [
        str(word)
        for number, program in enumerate(programs)
        for test in range(TESTS)
        for word in (program, made.stdin(test), outputs / f"{number}-{test}", made.stdout(test))
    ]
    assert len(words) == 4 * students * TESTS
    command = ["xargs", "-0", f"-P{_CORES}", "-n4", "sh", "-c", _BARE, str(python)]
    environment = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}
    started = time.perf_counter()
    subprocess.run(command, input="\0".join(words), text=True, env=environment, check=True)
    return time.perf_counter() - started


@dataclass(frozen=True, kw_only=True)
class _GraderRun:
    """The cost of a run of the grader; `bytes_at_most` is the maximum memory of any of its processes."""

    seconds: float
    own_processor_seconds: float
    machine_processor_seconds: float
    bytes_at_most: int


def _grade(made: BatchClass) -> _GraderRun:
    command = [sys.executable, "-m", "grader", "grade", str(made.submissions), "--course", str(made.folder)]
    started, processor = time.perf_counter(), _work(psutil.cpu_times())
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    # An ended process keeps its times in /proc until its parent reaps it.
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    seconds = time.perf_counter() - started
    own, all_of_it = _work(psutil.Process(process.pid).cpu_times()), _work(psutil.cpu_times()) - processor
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"grading failed with exit status {process.returncode}")
    return _GraderRun(
        seconds=seconds,
        own_processor_seconds=own,
        machine_processor_seconds=all_of_it,
        bytes_at_most=_bytes(usage),
    )


def _work(times: Any) -> float:
    return float(times.user + times.system)


def _bytes(usage: resource.struct_rusage) -> int:
    return usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _run(command: list[str | Path]) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
