"""Finds the statements of a failing program in which a small change makes failing tests pass.

Such a change is seldom what a student should write, but the place where it helps is likely the place of the fault.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from time import monotonic

from grader.judge.judge import judge
from grader.model.interaction import Dialogue, ReplSession, StdinRun
from grader.model.judgement import Verdict
from grader.model.outcome import CodeLine
from grader.model.program import Limits
from grader.model.results import TestResult
from grader.model.submission import SubmittedFile
from grader.plugins.locating.ranking import TracedTest, read_statements
from grader.plugins.locating.rewriting import SmallChange
from grader.plugins.locating.small_changes import small_changes
from grader.plugins.locating.stand_ins import StandIn, most_at_once, right_until, stand_ins
from grader.plugins.locating.suspects import SmallRepair
from grader.run.interface import RunnerFactory

_MAX_CHANGES = 400
_MAX_SECONDS = 60.0
_MAX_SECONDS_OF_A_RUN = 2.0
_MAX_FAILED, _MAX_PASSED = 6, 4
"""The numbers of tests that are enough to tell a change that repairs a program from a change that helps by chance."""


@dataclass(frozen=True, kw_only=True)
class FailingProgram:
    """A program of a submission that fails some of its tests; `files` are all files of a run, including its own.

    `traces` holds the lines run for each of the `results`.
    """

    name: str
    text: str
    files: Sequence[SubmittedFile]
    results: Sequence[TestResult]
    traces: Sequence[TracedTest]


def small_repairs(
    program: FailingProgram,
    environment: RunnerFactory,
    limits: Limits,
    clock: Callable[[], float] = monotonic,
) -> dict[CodeLine, SmallRepair]:
    """Return the statements in which a change makes a failing test pass or fail later, with the best result.

    Only tests that compare an expected transcript are used, not function tests or tests with a checker. Raises
    GraderError and OSError if programs cannot be run.
    """
    comparable = [
        (item, ran) for item, ran in zip(program.results, program.traces, strict=True) if _is_comparable(item)
    ]
    failed = sorted((item for item in comparable if not _passes(item[0])), key=lambda item: _first_wrong_line(item[0]))
    if not failed:
        return {}
    first, ran = failed[0]
    others = [item for item, _ in failed[1:_MAX_FAILED]] + [item for item, _ in comparable if _passes(item)][
        :_MAX_PASSED
    ]
    starts = read_statements(program.text).starts
    lines = {starts.get(place.line) for place in ran.lines if place.file == program.name}
    changes = (change for change in small_changes(program.text) if starts[change.line] in lines)
    limits = replace(limits, wall_seconds=min(limits.wall_seconds, _MAX_SECONDS_OF_A_RUN))
    trial = _Trial(program=program, environment=environment, limits=limits, clock=clock, end=clock() + _MAX_SECONDS)
    repairs: dict[CodeLine, SmallRepair] = {}
    helping = []
    for change, [result] in trial.of(islice(changes, _MAX_CHANGES), [first]):
        if _passes(result):
            helping.append(change)
        elif right_until(result) > right_until(first):
            repairs[CodeLine(program.name, starts[change.line])] = SmallRepair(0, 1)
    for change, results in trial.of(helping, others):
        place = CodeLine(program.name, starts[change.line])
        repair = SmallRepair(1 + sum(map(_passes, results)), 1 + len(results))
        repairs[place] = max(repair, repairs.get(place, repair), key=lambda item: item.share)
    return repairs


def _is_comparable(result: TestResult) -> bool:
    test, outcome = result.test, result.outcome
    plays = isinstance(test.interaction, Dialogue | ReplSession | StdinRun)
    return plays and test.checker is None and outcome is not None and (_passes(result) or result.compared is not None)


def _passes(result: TestResult) -> bool:
    return result.verdict is Verdict.PASSED


def _first_wrong_line(result: TestResult) -> int:
    return result.compared.divergence.line if result.compared else 0


@dataclass(frozen=True, kw_only=True)
class _Trial:
    """A trial that runs tests of changed programs until the clock reaches `end`."""

    program: FailingProgram
    environment: RunnerFactory
    limits: Limits
    clock: Callable[[], float]
    end: float

    def of(
        self, changes: Iterable[SmallChange], tried: Sequence[TestResult]
    ) -> Iterator[tuple[SmallChange, list[TestResult]]]:
        """Yield each change with the results of its tests."""
        waiting = iter(changes)
        program = self.program
        while batch := list(islice(waiting, most_at_once(self.program.name))):
            texts = [change.text for change in batch]
            with stand_ins(program.name, texts, program.files, self.environment, self.limits) as versions:
                for change, version in zip(batch, versions, strict=True):
                    if self.clock() > self.end or self.environment.cancelled.is_set():
                        return
                    yield change, [_result(version, result) for result in tried]


def _result(version: StandIn, result: TestResult) -> TestResult:
    outcome = version.outcome(result.test)
    return replace(result, judgement=judge(result.test, result.expected, outcome), outcome=outcome)
