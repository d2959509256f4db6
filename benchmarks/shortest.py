"""Measures how much shorter the session of `--shortest` is than the failing test, for the mistakes of audit.yaml.

For each mistake of the sample assignments, the first failing tests with at least three lines (or `--lines`) are
shortened, as in `grader check --shortest`. The output shows the median number of lines before and after, the median of
their ratios, and the seconds of processor time for each. A test that cannot be shortened counts with the ratio 1.

Run as `python -m benchmarks.shortest [ID...] [--every N] [--lines N] [--tests N]`.
"""

import argparse
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from statistics import median

from benchmarks.fuzz_power import ASSIGNMENTS, ROOT
from benchmarks.localise import FaultyProgram, hand_in, mistakes, with_short_limit
from benchmarks.processor_time import processor_time
from grader.expected.transcripts import load_transcripts
from grader.grading.grade_submission import grade_submission
from grader.grading.result_cache import OutcomeSource
from grader.model.assignment import Assignment
from grader.model.judgement import Verdict
from grader.model.results import TestResult
from grader.plugins.searching.fuzzing.playing.sessions import own_lines
from grader.plugins.searching.fuzzing.shortest.search import can_be_shortened, shorter_session
from grader.run.environment import sandboxed_environment
from grader.run.run_slots import cores
from grader.spec.course import Course


@dataclass(frozen=True)
class Shortened:
    """The number of lines in a failing test, and the number that remain."""

    before: int
    after: int


def shortened(
    assignment: Assignment, programs: Sequence[FaultyProgram], *, lines: int, tests: int
) -> Iterator[Shortened]:
    """Shorten the first failing `tests` of each program that have at least this many `lines`."""
    transcripts = load_transcripts(assignment, assignment.tests)
    limited = with_short_limit(assignment)
    with (
        tempfile.TemporaryDirectory() as name,
        sandboxed_environment((ROOT,)) as environment,
        ThreadPoolExecutor(cores()) as pool,
    ):
        outcomes = OutcomeSource(environment)

        def of_program(numbered: tuple[int, FaultyProgram]) -> list[Shortened]:
            number, program = numbered
            submission = hand_in(assignment, program, Path(name) / str(number))
            own = [test for test in assignment.tests if test.program == program.file]
            graded = grade_submission(limited, own, transcripts, submission, outcomes, tick=lambda: None)
            failed = (one for one in graded.results if one.verdict is not Verdict.PASSED)
            long = (one for one in failed if can_be_shortened(assignment, one) and _lines(one) >= lines)
            found = []
            for result in islice(long, tests):
                variant = graded.variants[program.file]
                session = shorter_session(limited, result, submission, environment, variant=variant)
                found.append(Shortened(_lines(result), _lines(result) if session is None else len(session.lines)))
            return found

        yield from (one for found in pool.map(of_program, enumerate(programs)) for one in found)


def _lines(result: TestResult) -> int:
    return len(own_lines(result.test) or ())


def figures(programs: int, found: Sequence[Shortened], seconds: float) -> Mapping[str, float]:
    """Return the figures to print."""
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
    parser.add_argument("--lines", type=int, default=3, metavar="N", help="the fewest lines that a test has (3)")
    parser.add_argument("--tests", type=int, default=1, metavar="N", help="the most tests of a mistake (1)")
    asked = parser.parse_args()
    printed = {}
    every: list[Shortened] = []
    total, seconds = 0, 0.0
    for name in asked.assignments:
        assignment = Course(ROOT).assignment(name)
        programs = list(mistakes(assignment))[:: asked.every]
        with processor_time() as worked:
            found = list(shortened(assignment, programs, lines=asked.lines, tests=asked.tests))
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
