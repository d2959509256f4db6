"""Generates expected transcripts by running the references, and compares them with the files on disk."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from grader.authoring.reference_files import all_references, reference_files
from grader.authoring.repeatable import (
    SECOND_RUN_ENVIRONMENT,
    NondeterministicReferenceError,
    difference,
    rerun_count,
    wait_for_next_second,
)
from grader.checkers.ask import ask
from grader.errors import GraderError
from grader.expected.rationale import MODULE, RuleReasons, need_module, offset_without_marks, reasons_in
from grader.expected.transcripts import ERRORS, expected_file, needs_steps, reasons_file, side_output_files, wanted
from grader.grading.grade_submission import judge_outcome
from grader.judge.calls import call_judge
from grader.judge.found_errors import found_errors
from grader.judge.judge import judge
from grader.judge.output_checks import remove_typing
from grader.judge.partial_credit import milestones_not_in
from grader.judge.stack_trace import may_end_by_error, traceback_of
from grader.model.assignment import Assignment
from grader.model.expectation import FromReference, GivenTranscript, OutputChecks
from grader.model.interaction import (
    Dialogue,
    FunctionCall,
    PluginInteraction,
    ReplSession,
    StdinRun,
    is_game,
    typed_lines,
)
from grader.model.judgement import Verdict
from grader.model.outcome import Outcome, Termination
from grader.model.program import Limits
from grader.model.submission import Submission, SubmittedFile, TimeSource
from grader.model.test import ComparisonPolicy, HandoutSample, Test
from grader.run.environment import RunEnvironment
from grader.run.interface import SubmissionFiles
from grader.run.run_slots import thread_pool
from grader.text.escape import quote

# To clear the screen, programs that print lines may go to its first cell.
_DRAWS = re.compile(r"\x1b\[(?!0*1;0*1[Hf])(?:\d+;\d+[Hf]|\?(?:1049|47)h)")
_WITHOUT_REASONS = "def because(rule, text):\n    return text\n"


class GenerationError(GraderError):
    """A reference does not meet a requirement that the test sets for every submission."""


class ReferenceFaultError(GenerationError):
    """The reference failed. `fault` is the reason, and `unsent` counts the input lines that it did not read."""

    def __init__(self, message: str, fault: str, unsent: int) -> None:
        super().__init__(message)
        self.fault = fault
        self.unsent = unsent


def generate(
    assignment: Assignment, tests: Sequence[Test], environment: RunEnvironment, *, jobs: int, tick: Callable[[], None]
) -> dict[Path, str]:
    """Return the expected transcripts of `tests` and the reasons given by the references, by destination file.

    Does not write any files. A reference in Python can serve programs in any language. References must also pass tests
    with an interactor, which do not produce files.

    Raises GenerationError if a reference is missing, does not end as the test requires, or does not read all its input,
    NondeterministicReferenceError if a second run behaves differently, and InteractorError if an interactor fails.
    """
    items = list(answered(assignment, tests))

    def first_run(item: tuple[Test, str]) -> Mapping[Path, str]:
        test, variant = item
        outcome, reasons = reference_outcome(assignment, test, variant, environment.run)
        tick()
        _refuse_failing(test, variant, outcome)
        if test.sample is not None and variant == assignment.program_of[test.program].variants[0]:
            _check_sample(test.sample, test, outcome)
        return _kept_files(assignment, test, variant, outcome, reasons)

    def run_again(test: Test, files: SubmissionFiles, limits: Limits, variables: Mapping[str, str]) -> Outcome:
        return environment.run(test, files, limits, {**SECOND_RUN_ENVIRONMENT, **variables})

    def second_run(test: Test, variant: str, first: Mapping[Path, str]) -> None:
        name = assignment.program_of[test.program].reference.name
        try:
            outcome, reasons = reference_outcome(assignment, test, variant, run_again)
        except ReferenceFaultError as error:
            raise NondeterministicReferenceError(
                name, test, f"it passes at first, and the second time {error.fault}"
            ) from None
        again = _kept_files(assignment, test, variant, outcome, reasons)
        if (change := difference(test, first, again, outcome)) is not None:
            raise NondeterministicReferenceError(name, test, change)

    with thread_pool(jobs, environment.cancelled.set) as pool:
        generated = list(pool.map(first_run, items))
        written = [(*item, files) for item, files in zip(items, generated, strict=True) if files]
        wait_for_next_second(_sources(assignment, written), environment.cancelled)
        list(pool.map(second_run, *zip(*written * rerun_count(len(written)), strict=True)))
    return {file: text for files in generated for file, text in files.items()}


def _kept_files(
    assignment: Assignment, test: Test, variant: str, outcome: Outcome, reasons: RuleReasons
) -> Mapping[Path, str]:
    """Return the files to write for a reference's run, by path, with the expected file first."""
    if not test.needs_reference:
        return {}
    files = {expected_file(assignment, test, variant): expected_text(test, outcome)}
    for name, file in side_output_files(assignment, test, variant).items():
        files[file] = outcome.errors if name == ERRORS else (outcome.written[name] or "")
    if reasons != RuleReasons():
        files[reasons_file(assignment, test, variant)] = reasons.text()
    return files


