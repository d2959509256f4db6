"""Measures the cost of a student's self-check against check50 with the same checks and its default settings.

Ten tests of a dialogue with ten inputs each are written as a course of the grader and as a package of checks. Both run
the same program from the same folder, alternately. Prints JSON, with times in seconds; `first_test` is the time until
the program first starts. The first check, when nothing about the course is cached, is also measured. check50 is
installed by `pip install terminal-grader[benchmarks]` and run with `--dev`, which uses checks on this machine. Run as
`python -m benchmarks.check50`.
"""

import argparse
import json
import os
import resource
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

PROGRAM = """\
total = 0
for _ in range(10):
    total += int(input("Number? "))
    print("Total so far:", total)
print("Done.")
"""
TESTS = 10
INPUTS = 10
_NOTES_ITS_START = """\
import time
with open({file!r}, "a") as starts:
    print(time.time(), file=starts)
"""

_ASSIGNMENT = """\
format: 1
id: totals
title: Totals
programs: [{file: totals.py, variants: [canonical]}]
parts: [{id: totals, title: Totals, marks: 10}]
due: 2026-10-27 11:59
time_zone: UTC
"""
_CHECKS = """\
import check50


@check50.check()
def exists():
    check50.exists("totals.py")
"""
_CHECK = """

@check50.check(exists)
def totals_{number}():
    {session}.exit(0)
"""


def find_check50(named: str | None) -> str | None:
    """Return the given command or the one in this environment, or None and an explanation if there is neither."""
    found = named or shutil.which("check50", path=f"{Path(sys.executable).parent}:{os.defpath}")
    if found is None:
        sys.stderr.write(
            "check50 is not there; pip install 'terminal-grader[benchmarks]', or name it with --check50.\n"
        )
    return found


def main() -> int:
    """Measure, and print the figures. The exit code is 1 if check50 is not installed."""
    options = _options()
    check50 = find_check50(options.check50)
    if check50 is None:
        return 1
    with tempfile.TemporaryDirectory(prefix="check50-") as name:
        folder = Path(name).resolve()
        course, checks, work = folder / "course", folder / "checks", folder / "work"
        starts, caches = folder / "starts", folder / "caches"
        _write_course(course)
        _write_checks(checks)
        work.mkdir()
        (work / "totals.py").write_text(_NOTES_ITS_START.format(file=str(starts)) + PROGRAM, encoding="utf-8")
        grader = str(Path(sys.executable).with_name("grader"))
        commands = {
            "grader": [grader, "check", "totals.py", "--course", str(course)],
            "grader_one_test": [grader, "check", "totals.py", "--course", str(course), "--test", "totals-0"],
            "grader_first_check": [grader, "check", "totals.py", "--course", str(course)],
            "check50": [check50, "--dev", str(checks)],
        }
        os.environ["XDG_CACHE_HOME"] = str(caches)
        runs = {kind: _runner(command, work, starts) for kind, command in commands.items()}
        runs["grader_first_check"] = _forgetting(caches / "grader" / "assignments", runs["grader_first_check"])
        found = _measure(runs, options.rounds)
    medians = {kind: statistics.median(run.wall for run in runs) for kind, runs in found.items()}
    report: dict[str, object] = {"tests": TESTS, "inputs": INPUTS, "rounds": options.rounds}
    report |= {kind: _figures(runs) for kind, runs in found.items()}
    report["check50_to_grader"] = round(medians["check50"] / medians["grader"], 2)
    print(json.dumps(report, indent=2))
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, help="how often each command is run")
    parser.add_argument("--check50", help="the command check50, by default the one beside this Python")
    return parser.parse_args()


def _numbers(test: int) -> list[int]:
    return [test * INPUTS + number for number in range(INPUTS)]


def _write_course(course: Path) -> None:
    specs = course / "test_specs" / "totals"
    (specs / "tests").mkdir(parents=True)
    (course / "reference").mkdir()
    (course / "reference" / "totals.py").write_text(PROGRAM, encoding="utf-8")
    (specs / "assignment.yaml").write_text(_ASSIGNMENT, encoding="utf-8")
    tests = "".join(f"  - {{id: totals-{number}, input: {_numbers(number)}}}\n" for number in range(TESTS))
    head = "format: 1\nprogram: totals.py\npart: totals\nvisibility: public\npoints: 1\ntests:\n"
    (specs / "tests" / "totals.yaml").write_text(head + tests, encoding="utf-8")
    command = [sys.executable, "-m", "grader", "generate", "--course", str(course)]
    subprocess.run(command, check=True, capture_output=True)


def _write_checks(checks: Path) -> None:
    checks.mkdir()
    (checks / ".cs50.yml").write_text("check50: true\n", encoding="utf-8")
    source = _CHECKS
    for test in range(TESTS):
        command = f"{shlex.quote(sys.executable)} totals.py"
        session, total = f"check50.run({command!r})", 0
        for number in _numbers(test):
            total += number
            session += f'.stdin("{number}").stdout("Total so far: {total}")'
        source += _CHECK.format(number=test, session=f'{session}.stdout("Done.")')
    (checks / "__init__.py").write_text(source, encoding="utf-8")


@dataclass(frozen=True)
class _Run:
    wall: float
    processor: float
    first_test: float


def _runner(command: list[str], work: Path, starts: Path) -> Callable[[], _Run]:
    def run() -> _Run:
        starts.write_text("", encoding="utf-8")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start, began = time.perf_counter(), time.time()
        done = subprocess.run(command, cwd=work, capture_output=True, text=True, check=False)
        wall = time.perf_counter() - start
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode != 0 or ":(" in done.stdout:
            raise SystemExit(f"{command[0]} failed:\n{done.stdout}{done.stderr}")
        processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        first = min(map(float, starts.read_text(encoding="utf-8").split()))
        return _Run(wall, processor, first - began)

    return run


def _forgetting(remembered: Path, run: Callable[[], _Run]) -> Callable[[], _Run]:
    def forget_and_run() -> _Run:
        shutil.rmtree(remembered, ignore_errors=True)
        return run()

    return forget_and_run


def _measure(kinds: Mapping[str, Callable[[], _Run]], rounds: int) -> dict[str, list[_Run]]:
    for run in kinds.values():
        run()
    found: dict[str, list[_Run]] = {kind: [] for kind in kinds}
    for _ in range(rounds):
        for kind, run in kinds.items():
            found[kind].append(run())
    return found


def _figures(runs: list[_Run]) -> dict[str, float]:
    walls = [run.wall for run in runs]
    return {
        "lowest": round(min(walls), 3),
        "median": round(statistics.median(walls), 3),
        "highest": round(max(walls), 3),
        "processor": round(statistics.median(run.processor for run in runs), 3),
        "first_test": round(statistics.median(run.first_test for run in runs), 3),
    }


if __name__ == "__main__":
    sys.exit(main())
