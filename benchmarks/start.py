"""Measures the processor seconds of help and version, beside a bare Python and pytest.

The commands take turns for a given number of rounds. Prints the medians of user and system time as JSON, and their
ratios to a bare Python. Run as `python -m benchmarks.start`.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys

COMMANDS: dict[str, tuple[str, ...]] = {
    "python -c pass": ("-c", "pass"),
    "grader --help": ("-m", "grader", "--help"),
    "grader --version": ("-m", "grader", "--version"),
    "grader check --help": ("-m", "grader", "check", "--help"),
    "python -m pytest --version": ("-m", "pytest", "--version"),
}


def main() -> None:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=21)
    rounds = parser.parse_args().rounds
    # The first start compiles modules that were never imported before.
    for arguments in COMMANDS.values():
        _processor_seconds(arguments)
    measured: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(rounds):
        for name, arguments in COMMANDS.items():
            measured[name].append(_processor_seconds(arguments))
    medians = {name: statistics.median(seconds) for name, seconds in measured.items()}
    bare = medians["python -c pass"]
    figures = {
        name: {"processor_seconds": round(seconds, 4), "ratio": round(seconds / bare, 2)}
        for name, seconds in medians.items()
    }
    print(json.dumps({"rounds": rounds, "commands": figures}, indent=2))


def _processor_seconds(arguments: tuple[str, ...]) -> float:
    process = subprocess.Popen([sys.executable, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, process.args)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