def _sources(assignment: Assignment, written: Iterable[tuple[Test, str, object]]) -> set[Path]:
    """Return the references of these tests and their accompanying files."""
    programs = (assignment.program_of[name] for name in {test.program for test, _, _ in written})
    return {path for program in programs for path, _ in reference_files(assignment, program, program.reference)}


def expected_text(test: Test, outcome: Outcome) -> str:
    """Return the content of the expected file."""
    if isinstance(test.interaction, FunctionCall) and outcome.call is not None:
        return call_judge().expected(outcome, outcome.call).text(test.interaction.calls)
    if isinstance(test.interaction, PluginInteraction):
        return test.interaction.expected_text(outcome)
    return remove_typing(test, outcome) if isinstance(test.expectation, OutputChecks) else outcome.transcript


def answered(assignment: Assignment, tests: Sequence[Test]) -> Iterator[tuple[Test, str]]:
    """Yield the tests and variants to run on references; tests that state the expected output do not need a reference.

    Every reference runs with the interactors, which tests the interactors too.
    """
    yield from wanted(assignment, tests)
    for test in tests:
        program = assignment.program_of[test.program]
        if is_game(test.interaction):
            yield from ((test, variant) for variant in program.variants)
        elif not test.needs_reference and program.reference.is_file():
            yield test, program.variants[0]


def _refuse_failing(test: Test, variant: str, outcome: Outcome) -> None:
    """Raise GenerationError if the reference fails an expectation stated by the test itself."""
    if isinstance(test.expectation, FromReference) or test.checker is not None:
        return
    stated = test.expectation
    expected = stated.text if isinstance(stated, GivenTranscript) else expected_text(test, outcome)
    judgement = judge_outcome(test, expected, outcome, ask)
    if judgement.verdict is not Verdict.PASSED and judgement.diagnosis:
        fault = f"fails the test {test.id}: {judgement.diagnosis.sentence}"
        raise GenerationError(f"The reference of {test.program} (variant {variant}) {fault}")


def _check_sample(sample: HandoutSample, test: Test, outcome: Outcome) -> None:
    """Raise GenerationError if the reference's output differs from a sample in the handout."""
    compared = replace(test, comparison=ComparisonPolicy(ignore=sample.ignore))
    difference = judge(compared, sample.text, outcome).divergence
    if difference is None:
        return
    if difference.expected == difference.actual:
        fault = f"only one of them ends line {difference.line} with a newline"
    else:
        in_sample, in_reference = (
            "nothing more" if line is None else quote(line) for line in (difference.expected, difference.actual)
        )
        fault = f"line {difference.line} is {in_sample} there, and the reference prints {in_reference}"
    raise GenerationError(
        f"The reference of {test.program} does not print samples/{sample.name} of the test {test.id}: {fault}. "
        "Change the reference, or name in `sample.ignore` what may differ."
    )


RunReference: TypeAlias = Callable[[Test, SubmissionFiles, Limits, Mapping[str, str]], Outcome]
"""A function that runs a test on files within limits, with extra environment variables."""


def reference_outcome(
    assignment: Assignment, test: Test, variant: str, run: RunReference
) -> tuple[Outcome, RuleReasons]:
    """Run the reference; return its outcome, with the markers for reasons removed, and the reasons.

    Raises GenerationError if the reference is missing, and ReferenceFaultError if it does not meet the requirements of
    the test.
    """
    program = assignment.program_of[test.program]
    reference = program.reference
    if not reference.is_file():
        raise GenerationError(f"The reference {reference} is missing; {test.program} has tests but no reference.")
    files = reference_files(assignment, program, reference)
    if _may_give_reasons(test) and need_module(files):
        files = (*files, MODULE)
    started = as_reference(assignment, test, variant)
    outcome = run(started, files, started.limits or assignment.limits, started.environment)
    transcript, reasons = reasons_in(outcome.transcript)
    if needs_steps(test) or (isinstance(test.interaction, Dialogue) and not test.interaction.echo):
        typed = tuple(offset_without_marks(outcome.transcript, line.offset) for line in outcome.typed)
        reasons = replace(reasons, typed=typed)
    fault = _fault(test, outcome) or _missed_milestone(test, outcome)
    if fault:
        end = (transcript + outcome.errors)[-500:]
        message = f"The reference {reference.name} (variant {variant}) fails the test {test.id}: {fault}"
        raise ReferenceFaultError(f"{message}\nIts output ends with:\n{end}", fault, outcome.unsent)
    return replace(outcome, transcript=transcript), reasons


