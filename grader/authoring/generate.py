"""Generates the expected transcripts by running the references, and compares those on disk with them."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from difflib import unified_diff
from enum import StrEnum
from pathlib import Path
from typing import assert_never, cast

from grader.authoring.reference_files import all_references, reference_files
from grader.errors import GraderError
from grader.expected.rationale import MODULE, NO_REASONS, RuleReasons, offset_without_marks, reasons_in
from grader.expected.transcripts import expected_file, read_transcript, reasons_file, wanted, write_transcript
from grader.judge.function_call import ExpectedCall
from grader.judge.traceback import find_traceback
from grader.model.assignment import Assignment
from grader.model.codec import Plain, unknown_object
from grader.model.interaction import CallCheck, Dialogue, FunctionCall, ReplSession, StdinRun, typed_lines
from grader.model.outcome import CallResult, Outcome, Termination
from grader.model.submission import Submission, SubmittedFile, TimeSource
from grader.model.test import Test
from grader.run.environment import RunEnvironment


class GenerationError(GraderError):
    """A reference did not do what the test asks of every submission."""


def generate(
    assignment: Assignment, tests: Sequence[Test], environment: RunEnvironment, *, jobs: int, tick: Callable[[], None]
) -> dict[Path, str]:
    """The expected transcripts of `tests`, and the reasons that the references name, by the file each belongs in.

    Nothing is written. A reference in Python answers for a program in any language.

    Raises GenerationError when a reference is missing, ends otherwise than the test says, or does not read all
    its input.
    """

    def files(item: tuple[Test, str]) -> dict[Path, str]:
        test, variant = item
        text, reasons = _transcript(assignment, test, variant, environment)
        tick()
        found = {expected_file(assignment, test, variant): text}
        if reasons != NO_REASONS:
            found[reasons_file(assignment, test, variant)] = reasons.text()
        return found

    generated: dict[Path, str] = {}
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        try:
            for found in pool.map(files, wanted(assignment, tests)):
                generated.update(found)
        except BaseException:
            environment.cancelled.set()
            pool.shutdown(wait=True, cancel_futures=True)
            raise
    return generated


def _transcript(
    assignment: Assignment, test: Test, variant: str, environment: RunEnvironment
) -> tuple[str, RuleReasons]:
    program = assignment.program_of[test.program]
    reference = program.reference
    if not reference.is_file():
        raise GenerationError(f"The reference {reference} is missing; {test.program} has tests but no reference.")
    files = reference_files(assignment, program, reference)
    if _may_give_reasons(test) and all(name != MODULE[1] for _, name in files):
        files = (*files, MODULE)
    started = told_variant(assignment, test, variant)
    outcome = environment.run(started, files, assignment.limits, started.provision.environment)
    transcript, reasons = reasons_in(outcome.transcript)
    if isinstance(test.interaction, Dialogue) and not test.interaction.echo:
        typed = tuple(offset_without_marks(outcome.transcript, one.offset) for one in outcome.typed)
        reasons = replace(reasons, typed=typed)
    fault = _fault(test, outcome)
    if fault:
        end = transcript[-500:]
        message = f"The reference {reference.name} (variant {variant}) fails the test {test.id}: {fault}"
        raise GenerationError(f"{message}\nIts output ends with:\n{end}")
    return (transcript if outcome.call is None else _expected_call(outcome, outcome.call).text()), reasons


def told_variant(assignment: Assignment, test: Test, variant: str) -> Test:
    """The test as the reference of its program runs it."""
    recipe = None if assignment.program_of[test.program].reference.suffix == ".py" else test.recipe
    return replace(test, recipe=recipe, provision=replace(test.provision, variant=variant))


_WITHOUT_REASONS = "def because(rule, text):\n    return text\n"


def reference_submission(
    assignment: Assignment, tests: Sequence[Test], folder: Path
) -> tuple[Assignment, Submission] | None:
    """The references as a submission, and the assignment with those of `tests` that there is a reference for.

    None when there is none. What references import may be written to `folder`.
    """
    there = {program.file for program in assignment.programs if program.reference.is_file()}
    told = [told_variant(assignment, test, assignment.program_of[test.program].variants[0]) for test in tests]
    own = tuple(test for test in told if test.program in there)
    if not own:
        return None
    files = {name: SubmittedFile(name, file) for file, name in all_references(assignment)}
    if MODULE[1] not in {*files, *(name for _, name in assignment.provided_files)}:
        file = folder / MODULE[1]
        file.write_text(_WITHOUT_REASONS, encoding="ascii")
        files[MODULE[1]] = SubmittedFile(MODULE[1], file)
    submission = Submission(
        student="reference", files=tuple(files.values()), submitted=None, time_source=TimeSource.NONE, notes=()
    )
    return replace(assignment, tests=own, rules=()), submission


def _may_give_reasons(test: Test) -> bool:
    """Whether lines of the expected file may have reasons: that of a call has values, not lines."""
    match test.interaction:
        case Dialogue() | ReplSession() | StdinRun():
            return True
        case FunctionCall():
            return False
        case _:
            assert_never(test.interaction)


def _expected_call(outcome: Outcome, call: CallResult) -> ExpectedCall:
    given = cast("Mapping[str, Plain]", call.given or {})
    return ExpectedCall(cast("Plain", call.returned), outcome.transcript, given)


def _fault(test: Test, outcome: Outcome) -> str | None:
    if outcome.in_build:
        return "it cannot be built"
    if outcome.ending is Termination.KEEPS_READING:
        return "it asks for more input than the test gives"
    if outcome.ending is not Termination.EXITED:
        return f"its session ended as {outcome.ending}"
    if outcome.exit_code and find_traceback(outcome.errors, test.program):
        return "it ends with an uncaught exception"
    if test.exit_status not in (None, outcome.exit_code):
        return f"its exit status is {outcome.exit_code}, the test says {test.exit_status}"
    if outcome.call is not None and outcome.call.given is None:
        return "its function does not return"
    if outcome.call is not None and (unknown := _not_compared(test, outcome.call)) is not None:
        return (
            f"its function gives {unknown}, of which only the kind can be compared. Let the call give lists, texts and "
            "numbers, as list(…) or vars(…) do, or take other `checks`"
        )
    if outcome.unsent:
        return f"it ended before the input `{typed_lines(test.interaction)[len(outcome.typed)]}` was read"
    return None


def _not_compared(test: Test, call: CallResult) -> str | None:
    """An object among the values that the test compares, in which any content would pass."""
    if test.checker is not None or not isinstance(test.interaction, FunctionCall):
        return None
    checks = test.interaction.checks
    values = [cast("Plain", call.returned)] * (CallCheck.RETURN_VALUE in checks)
    if CallCheck.MUTATED_VARIABLES in checks:
        values += cast("Mapping[str, Plain]", call.given or {}).values()
    return unknown_object(values)


class TranscriptState(StrEnum):
    """What is wrong with an expected file."""

    STALE = "stale"
    MISSING = "missing"
    ORPHANED = "orphaned"


@dataclass(frozen=True)
class TranscriptFinding:
    """An expected file that is not as it should be. `new` is None when it should not be there."""

    file: Path
    state: TranscriptState
    old: str | None
    new: str | None

    def diff(self) -> str:
        """What would change in the file, as a unified diff."""
        lines = unified_diff(_lines(self.old or ""), _lines(self.new or ""), str(self.file), "generated", n=2)
        return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _lines(text: str) -> list[str]:
    """The lines of `text` with their ends. Only a line feed ends one: a carriage return or form feed stands inside."""
    return [line for line in re.split(r"(?<=\n)", text) if line]


def findings(folder: Path, generated: Mapping[Path, str]) -> Iterator[TranscriptFinding]:
    """What differs between `folder` (expected/) and what was `generated`."""
    on_disk = {*folder.glob("*.txt"), *folder.glob("*.json")}
    for file, new in sorted(generated.items()):
        if file not in on_disk:
            yield TranscriptFinding(file, TranscriptState.MISSING, old=None, new=new)
            continue
        old = read_transcript(file)
        if old != new:
            yield TranscriptFinding(file, TranscriptState.STALE, old, new)
    for file in sorted(on_disk - set(generated)):
        yield TranscriptFinding(file, TranscriptState.ORPHANED, old=read_transcript(file), new=None)


def repair(finding: TranscriptFinding) -> None:
    """Write or remove the file of `finding`, so that it is as it should be."""
    if finding.new is None:
        finding.file.unlink(missing_ok=True)
    else:
        write_transcript(finding.file, finding.new)
