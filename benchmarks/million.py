"""Grades a class of any size on workers of this machine, while workers and the coordinator are killed.

Every submission is a different tiny program with one test; one in ten is wrong, and the marks must show which. First,
the class is graded undisturbed, and then again with another store: at regular intervals, a worker or the coordinator is
killed in turn, and the coordinator is restarted. The reports of both runs must be identical byte for byte, except for
the seconds that programs took. Then web pages and an export are made from the store. Prints JSON: elapsed seconds and
seconds of all processors, bytes, and the memory of the coordinator over time. Each run is also printed to standard
error as soon as it has ended. Run as `python -m benchmarks.million --students N`.
"""

import argparse
import csv
import filecmp
import json
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any

import psutil

_FILES = {
    "test_specs/tiny/assignment.yaml": """\
format: 1
id: tiny
title: Doubling
programs:
  - {file: tiny.sh, run: [./tiny.sh]}
parts:
  - {id: tiny, title: tiny, marks: 1}
due: 2026-03-20 17:00
time_zone: Europe/Vienna
""",
    "test_specs/tiny/tests/tiny.yaml": """\
format: 1
program: tiny.sh
part: tiny
tests:
  - {id: doubles, points: 1, stdin_text: "5\\n"}
""",
    "test_specs/tiny/expected/doubles.canonical.txt": "10\n",
    "reference/tiny.sh": "#!/bin/sh\nread n\necho $((n * 2))\n",
}

_SECONDS_BETWEEN_LOOKS = 0.2
_POINTS = 20