def as_reference(assignment: Assignment, test: Test, variant: str) -> Test:
    """Return the test as its program's reference runs it, which is with Python if only the reference is in Python."""
    program = assignment.program_of[test.program]
    only_reference = program.reference.suffix == ".py" and not program.file.endswith(".py")
    recipe = None if only_reference else test.recipe
    return replace(test, recipe=recipe, provision=replace(test.provision, variant=variant))


def reference_submission(
    assignment: Assignment, tests: Sequence[Test], folder: Path
) -> tuple[Assignment, Submission] | None:
    """Return the references as a submission, and the assignment with only the `tests` that have a reference.

    Return None if none of them has a reference. A module that references import may be written to `folder`.
    """
    present = {program.file for program in assignment.programs if program.reference.is_file()}
    answered_tests = [as_reference(assignment, test, assignment.program_of[test.program].variants[0]) for test in tests]
    possible = tuple(test for test in answered_tests if test.program in present)
    if not possible:
        return None
    references = all_references(assignment)
    files = {name: SubmittedFile(name, file) for file, name in references}
    if need_module((*references, *assignment.provided_files)):
        file = folder / MODULE[1]
        file.write_text(_WITHOUT_REASONS, encoding="ascii")
        files[MODULE[1]] = SubmittedFile(MODULE[1], file)
    submission = Submission(
        student="reference", files=tuple(files.values()), submitted=None, time_source=TimeSource.NONE, notes=()
    )
    return replace(assignment, tests=possible, rules=()), submission


def _may_give_reasons(test: Test) -> bool:
    """Return whether the expected file can contain reasons, which function calls and interactors do not support."""
    match test.interaction:
        case Dialogue() | ReplSession() | StdinRun():
            return True
        case FunctionCall() | PluginInteraction():
            return False


def _fault(test: Test, outcome: Outcome) -> str | None:
    if isinstance(test.interaction, PluginInteraction):
        judgement = test.interaction.judge(test, outcome)
        fault = judgement.diagnosis.sentence if judgement.diagnosis else str(judgement.verdict)
        return None if judgement.verdict is Verdict.PASSED else fault
    return _fault_of_program(test, outcome)


def _fault_of_program(test: Test, outcome: Outcome) -> str | None:
    if outcome.in_build:
        diagnosis = judge(test, "", outcome).diagnosis
        return diagnosis.sentence if diagnosis and outcome.call is not None else "it cannot be built"
    if isinstance(test.expectation, FromReference) and _DRAWS.search(outcome.transcript):
        return "it draws on the screen (it moves the cursor): list `keys` instead of `input`"
    if outcome.ending in (Termination.KEEPS_READING, Termination.ASKED_AGAIN) and not test.ending.fits(outcome):
        return "it asks for more input than the test gives"
    if outcome.ending is not Termination.EXITED and not test.ending.fits(outcome):
        diagnosis = judge(test, "", outcome).diagnosis
        return diagnosis.sentence if diagnosis else f"its session ended as {outcome.ending}"
    errors = found_errors(outcome.error_report)
    if errors:
        return f"it {errors[0].what}{'' if errors[0].line is None else f', in line {errors[0].line}'}"
    if outcome.exit_code and may_end_by_error(test, outcome) and traceback_of(test, outcome.errors):
        return "it ends with an uncaught exception"
    raises = outcome.call is not None and any(step.raised for step in outcome.call.steps)
    if not raises and not test.ending.fits(outcome):
        ending = f"its exit status is {outcome.exit_code}" if outcome.ending is Termination.EXITED else "it is stopped"
        return f"{ending}, the test says {test.ending.words}"
    fault = call_judge().fault(test, test.interaction, outcome) if isinstance(test.interaction, FunctionCall) else None
    return fault or _describe_unused(test, outcome)


def _describe_unused(test: Test, outcome: Outcome) -> str | None:
    """Describe a file that was not written or input that was not read, or return None."""
    missing = next((name for name, content in outcome.written.items() if content is None), None)
    if missing is not None:
        return f"it does not write the file {missing}"
    if outcome.unsent and not test.may_leave_input:
        return f"it ended before the input `{typed_lines(test.interaction)[len(outcome.typed)]}` was read"
    return None


def _missed_milestone(test: Test, outcome: Outcome) -> str | None:
    missed = next(iter(milestones_not_in(test, outcome)), None)
    if missed is None:
        return None
    return f"it does not print the milestone `{missed}`, at least not after those that stand before it"
