"""Generates expected transcripts by running the references."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from grader.errors import GraderError
from grader.expected.transcripts import expected_file, wanted
from grader.run.bench import Bench
from grader.run.outcome import Ending, Outcome
from grader.run.run_test import run_test
from grader.spec.assignment import Assignment, Test

VARIANT_VARIABLE = "REFERENCE_VARIANT"
"""The environment variable that tells a reference which variant to be."""


class GenerationError(GraderError):
    """A reference did not do what the test asks of every submission."""


def generate(
    assignment: Assignment, tests: Sequence[Test], bench: Bench, *, jobs: int, tick: Callable[[], None]
) -> dict[Path, str]:
    """The expected transcripts of `tests`, by the file each belongs in; nothing is written.

    Raises GenerationError when a reference is missing, ends otherwise than the test says, or does not read all
    its input.
    """

    def transcript(item: tuple[Test, str]) -> tuple[Path, str]:
        test, variant = item
        text = _transcript(assignment, test, variant, bench)
        tick()
        return expected_file(assignment, test, variant), text

    with ThreadPoolExecutor(max_workers=jobs) as pool:
        try:
            return dict(pool.map(transcript, wanted(assignment, tests)))
        except BaseException:
            bench.cancelled.set()
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def _transcript(assignment: Assignment, test: Test, variant: str, bench: Bench) -> str:
    reference = assignment.program_of[test.program].reference
    if not reference.is_file():
        raise GenerationError(f"The reference {reference} is missing; {test.program} has tests but no reference.")
    files = ((reference, test.program),)
    outcome = run_test(bench, test, files, assignment.limits, {VARIANT_VARIABLE: variant})
    fault = _fault(test, outcome)
    if fault:
        end = outcome.transcript[-500:]
        message = f"The reference {reference.name} (variant {variant}) fails the test {test.id}: {fault}"
        raise GenerationError(f"{message}\nIts output ends with:\n{end}")
    return outcome.transcript


def _fault(test: Test, outcome: Outcome) -> str | None:
    if outcome.ending is Ending.KEEPS_READING:
        return "it asks for more input than the test gives"
    if outcome.ending is not Ending.EXITED:
        return f"its session ended as {outcome.ending}"
    if test.exit_status not in (None, outcome.exit_code):
        return f"its exit status is {outcome.exit_code}, the test says {test.exit_status}"
    if outcome.unsent:
        return f"it ended before the input `{test.lines[len(outcome.typed)]}` was read"
    return None
