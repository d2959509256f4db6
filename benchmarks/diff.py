"""Measures the time and peak memory of the judge and its diffs on pairs of 10 MB outputs, including hostile ones.

Each measurement is a separate process, which reads the two files first. `judge` finds the first difference, the cause
and the diff around it; `whole` makes the complete diff. For comparison, there are the times for reading the two files,
and for difflib, which is stopped after a while. Prints JSON: CPU seconds, peak memory in MB in addition to reading, and
ratios.
"""

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable
from decimal import Decimal
from difflib import unified_diff
from pathlib import Path

from grader.judge.diff import diff_around, whole_diff
from grader.judge.judge import judge
from grader.model.ending import SUCCESS
from grader.model.interaction import Dialogue
from grader.model.outcome import Outcome, Termination
from grader.model.test import Test, Visibility

_LINE = "Extending a row by using the card drawn"


def _numbered(size: int, make: Callable[[int], str]) -> list[str]:
    return [f"{make(number)}\n" for number in range(size // 50)]


def _game(size: int) -> tuple[str, str]:
    text = "".join(_numbered(size, lambda number: f"{_LINE} {number}"))
    return text, text.replace("99\n", "98\n")


def _last_line(size: int) -> tuple[str, str]:
    text = "ab\n" * (size // 3)
    return f"{text}c\n", f"{text}d\n"


def _line_missing_early(size: int) -> tuple[str, str]:
    text = "".join(_numbered(size, lambda number: f"{_LINE} {number % 100}"))
    return text, text.replace("\n", "\n\n", 1)


def _all_unique(size: int) -> tuple[str, str]:
    lines = _numbered(size, lambda number: f"{_LINE} {number}")
    return "".join(lines), "".join(f"now {line}" for line in lines)


def _one_line(size: int) -> tuple[str, str]:
    return "a" * size, "a" * (size // 2) + "b" + "a" * (size // 2)


def _two_kinds(size: int) -> tuple[str, str]:
    one, other = (random.Random(seed).choices(("a\n", "b\n"), k=size // 2) for seed in (1, 2))
    return "".join(one), "".join(other)


def _shuffled(size: int) -> tuple[str, str]:
    lines = _numbered(size, lambda number: f"{_LINE} {number}")
    return "".join(lines), "".join(random.Random(1).sample(lines, len(lines)))


def _emoji(size: int) -> tuple[str, str]:
    text = "".join(_numbered(size, lambda number: f"\U0001f0a1 \u2639\ufe0f {number} {_LINE[:25]}"))
    return text, text.replace("\ufe0f 7", " 7")


_PAIRS: dict[str, Callable[[int], tuple[str, str]]] = {
    "game": _game,
    "last_line": _last_line,
    "line_missing_early": _line_missing_early,
    "all_equal": lambda size: ("a\n" * (size // 2), "a\n" * (size // 2 - 9)),
    "all_unique": _all_unique,
    "one_line": _one_line,
    "empty_lines": lambda size: ("\n" * (size // 2), "x" + "\n" * (size // 2)),
    "alternating": lambda size: ("a\nb\n" * (size // 4), "b\na\n" * (size // 4)),
    "two_kinds": _two_kinds,
    "shuffled": _shuffled,
    "emoji": _emoji,
}
"""A function that makes two texts of about this many bytes."""
KINDS = tuple(_PAIRS)


def _judge(expected: str, actual: str) -> None:
    test = Test(
        id="t",
        title="",
        program="game.py",
        part="p",
        visibility=Visibility.PUBLIC,
        points=Decimal(1),
        interaction=Dialogue(()),
        ending=SUCCESS,
    )
    outcome = Outcome(
        transcript=actual,
        typed=(),
        ending=Termination.EXITED,
        exit_code=0,
        signal=None,
        unsent=0,
        wall_seconds=1.0,
        cpu_seconds=1.0,
    )
    judgement = judge(test, expected, outcome)
    assert judgement.divergence is not None
    diff_around(expected, actual, judgement.divergence)


def _whole(expected: str, actual: str) -> None:
    whole_diff(expected, actual)


def _difflib(expected: str, actual: str) -> None:
    deque(unified_diff(expected.split("\n"), actual.split("\n")), maxlen=0)


def _read(expected: str, actual: str) -> None:
    """Do nothing but the reading that comes before every measurement."""


WORK = {"read": _read, "judge": _judge, "whole": _whole, "difflib": _difflib}


def _measure(work: str, files: list[str]) -> dict[str, float]:
    """Read the files, do the work, and return its cost: CPU seconds, and memory in addition to reading."""
    begin = time.process_time()
    expected, actual = (Path(file).read_bytes().decode("utf-8", "surrogateescape") for file in files)
    read = time.process_time()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    WORK[work](expected, actual)
    done = time.process_time()
    megabytes = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    return {"read_seconds": read - begin, "seconds": done - read, "megabytes": megabytes}


def _in_a_process(work: str, files: list[Path], seconds: float | None = None) -> dict[str, float] | None:
    """Measure in a separate process; return None if it takes longer than `seconds` or fails."""
    command = [sys.executable, "-m", "benchmarks.diff", "--measure", work, *map(str, files)]
    try:
        run = subprocess.run(command, capture_output=True, text=True, check=True, timeout=seconds)
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError):
        # difflib may also end with a RecursionError.
        return None
    found: dict[str, float] = json.loads(run.stdout)
    return found


def _case(kind: str, size: int, difflib_seconds: float, folder: Path) -> dict[str, object]:
    files = [folder / "expected.txt", folder / "actual.txt"]
    for file, text in zip(files, _PAIRS[kind](size), strict=True):
        file.write_text(text, encoding="utf-8")
    judged, whole = _in_a_process("judge", files), _in_a_process("whole", files)
    assert judged is not None
    assert whole is not None
    of_difflib = _in_a_process("difflib", files, difflib_seconds)
    read = min(judged["read_seconds"], whole["read_seconds"])
    return {
        "kind": kind,
        "megabytes_each": round(files[0].stat().st_size / 1e6, 1),
        "read_seconds": round(read, 4),
        "judge_seconds": round(judged["seconds"], 3),
        "judge_megabytes": round(judged["megabytes"]),
        "judge_to_read": round(judged["seconds"] / max(read, 0.001), 1),
        "whole_seconds": round(whole["seconds"], 3),
        "whole_megabytes": round(whole["megabytes"]),
        "whole_to_difflib": round(whole["seconds"] / of_difflib["seconds"], 3) if of_difflib else None,
        "difflib_seconds": round(of_difflib["seconds"], 3) if of_difflib else f"not done in {difflib_seconds:g}",
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=float, default=10)
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    parser.add_argument("--difflib-seconds", type=float, default=20, help="when to give up on difflib")
    parser.add_argument("--measure", nargs=3, metavar=("WORK", "EXPECTED", "ACTUAL"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        work, *files = arguments.measure
        print(json.dumps(_measure(work, files)))
        return
    with tempfile.TemporaryDirectory() as folder:
        size = int(arguments.megabytes * 1_000_000)
        cases = [_case(kind, size, arguments.difflib_seconds, Path(folder)) for kind in arguments.kinds]
    print(json.dumps({"cases": cases}, indent=2))


if __name__ == "__main__":
    main()
