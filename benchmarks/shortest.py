"""How much shorter the session is that `--shortest` shows than the failing test: mistakes of audit.yaml.

For each mistake of the shipped assignments, the first failing test of at least three lines is made shorter, as
`grader check --shortest` does. Printed are the lines of both (medians), the median of their ratios, and the seconds
of processor time for each. A test of which no line can be left out counts with the ratio 1.

Run as `python -m benchmarks.shortest [ID...] [--every N]`.
"""

import argparse
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.fuzz_power import ASSIGNMENTS, ROOT
from benchmarks.localise import FaultyProgram, hand_in, hurried, mistakes
from benchmarks.processor_time import processor_time
from grader.authoring.fuzz.sessions import own_lines
from grader.authoring.shortest import can_be_shortened, shorter_session
from grader.expected.transcripts import load_transcripts
from grader.grading.grade_submission import grade_submission
from grader.grading.result_cache import OutcomeSource
from grader.model.assignment import Assignment
from grader.model.judgement import Verdict
from grader.run.core_slots import cores
from grader.run.environment import sandboxed_environment
from grader.spec.course import Course


@dataclass(frozen=True)
class Shortened:
    """The lines of a failing test and those that are left."""

    before: int
    after: int


def shortened(assignment: Assignment, programs: Sequence[FaultyProgram]) -> Iterator[Shortened]:
    """The first failing test of each program made shorter; nothing for those that fail none with enough lines."""
    transcripts = load_transcripts(assignment, assignment.tests)
    limited = hurried(assignment)
    with (
        tempfile.TemporaryDirectory() as name,
        sandboxed_environment((ROOT,)) as environment,
        ThreadPoolExecutor(cores()) as pool,
    ):
        outcomes = OutcomeSource(environment)

        def one(numbered: tuple[int, FaultyProgram]) -> Shortened | None:
            number, program = numbered
            submission = hand_in(assignment, program, Path(name) / str(number))
            tests = [test for test in assignment.tests if test.program == program.file]
            graded = grade_submission(limited, tests, transcripts, submission, outcomes, tick=lambda: None)
            failed = (one for one in graded.results if one.verdict is not Verdict.PASSED)
            first = next((one for one in failed if can_be_shortened(assignment, one)), None)
            if first is None:
                return None
            variant = graded.variants[program.file]
            found = shorter_session(limited, first, submission, environment, variant=variant)
            lines = own_lines(first.test) or ()
            return Shortened(len(lines), len(lines if found is None else found.lines))

        yield from (found for found in pool.map(one, enumerate(programs)) if found is not None)


def figures(programs: int, found: Sequence[Shortened], seconds: float) -> Mapping[str, float]:
    """What is printed of them."""
    return {
        "programs": programs,
        "shortened": len(found),
        "lines_of_the_test": median(one.before for one in found),
        "lines_that_are_left": median(one.after for one in found),
        "ratio": round(median(one.after / one.before for one in found), 3),
        "processor_seconds_each": round(seconds / len(found), 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("assignments", nargs="*", default=ASSIGNMENTS)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take only each N-th mistake")
    asked = parser.parse_args()
    printed = {}
    every: list[Shortened] = []
    total, seconds = 0, 0.0
    for name in asked.assignments:
        assignment = Course(ROOT).assignment(name)
        programs = list(mistakes(assignment))[:: asked.every]
        with processor_time() as worked:
            found = list(shortened(assignment, programs))
            own_seconds = worked()
        total += len(programs)
        seconds += own_seconds
        every += found
        if found:
            printed[name] = figures(len(programs), found, own_seconds)
    if every:
        printed["all"] = figures(total, every, seconds)
    print(json.dumps(printed, indent=1))


if __name__ == "__main__":
    main()
