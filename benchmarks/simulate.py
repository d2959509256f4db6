"""Times the reference's simulate() of the second solitaire game against a simple program of a student.

The simple program builds the lines of every game and then only counts the remaining cards. Both programs run in turn,
each time in a new interpreter that reports the CPU time of the call alone. Prints JSON; the exit status is 1 if the two
programs print different results.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

COURSE_FOLDER = Path(__file__).resolve().parent.parent
REFERENCE = COURSE_FOLDER / "reference"
STRAIGHTFORWARD = COURSE_FOLDER / "submissions" / "comp9021-25t3-a1" / "right-transcripts"

TIMED_CALL = """\
from sys import argv, stderr
from time import process_time
from solitaire_2 import simulate
before = process_time()
simulate(int(argv[1]), int(argv[2]))
print(process_time() - before, file=stderr)
"""


def timed_call(folder: Path, games: int, first_seed: int) -> tuple[float, str]:
    """Return the CPU time of simulate(games, first_seed) in seconds, and its output."""
    command = [sys.executable, "-B", "-c", TIMED_CALL, str(games), str(first_seed)]
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=True)
    return float(done.stderr), done.stdout


def compare(games: int, first_seed: int, repetitions: int) -> dict[str, object]:
    """Run both programs in turn, and use the best time of each."""
    reference: list[tuple[float, str]] = []
    straightforward: list[tuple[float, str]] = []
    for _ in range(repetitions):
        reference.append(timed_call(REFERENCE, games, first_seed))
        straightforward.append(timed_call(STRAIGHTFORWARD, games, first_seed))
    reference_seconds, straightforward_seconds = min(reference)[0], min(straightforward)[0]
    return {
        "call": f"simulate({games}, {first_seed})",
        "repetitions": repetitions,
        "reference_cpu_seconds": round(reference_seconds, 4),
        "straightforward_cpu_seconds": round(straightforward_seconds, 4),
        "ratio": round(reference_seconds / straightforward_seconds, 4),
        "same_output": len({output for _, output in reference + straightforward}) == 1,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--repetitions", type=int, default=3)
    arguments = parser.parse_args()
    result = compare(arguments.games, arguments.first_seed, arguments.repetitions)
    print(json.dumps(result, indent=2))
    return 0 if result["same_output"] else 1


if __name__ == "__main__":
    sys.exit(main())
