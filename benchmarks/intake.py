"""Measures how long it takes to read a class from each download format: find, unpack, read, and match with the roster.

Each format is made up and read once in one process. Prints JSON, with elapsed and processor times in seconds. Run as
`python -m benchmarks.intake`.
"""

import argparse
import json
import os
import tempfile
import time
from pathlib import Path

from benchmarks.course import DUE, PROGRAM, ZONE, Course, make_course
from benchmarks.shapes import SHAPES
from grader.class_files.roster import read_roster
from grader.intake.attempt import UnpackSettings
from grader.intake.choose_attempt import choose_attempts
from grader.intake.class_folder import open_class
from grader.intake.match_files import SubmissionRequirements
from grader.intake.read_class import read_class
from grader.platforms import recognised_formats


def main() -> None:
    """Measure, and print the figures."""
    options = _options()
    course = make_course(options.students)
    print(json.dumps({shape: _measure(course, shape) for shape in options.shapes}, indent=2))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--students", type=int, default=2000)
    parser.add_argument("--shapes", nargs="+", choices=sorted(SHAPES), default=sorted(SHAPES))
    return parser.parse_args()


def _measure(course: Course, shape: str) -> dict[str, float | int]:
    with tempfile.TemporaryDirectory(prefix="intake-") as name:
        folder = Path(name)
        path = course.write(folder / "class", shape)
        course.write_roster(folder / "roster.csv")
        (folder / "unpacked").mkdir()
        started, used = time.perf_counter(), _processor_seconds()
        wanted = SubmissionRequirements(programs={PROGRAM: (PROGRAM,)}, zone=ZONE)
        space = UnpackSettings(folder / "unpacked", wanted.limits, ZONE)
        roster = read_roster(folder / "roster.csv")
        arrived = read_class(open_class(path, space, wanted.names), wanted, space, recognised_formats(), roster=roster)
        intake = choose_attempts(arrived, wanted, space, lambda _: DUE)
        seconds, used = time.perf_counter() - started, _processor_seconds() - used
    with_files = sum(bool(submission.files) for submission in intake.submissions)
    counts = {"students": len(intake.submissions), "with_files": with_files}
    return {**counts, **_rounded(seconds, used)}


def _rounded(seconds: float, used: float) -> dict[str, float]:
    return {"seconds": round(seconds, 3), "processor_seconds": round(used, 3)}


def _processor_seconds() -> float:
    """Return the seconds that this process and its children have used."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


if __name__ == "__main__":
    main()
