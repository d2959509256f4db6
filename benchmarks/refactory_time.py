"""Measures how long it takes to grade Refactory's submissions call by call, beside a bare loop of `python3`.

FOLDER is the unpacked `data.zip`, which is not part of this project. Each call of a question is a separate test. The
bare loop makes the same calls, two at a time: a new `python3` imports the program and prints the result of the call,
and nothing is compared. Both end a program after five seconds. The output shows the elapsed seconds of both and their
ratio, for each question and in total. Because the bare loop takes twice as long, `--bare-every 10` runs it with every
tenth of the graded programs, and reports ten times the measured seconds.

Run as `python -m benchmarks.refactory_time FOLDER [--questions N ...] [--every N] [--bare-every N]`.
"""

import argparse
import os
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.labelled_programs import ASSIGNMENT, SECONDS_LIMIT, hand_in, write_course
from benchmarks.refactory import QUESTIONS, calls_of, labelled_programs, question_folder, question_with
from grader.api.grade import grade
from grader.plugins.scaffolding.author import generate

_AT_A_TIME = "2"
_BARE = f'cd "$0" && timeout {SECONDS_LIMIT} python3 "$1" > /dev/null 2>&1; true'
_CALL = """\
import os, sys
sys.path[0] = os.getcwd()
from answer import *
print(repr({call}))
"""


@dataclass(frozen=True)
class _Times:
    """The elapsed seconds."""

    submissions: int
    calls: int
    graded: float
    bare: float

    def __str__(self) -> str:
        """Return all times and the ratio."""
        return (
            f"{self.submissions} submissions, {self.calls} calls: graded in {self.graded:.0f} s, "
            f"bare loop {self.bare:.0f} s: {self.graded / self.bare:.2f}"
        )


def _measure(data: Path, number: int, asked: argparse.Namespace, course: Path) -> _Times:
    source = question_folder(data, number)
    calls = calls_of(source)
    programs = labelled_programs(source).every(asked.every)
    question = question_with(source, [{"id": f"call-{place}", "call": call} for place, call in enumerate(calls)])
    write_course(question, course)
    folder = hand_in(question, programs, course)
    students = sorted(folder.iterdir())
    list(generate([ASSIGNMENT], course=course))
    some = students[:: asked.bare_every]
    bare = _bare(calls, some, course / "calls") * len(students) / len(some)
    started = time.monotonic()
    graded = grade(folder, course=course, assignment=ASSIGNMENT).rows
    seconds = time.monotonic() - started
    return _Times(len(graded), sum(len(row.graded.results) for row in graded), seconds, bare)


def _bare(calls: Sequence[str], students: Sequence[Path], folder: Path) -> float:
    """Return the seconds of the bare loop."""
    folder.mkdir()
    files = []
    for place, call in enumerate(calls):
        files.append(folder / f"{place}.py")
        files[-1].write_text(_CALL.format(call=call), encoding="utf-8")
    asked = "".join(f"{student}\n{file}\n" for student in students for file in files)
    command = ["xargs", "-P", _AT_A_TIME, "-n", "2", "-d", "\n", "sh", "-c", _BARE]
    started = time.monotonic()
    subprocess.run(command, input=asked, text=True, check=True, env={**os.environ, "PYTHONHASHSEED": "0"})
    return time.monotonic() - started


def main() -> None:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--questions", type=int, nargs="*", default=[asked.number for asked in QUESTIONS])
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take only each N-th program")
    parser.add_argument("--bare-every", type=int, default=1, metavar="N", help="and of these for the bare loop")
    asked = parser.parse_args()
    found = []
    for number in asked.questions:
        with TemporaryDirectory() as course:
            found.append(_measure(asked.folder, number, asked, Path(course)))
        print(f"question {number}: {found[-1]}", flush=True)
    print("all:", _Times(*(sum(values) for values in zip(*(vars(one).values() for one in found), strict=True))))


if __name__ == "__main__":
    main()