def main() -> None:
    """Grade twice, compare, and print the figures."""
    options = _options()
    with tempfile.TemporaryDirectory(prefix="million-") as folder:
        course = Path(folder)
        _make_class(course, options.students)
        grade = [
            *("grade", str(course / "submissions" / "tiny"), "--course", str(course)),
            *("--sandbox", options.sandbox, "--cluster", f"local:{options.workers}"),
        ]
        steps = range(1, 2 * options.kills + 1)
        moments = {
            "undisturbed": [],
            "disturbed": [options.students * number // (2 * options.kills + 1) for number in steps],
        }
        figures: dict[str, Any] = {name: getattr(options, name) for name in ("students", "workers", "sandbox")}
        for name in options.runs:
            figures[name] = _run(course, name, grade, options.students, moments[name])
            assert _marks_are_right(course / name, options.students)
            print(json.dumps({name: figures[name]}), file=sys.stderr, flush=True)
        if len(options.runs) == len(moments):
            assert _same(course / "undisturbed", course / "disturbed")
            figures["same_reports"] = True
        last = [str(course / "submissions" / "tiny"), "--course", str(course), "--sandbox", options.sandbox]
        last += ["--store", str(course / options.runs[-1] / "store.sqlite3")]
        figures["export"] = _measured(["export", options.export, *last])
        print(json.dumps({"export": figures["export"]}), file=sys.stderr, flush=True)
        figures["report"] = _measured(["report", *last])
    print(json.dumps(figures, indent=2))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--students", type=int, default=1_000_000, help="class size; a program and a test each")
    parser.add_argument("--workers", type=int, default=2, help="worker processes")
    parser.add_argument("--kills", type=int, default=10, help="how often a worker is killed, and the coordinator")
    both = ["undisturbed", "disturbed"]
    parser.add_argument("--runs", nargs="+", default=both, choices=both, help="one of them takes less time than both")
    parser.add_argument("--sandbox", default="none", choices=["none", "bwrap"])
    parser.add_argument("--export", default="gradescope", help="the format of the export")
    return parser.parse_args()


def _make_class(course: Path, students: int) -> None:
    for name, text in _FILES.items():
        (course / name).parent.mkdir(parents=True, exist_ok=True)
        _write(course / name, text)
    folder = course / "submissions" / "tiny"
    folder.mkdir(parents=True)
    for number in range(students):
        factor = 3 if _is_wrong(number) else 2
        _write(folder / f"s{number}_tiny.sh", f"#!/bin/sh\n# {number}\nread n\necho $((n * {factor}))\n")


def _is_wrong(number: int) -> bool:
    return number % 10 == 0


def _write(file: Path, text: str) -> None:
    """Write an executable file, like the submitted programs."""
    file.write_text(text)
    file.chmod(0o755)


@dataclass
class _Watched:
    """The observations of a run: the time in seconds, the number of stored outcomes, and the coordinator's bytes."""

    seen: list[tuple[float, int, int]] = field(default_factory=list)
    killed: list[str] = field(default_factory=list)

    def points(self) -> list[dict[str, float]]:
        """Return a few moments, evenly spread, and the last one."""
        step = max(1, len(self.seen) // _POINTS)
        return [
            {"seconds": round(at), "outcomes": outcomes, "coordinator_bytes": memory}
            for at, outcomes, memory in [*self.seen[::step], *self.seen[-1:]]
        ]


def _run(course: Path, name: str, grade: Sequence[str], students: int, moments: Sequence[int]) -> dict[str, Any]:
    """Grade with a separate store and separate reports, and kill a process at each given number of outcomes."""
    store = course / name / "store.sqlite3"
    command = [*grade, "--store", str(store), "--reports", str(course / name / "reports")]
    watched = _Watched()
    started, processor = time.monotonic(), _processor_seconds()
    left = list(moments)
    while True:
        process = _start(command)
        coordinator = psutil.Process(process.pid)
        ended = _watch(coordinator, store, watched, started, left)
        code = process.wait()
        if ended:
            break
    assert code == 0, f"the grader ended with {code}"
    count = _outcomes(store)
    assert count >= students
    seconds = time.monotonic() - started
    # The grader may have ended since the last look.
    graded = next((at for at, outcomes, _ in watched.seen if outcomes >= students - students // 50), seconds)
    return {
        "seconds": round(seconds),
        "seconds_until_nearly_all_is_graded": round(graded),
        "processor_seconds": round(_processor_seconds() - processor),
        "killed": {kind: watched.killed.count(kind) for kind in ("worker", "coordinator")},
        "outcomes": count,
        "store_bytes": sum(file.stat().st_size for file in store.parent.glob("store*")),
        "coordinator_bytes_at_most": max(memory for _, _, memory in watched.seen),
        "points": watched.points(),
    }


def _watch(coordinator: psutil.Process, store: Path, watched: _Watched, started: float, moments: list[int]) -> bool:
    """Watch a run, and kill processes when it is time; return whether the coordinator ended by itself."""
    while coordinator.status() != psutil.STATUS_ZOMBIE:
        with suppress(psutil.NoSuchProcess):
            outcomes = _outcomes(store)
            watched.seen.append((time.monotonic() - started, outcomes, coordinator.memory_info().rss))
            if moments and outcomes >= moments[0]:
                victims = list(_workers(coordinator))
                if len(watched.killed) % 2:
                    everyone = coordinator.children(recursive=True)
                    coordinator.send_signal(signal.SIGKILL)
                    psutil.wait_procs(everyone, timeout=60)
                    watched.killed.append("coordinator")
                    del moments[0]
                    return False
                if victims:
                    victims[0].send_signal(signal.SIGKILL)
                    watched.killed.append("worker")
                    del moments[0]
        time.sleep(_SECONDS_BETWEEN_LOOKS)
    return True


def _workers(coordinator: psutil.Process) -> Iterator[psutil.Process]:
    """Return the workers that the coordinator started through the process from which they are forked."""
    for child in coordinator.children():
        yield from child.children()


def _outcomes(store: Path) -> int:
    """Return the number of rows of outcomes; rows are only ever added."""
    if not store.exists():
        return 0
    with closing(sqlite3.connect(store, timeout=60)) as connection:
        return int(connection.execute("SELECT coalesce(max(id), 0) FROM outcomes").fetchone()[0])


def _start(arguments: Sequence[str]) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-m", "grader", "-q", *arguments], stdout=subprocess.DEVNULL, stderr=sys.stderr
    )


def _processor_seconds() -> float:
    """Return the seconds that all processes of this machine have used, because workers and programs end as orphans."""
    times = psutil.cpu_times()
    return float(times.user + times.system)


def _same(first: Path, second: Path) -> bool:
    """Return whether the reports of two runs are the same except for the seconds that programs took."""
    one, other = first / "reports" / "tiny", second / "reports" / "tiny"
    names = sorted(path.relative_to(one) for path in one.rglob("*"))
    assert names == sorted(path.relative_to(other) for path in other.rglob("*"))
    plain = [str(name) for name in names if (one / name).is_file() and name.name != "results.json"]
    _, differing, missing = filecmp.cmpfiles(one, other, plain, shallow=False)
    with (one / "results.json").open() as mine, (other / "results.json").open() as theirs:
        lines = all(_timeless(a) == _timeless(b) for a, b in zip_longest(mine, theirs, fillvalue=""))
    return not differing and not missing and lines


def _marks_are_right(run: Path, students: int) -> bool:
    """Return whether each program has the mark that it was made for."""
    with (run / "reports" / "tiny" / "results.csv").open(newline="") as file:
        marks = {row["student"]: row["tiny"] for row in csv.DictReader(file)}
    return marks == {f"s{number}": "0" if _is_wrong(number) else "1" for number in range(students)}


def _timeless(line: str) -> str:
    return re.sub(r'(_seconds": )[\d.e-]+', r"\1", line)


def _measured(arguments: Sequence[str]) -> dict[str, float]:
    """Return the seconds and the peak memory of a command."""
    started, highest = time.monotonic(), 0
    process = _start(arguments)
    watched = psutil.Process(process.pid)
    while process.poll() is None:
        with suppress(psutil.NoSuchProcess):
            highest = max(highest, watched.memory_info().rss)
        time.sleep(_SECONDS_BETWEEN_LOOKS)
    assert process.returncode == 0
    return {"seconds": round(time.monotonic() - started, 1), "bytes_at_most": highest}


if __name__ == "__main__":
    main()
