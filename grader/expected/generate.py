"""Generates expected transcripts by running the references."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import cast

from grader.errors import GraderError
from grader.expected.expected_call import ExpectedCall
from grader.expected.reasons import MODULE, Reasons, reasons_in
from grader.expected.transcripts import expected_file, reasons_file, wanted
from grader.run.bench import Bench
from grader.run.outcome import Called, Ending, Outcome
from grader.spec.assignment import Assignment, Test
from grader.spec.plain import Plain

VARIANT_VARIABLE = "REFERENCE_VARIANT"
"""The environment variable that tells a reference which variant to be."""


class GenerationError(GraderError):
    """A reference did not do what the test asks of every submission."""


def generate(
    assignment: Assignment, tests: Sequence[Test], bench: Bench, *, jobs: int, tick: Callable[[], None]
) -> dict[Path, str]:
    """The expected transcripts of `tests`, and the reasons that the references name, by the file each belongs in.

    Nothing is written. A reference in Python answers for a program in any language.

    Raises GenerationError when a reference is missing, ends otherwise than the test says, or does not read all
    its input.
    """

    def files(item: tuple[Test, str]) -> dict[Path, str]:
        test, variant = item
        text, reasons = _transcript(assignment, test, variant, bench)
        tick()
        found = {expected_file(assignment, test, variant): text}
        if reasons.reasons:
            found[reasons_file(assignment, test, variant)] = reasons.text()
        return found

    with ThreadPoolExecutor(max_workers=jobs) as pool:
        try:
            generated: dict[Path, str] = {}
            for found in pool.map(files, wanted(assignment, tests)):
                generated.update(found)
            return generated
        except BaseException:
            bench.cancelled.set()
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def _transcript(assignment: Assignment, test: Test, variant: str, bench: Bench) -> tuple[str, Reasons]:
    reference = assignment.program_of[test.program].reference
    if not reference.is_file():
        raise GenerationError(f"The reference {reference} is missing; {test.program} has tests but no reference.")
    files = (*assignment.provided_files, (reference, test.program))
    if test.call is None and all(name != MODULE[1] for _, name in files):
        files = (*files, MODULE)
    environment = {**test.provision.environment, VARIANT_VARIABLE: variant}
    started = replace(test, recipe=None) if reference.suffix == ".py" else test
    outcome = bench.run(started, files, assignment.limits, environment)
    transcript, reasons = reasons_in(outcome.transcript)
    fault = _fault(test, outcome)
    if fault:
        end = transcript[-500:]
        message = f"The reference {reference.name} (variant {variant}) fails the test {test.id}: {fault}"
        raise GenerationError(f"{message}\nIts output ends with:\n{end}")
    return (transcript if outcome.call is None else _expected_call(outcome, outcome.call).text()), reasons


def _expected_call(outcome: Outcome, call: Called) -> ExpectedCall:
    given = cast("Mapping[str, Plain]", call.given or {})
    return ExpectedCall(cast("Plain", call.returned), outcome.transcript, given)


def _fault(test: Test, outcome: Outcome) -> str | None:
    if outcome.in_build:
        return "it cannot be built"
    if outcome.ending is Ending.KEEPS_READING:
        return "it asks for more input than the test gives"
    if outcome.ending is not Ending.EXITED:
        return f"its session ended as {outcome.ending}"
    if test.exit_status not in (None, outcome.exit_code):
        return f"its exit status is {outcome.exit_code}, the test says {test.exit_status}"
    if outcome.call is not None and outcome.call.given is None:
        return "its function does not return"
    if outcome.unsent:
        return f"it ended before the input `{test.lines[len(outcome.typed)]}` was read"
    return None
