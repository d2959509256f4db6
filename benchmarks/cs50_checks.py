"""Compares the example course `cs50` with CS50's own checks on the same programs.

Each sample in docs/examples/cs50 is checked by check50 with the check that CS50 publishes, and graded here. The output
is a table of how many checks and how many tests each program fails, and whether both call it right or both wrong,
followed by the reason for each difference. The exit code is 1 if a difference has no known reason.

FOLDER is a clone of CS50's repository `problems`, bare or not, with the branches 2024/x and 2022/python; nothing is
written to it. check50 is installed by `pip install terminal-grader[benchmarks]` and only runs on this machine
(`--dev`). Run as `python -m benchmarks.cs50_checks FOLDER`.
"""

import argparse
import importlib.util
import json
import marshal
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.check50 import find_check50

COURSE = Path(__file__).resolve().parent.parent / "docs" / "examples" / "cs50"


@dataclass(frozen=True)
class Check:
    """A check of CS50, and the parts of an assignment here that test the same behaviour."""

    branch: str
    folder: str
    assignment: str
    parts: tuple[str, ...]


CHECKS = (
    Check("2024/x", "mario/less", "mario", ("pyramid",)),
    Check("2024/x", "cash", "cash", ("coins",)),
    Check("2024/x", "readability", "readability", ("grade",)),
    Check("2024/x", "caesar", "caesar", ("cipher", "arguments")),
    Check("2024/x", "volume", "volume", ("sound", "arguments")),
    Check("2022/python", "lines", "lines", ("count", "arguments")),
    Check("2022/python", "pizza", "pizza", ("table", "arguments")),
    Check("2022/python", "scourgify", "scourgify", ("file", "arguments")),
    Check("2022/python", "twttr", "twttr", ("words",)),
    Check("2022/python", "tests/twttr", "twttr", ("tests",)),
    Check("2022/python", "seasons", "seasons", ("words", "tests")),
)

REASONS: Mapping[tuple[str, str], str] = {
    ("pizza", "splits-commas"): "the files there have no commas within a cell; a test here does",
    ("scourgify", "too-many"): "the check there makes the call and does not look at its exit status",
}
"""The reason why a check and the tests here differ, by the folder of the check and the sample."""

_COMPILED = {
    "correct_test": "right",
    "vowel_replacement_test": "keeps_vowels",
    "capital_vowel_test": "keeps_capitals",
    "lower_vowel_test": "keeps_small",
    "number_test": "loses_digits",
    "capital_test": "all_capitals",
    "punctuation_test": "loses_signs",
}
"""CS50's programs, compiled for a single version of Python, and our programs with the same mistakes."""

_HEADER_OF_COMPILED = 16

_TRIES = 3
"""The number of times to check a program when a check times out, as can happen on a busy machine."""


@dataclass(frozen=True)
class Row:
    """A sample, and the checks and tests that it fails."""

    check: Check
    sample: str
    there: Sequence[str]
    here: Sequence[str]

    @property
    def agree(self) -> bool:
        """Return whether the checks and the tests both pass, or both fail, the program."""
        return bool(self.there) == bool(self.here)

    @property
    def reason(self) -> str | None:
        """Return the reason why they disagree, if known."""
        return REASONS.get((self.check.folder, self.sample))


def main() -> int:
    """Compare, and print the table. The exit code is 1 if a difference has no reason or check50 is not installed."""
    options = _options()
    check50 = find_check50(options.check50)
    if check50 is None:
        return 1
    rows: list[Row] = []
    print("| check | program | fails there | fails here | agree |\n| --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory(prefix="cs50-checks-") as name:
        environment = _environment(Path(name) / "tools")
        for number, check in enumerate(CHECKS):
            if options.only and check.folder not in options.only:
                continue
            own = Path(name) / str(number)
            for row in _rows(check, own, [check50, "--dev", "-o", "json"], options.folder, environment):
                print(_line(row), flush=True)
                rows.append(row)
    differing = [row for row in rows if not row.agree]
    print(f"\n{len(rows)} programs, {len(rows) - len(differing)} judged alike.")
    for row in differing:
        print(f"- {row.check.folder}, {row.sample}: {row.reason or 'no reason is known'}")
    return 1 if any(row.reason is None for row in differing) else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="a clone of CS50's repository `problems`")
    parser.add_argument("--only", action="append", help="a check, such as mario/less; may be given more than once")
    parser.add_argument("--check50", help="the command check50, by default the one beside this Python")
    return parser.parse_args()


