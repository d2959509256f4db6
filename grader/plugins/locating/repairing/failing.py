"""The failing programs of a class, the tests that suffice for a search, and the accepted programs."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from grader.files.source_text import NoSourceError, source_text
from grader.model.assignment import Assignment
from grader.model.interaction import PluginInteraction
from grader.model.judgement import Verdict
from grader.model.program import Program
from grader.model.results import ClassResult, GradedSubmission, TestResult
from grader.plugins.locating.repairing.languages import language_of
from grader.plugins.locating.repairing.texts import PrintedLine
from grader.plugins.locating.stand_ins import right_until

_MAX_FAILED, _MAX_PASSED = 6, 6
"""The numbers of tests that a search runs; the proof runs all tests."""


@dataclass(frozen=True, kw_only=True)
class MendedProgram:
    """A program of a submission, some of whose tests fail, which a repair may mend."""

    name: str
    text: str
    graded: GradedSubmission
    results: Sequence[TestResult]

    @property
    def failed(self) -> list[TestResult]:
        """The failed tests: one of each cause, those that fail early first, then the others."""
        failed = [result for result in self.results if result.verdict is not Verdict.PASSED]
        failed.sort(key=right_until)
        first_of = {cause_of(result): result for result in reversed(failed)}
        return sorted(failed, key=lambda result: first_of[cause_of(result)] is not result)

    @property
    def causes(self) -> int:
        """The number of causes of failed tests."""
        return len({cause_of(result) for result in self.failed})

    def sample(self) -> tuple[list[TestResult], list[TestResult]]:
        """Return failed tests and passed ones for the search."""
        passed = [result for result in self.results if result.verdict is Verdict.PASSED]
        step = max(1, len(passed) // _MAX_PASSED)
        return self.failed[:_MAX_FAILED], passed[::step][:_MAX_PASSED]

    def not_in_sample(self) -> list[TestResult]:
        """Return the other tests that passed."""
        sampled = {result.test.id for result in self.sample()[1]}
        passed = [result for result in self.results if result.verdict is Verdict.PASSED]
        return [result for result in passed if result.test.id not in sampled]


def wrong_line(result: TestResult) -> PrintedLine | None:
    """Return the first line that a failed test finds wrong; None if no lines were compared."""
    compared = result.compared
    if compared is None:
        return None
    place = compared.divergence.line - 1
    printed, expected = (text.split("\n")[place : place + 1] for text in (compared.actual, compared.expected))
    return PrintedLine("".join(printed), "".join(expected))


def usual_seconds(passed: Sequence[TestResult]) -> float:
    """Return the processor time of the slowest passed test."""
    return max((result.outcome.cpu_seconds for result in passed if result.outcome), default=0.0)


def failing_programs(assignment: Assignment, graded: GradedSubmission) -> Iterator[MendedProgram]:
    """Yield the programs of a submission that fail tests and can be tried under other names."""
    results: dict[str, list[TestResult]] = defaultdict(list)
    for result in graded.results:
        results[result.test.program].append(result)
    for program in assignment.programs:
        of_program = results[program.file]
        file = graded.submission.file(program.file)
        if file is None or not of_program or not all(map(_can_be_tried, of_program)):
            continue
        with suppress(NoSourceError):
            failing = MendedProgram(name=program.file, text=source_text(file.path), graded=graded, results=of_program)
            if failing.failed:
                yield failing


def _can_be_tried(result: TestResult) -> bool:
    """Return whether versions of the program can be run: in Python without a build, or in C."""
    test = result.test
    plays_alone = not isinstance(test.interaction, PluginInteraction)
    is_read = language_of(test.program) is not None and (test.recipe is None) == test.program.endswith(".py")
    return plays_alone and is_read and result.outcome is not None and not result.outcome.in_build


def accepted_programs(assignment: Assignment, graded: ClassResult) -> Mapping[str, Sequence[str]]:
    """Return the texts that pass all tests of a program, by the program's name: students' and the reference."""
    return {program.file: tuple(dict.fromkeys(_accepted(program, graded))) for program in assignment.programs}


def _accepted(program: Program, graded: ClassResult) -> Iterator[str]:
    suffix = Path(program.file).suffix
    files = [program.reference] if program.reference.is_file() and program.reference.suffix == suffix else []
    for row in graded.rows:
        results = [result for result in row.graded.results if result.test.program == program.file]
        file = row.graded.submission.file(program.file)
        if file and results and all(result.verdict is Verdict.PASSED for result in results):
            files.append(file.path)
    for path in files:
        with suppress(NoSourceError):
            yield source_text(path)


def cause_of(result: TestResult) -> str:
    """Return the id of the cause of a failed test, or its verdict if it has none."""
    diagnosis = result.judgement.diagnosis
    return diagnosis.cause.id if diagnosis else result.verdict
