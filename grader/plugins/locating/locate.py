"""Looks for the faulty lines of a submission by running its tests once more and recording the executed lines.

Marks come only from the ordinary run, which has finished by then.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from math import inf

from grader.errors import GraderError
from grader.grading.grade_submission import as_handed_in, files_of_runs
from grader.grading.result_cache import Ask, OutcomeSource
from grader.judge.traceback import find_traceback
from grader.model.assignment import Assignment, Isolation
from grader.model.interaction import FunctionCall, PluginInteraction, shows_typing
from grader.model.judgement import Verdict
from grader.model.outcome import CodeLine, Outcome, Termination, TraceStep
from grader.model.program import Limits
from grader.model.results import GradedSubmission, TestResult
from grader.model.submission import Submission
from grader.model.test import Test
from grader.plugins.locating.line_record import LineWatch
from grader.plugins.locating.ranking import TracedProgram, TracedTest, last_runs, suspects_in
from grader.plugins.locating.small_repairs import FailingProgram, small_repairs
from grader.plugins.locating.suspects import SmallRepair, Suspects
from grader.run.interface import RunnerFactory

_UNSETTLED = (Verdict.INTERNAL_ERROR, Verdict.MISSING_FILE, Verdict.NOT_RUN)


def find_suspects(assignment: Assignment, graded: GradedSubmission, outcomes: OutcomeSource) -> Suspects | None:
    """Return the lines likely at fault in the programs that pass some tests and fail others, if there are any.

    Raises the same errors as `traced_programs`.
    """
    programs = tuple(map(suspects_in, traced_programs(assignment, graded, outcomes)))
    return Suspects(programs) if programs else None


def all_recorded(assignment: Assignment, submission: Submission) -> list[Test]:
    """Return the tests of the assignment whose lines can be recorded, configured to record them."""
    return recorded_tests(assignment, submission, assignment.tests)


def recorded_tests(assignment: Assignment, submission: Submission, tests: Sequence[Test]) -> list[Test]:
    """Return the `tests` that can record lines, configured to do so; programs in other languages have none."""
    provided = {module.file for module in assignment.provided}
    names = (file.name for file in submission.files if file.name.endswith(".py") and file.name not in provided)
    files = tuple(sorted(names))
    return [
        replace(test, start=replace(test.start, watch=LineWatch(files)))
        for test in as_handed_in(assignment, submission, tests)
        if files and test.recipe is None and _runs_program(test)
    ]


def _runs_program(test: Test) -> bool:
    return not isinstance(test.interaction, PluginInteraction) or test.interaction.runs_program


def traced_programs(
    assignment: Assignment, graded: GradedSubmission, outcomes: OutcomeSource
) -> Iterator[TracedProgram]:
    """Yield the programs that pass some tests and fail others, with executed lines. Raises OSError and `Ask` errors."""
    submission = graded.submission
    tests = {
        test.id: test
        for test in recorded_tests(assignment, submission, [candidate.test for candidate in graded.results])
    }
    results: dict[str, list[TestResult]] = defaultdict(list)
    for result in graded.results:
        if result.test.id in tests and result.verdict not in _UNSETTLED:
            results[result.test.program].append(result)
    mixed = {
        program: results_of_program
        for program, results_of_program in results.items()
        if len(set(map(_passed, results_of_program))) == 2
    }
    recorded = [tests[result.test.id] for results_of_program in mixed.values() for result in results_of_program]
    files, sources = files_of_runs(assignment, submission), _sources(submission)
    with outcomes.of(files, recorded, assignment.limits) as ask:
        for program, results_of_program in mixed.items():
            traces = _traces(results_of_program, tests, ask)
            if traces:
                failing = FailingProgram(
                    name=program, text=sources[program], files=files, results=results_of_program, traces=traces
                )
                yield TracedProgram(
                    program, sources, traces, _repairs(failing, outcomes.environment, assignment.limits)
                )


def _repairs(program: FailingProgram, environment: RunnerFactory, limits: Limits) -> Mapping[CodeLine, SmallRepair]:
    """Return the statements in which a small change helps, or none if the changed programs cannot be run."""
    with suppress(GraderError, OSError):
        return small_repairs(program, environment, limits)
    return {}


def _passed(result: TestResult) -> bool:
    return result.verdict is Verdict.PASSED


def _traces(results: Sequence[TestResult], recorded: Mapping[str, Test], ask: Ask) -> Sequence[TracedTest]:
    """Return the lines that each test runs, or nothing if the work is cancelled."""
    traces: list[TracedTest] = []
    for result in results:
        outcome = ask(recorded[result.test.id], Isolation.FRESH_PROCESS)
        if outcome.ending is Termination.CANCELLED:
            return []
        traces.append(traced(result, outcome.trace))
    return traces


def traced(result: TestResult, trace: Sequence[TraceStep]) -> TracedTest:
    """Return the lines that a test ran according to its trace, up to the first wrong output."""
    if _passed(result):
        return TracedTest(passed=True, lines=last_runs(trace))
    return TracedTest(
        passed=False,
        lines=last_runs(_until(_newlines_before_difference(result), trace)),
        raised_at=_raised_at(result.test, result.outcome),
    )


def _until(newlines: float, trace: Sequence[TraceStep]) -> Iterator[TraceStep]:
    """Yield the steps up to the step that prints the text after this many newlines."""
    printed = 0
    for step in trace:
        if printed > newlines:
            return
        yield step
        printed += step.newlines


def _newlines_before_difference(result: TestResult) -> float:
    """Return how many newlines the program had printed before the first wrong line, or infinity if that is unknown.

    Newlines that the terminal echoed for typed lines do not count. The number is unknown for a function call, because
    the transcript is only a part of its output, and if blank lines were ignored.
    """
    compared, outcome, test = result.compared, result.outcome, result.test
    if compared is None or outcome is None or isinstance(test.interaction, FunctionCall):
        return inf
    if compared.actual.count("\n") != outcome.transcript.count("\n"):
        return inf
    lines = compared.actual.split("\n")[: compared.divergence.line - 1]
    start = sum(len(line) + 1 for line in lines)
    echoes = sum(typed.offset < start for typed in compared.typed) if shows_typing(test.interaction) else 0
    return len(lines) - echoes


def _raised_at(test: Test, outcome: Outcome | None) -> CodeLine | None:
    """Return the student's innermost line in the traceback at the end of the output."""
    output = "" if outcome is None else outcome.errors or outcome.transcript
    traceback = find_traceback(output, test.program, test.provided)
    return None if traceback is None or traceback.line is None else CodeLine(traceback.file, traceback.line)


def _sources(submission: Submission) -> dict[str, str]:
    """Return the text of the submission's Python files; bytes that are not UTF-8 are replaced. Raises OSError."""
    return {
        file.name: re.sub(r"\r\n?", "\n", file.path.read_bytes().decode("utf-8", "replace"))
        for file in submission.files
        if file.name.endswith(".py")
    }