def _environment(tools: Path) -> dict[str, str]:
    """Return the environment for check50: this Python, a compiler with the name it expects, and a library `cs50`.

    The samples do not use anything from that library, so an empty one is enough.
    """
    tools.mkdir(parents=True)
    subprocess.run([_tool("ar"), "rc", str(tools / "libcs50.a")], check=True, capture_output=True)
    (tools / "clang").symlink_to(shutil.which("clang") or _tool("gcc"))
    path = f"{tools}:{Path(sys.executable).parent}:{os.environ['PATH']}"
    plain = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # Otherwise, pytest takes seconds to start.
    return {**os.environ, **plain, "PATH": path, "LIBRARY_PATH": str(tools)}


def _tool(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise SystemExit(f"{name} is needed, and it is not there.")
    return found


def _rows(
    check: Check, own: Path, command: Sequence[str], repository: Path, environment: Mapping[str, str]
) -> Iterator[Row]:
    checks = _checks(check, own / "checks", repository)
    here = _failing_here(check, own / "reports")
    samples = COURSE / "submissions" / check.assignment
    for sample in sorted(samples.iterdir(), key=lambda folder: (folder.name != "right", folder.name)):
        results = _settled([*command, str(checks)], sample, own, environment)
        there = [result["name"] for result in results if not result["passed"]]
        yield Row(check, sample.name, there, here[sample.name])


def _settled(command: Sequence[str], sample: Path, own: Path, environment: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the results of the checks, repeated while a check times out."""
    results: list[dict[str, Any]] = []
    for number in range(_TRIES):
        results = _check50(command, sample, own / f"{sample.name}-{number}", environment)
        if not any(map(_ran_out_of_time, results)):
            break
    return results


def _check50(command: Sequence[str], sample: Path, work: Path, environment: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the results of the checks on a copy of the sample."""
    shutil.copytree(sample, work)
    report = work.with_suffix(".json")
    command = [*command[:-1], "--output-file", str(report), command[-1]]
    run = subprocess.run(
        command,
        cwd=work,
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    found = json.loads(report.read_text(encoding="utf-8")) if report.exists() else {}
    if "results" not in found:
        raise SystemExit(f"check50 failed on {sample}:\n{run.stdout}{run.stderr}")
    results: list[dict[str, Any]] = found["results"]
    return results


def _ran_out_of_time(result: Mapping[str, Any]) -> bool:
    return "timed out" in ((result["cause"] or {}).get("rationale") or "")


def _checks(check: Check, folder: Path, repository: Path) -> Path:
    """Return the files of a check from the repository."""
    folder.mkdir(parents=True)
    archive = [_tool("git"), "-C", str(repository), "archive", check.branch, check.folder]
    packed = subprocess.run(archive, check=True, capture_output=True).stdout
    subprocess.run([_tool("tar"), "-x", "-C", str(folder)], input=packed, check=True)
    for file in sorted((folder / check.folder).glob("*.pyc")):
        if not file.read_bytes().startswith(importlib.util.MAGIC_NUMBER):
            _compile_in_place(file)
    return folder / check.folder


def _compile_in_place(file: Path) -> None:
    """Replace a program compiled for another version with a program with the same mistake, compiled for this Python."""
    source = COURSE / "test_specs" / "twttr" / "own_tests" / f"{_COMPILED[file.stem]}.py"
    code = compile(source.read_text(encoding="utf-8"), source.name, "exec")
    file.write_bytes(bytes(_HEADER_OF_COMPILED) + marshal.dumps(code))


def _failing_here(check: Check, own: Path) -> dict[str, list[str]]:
    """Return the tests that each sample fails, in the parts that the check is about."""
    grader = str(Path(sys.executable).with_name("grader"))
    command = [grader, "grade", str(COURSE / "submissions" / check.assignment), "--course", str(COURSE)]
    command += ["--assignment", check.assignment, "--reports", str(own), "--store", str(own / "store.sqlite3")]
    run = subprocess.run(command, check=False, capture_output=True, text=True)
    report = own / check.assignment / "results.json"
    if not report.exists():
        raise SystemExit(f"Grading {check.assignment} failed:\n{run.stdout}{run.stderr}")
    return {
        submission["student"]: [
            test["id"] for test in submission["tests"] if test["part"] in check.parts and test["verdict"] != "passed"
        ]
        for submission in json.loads(report.read_text(encoding="utf-8"))["submissions"]
    }


def _line(row: Row) -> str:
    agree = "yes" if row.agree else "no"
    return f"| {row.check.folder} | {row.sample} | {len(row.there)} | {len(row.here)} | {agree} |"


if __name__ == "__main__":
    sys.exit(main())
