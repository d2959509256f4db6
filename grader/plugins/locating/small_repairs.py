"""Finds the statements of a failing program in which a small change makes failing tests pass.

Such a change is seldom what a student should write, but the place where it helps is likely the place of the fault. The
changed programs share a folder under different names, since preparing a folder takes longer than running a program.
"""

import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from time import monotonic

from grader.judge.judge import judge
from grader.model.assignment import Isolation
from grader.model.interaction import Dialogue, ReplSession, StdinRun
from grader.model.judgement import Verdict
from grader.model.outcome import CodeLine
from grader.model.program import Limits
from grader.model.results import TestResult
from grader.model.submission import SubmittedFile
from grader.model.test import Test
from grader.plugins.locating.ranking import TracedTest, read_statements
from grader.plugins.locating.small_changes import SmallChange, small_changes
from grader.plugins.locating.suspects import SmallRepair
from grader.run.interface import RunnerFactory, TestRunner
from grader.text.difference import common_prefix

_MOST_CHANGES = 400
_MOST_SECONDS = 60.0
_MOST_SECONDS_OF_A_RUN = 2.0
_MOST_AT_ONCE = 50
_MOST_FAILED, _MOST_PASSED = 6, 4
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
    others = [item for item, _ in failed[1:_MOST_FAILED]] + [item for item, _ in comparable if _passes(item)][
        :_MOST_PASSED
    ]
    starts = read_statements(program.text).starts
    lines = {starts.get(place.line) for place in ran.lines if place.file == program.name}
    changes = (change for change in small_changes(program.text) if starts[change.line] in lines)
    trial = _Trial(program=program, environment=environment, limits=limits, clock=clock, end=clock() + _MOST_SECONDS)
    repairs: dict[CodeLine, SmallRepair] = {}
    helping = []
    for change, [result] in trial.of(islice(changes, _MOST_CHANGES), [first]):
        if _passes(result):
            helping.append(change)
        elif _right_until(result) > _right_until(first):
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


def _right_until(result: TestResult) -> int:
    """Return how many characters come before the first difference."""
    return common_prefix(result.expected, result.outcome.transcript if result.outcome else "")


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
        while batch := list(islice(waiting, _MOST_AT_ONCE)):
            with tempfile.TemporaryDirectory() as folder:
                named = {_stand_in(self.program.name, number): change_at for number, change_at in enumerate(batch)}
                files = [(file.path, file.name) for file in self.program.files if file.name not in named]
                for name, change in named.items():
                    path = Path(folder) / name
                    path.write_text(change.text, encoding="utf-8")
                    files.append((path, name))
                with self.environment.runner(files) as runner:
                    for name, change in named.items():
                        if self.clock() > self.end or self.environment.cancelled.is_set():
                            return
                        yield change, [self._result(runner, name, result) for result in tried]

    def _result(self, runner: TestRunner, name: str, result: TestResult) -> TestResult:
        """Return the result of a test for the changed program `name`, as if it had the original name."""
        test = _for_program(result.test, name)
        usual_limits = test.limits or self.limits
        limits = replace(usual_limits, wall_seconds=min(usual_limits.wall_seconds, _MOST_SECONDS_OF_A_RUN))
        outcome = runner.run(test, limits, Isolation.FORK, test.environment)
        own_stem, stem = Path(result.test.program).stem, Path(name).stem
        outcome = replace(outcome, transcript=outcome.transcript.replace(stem, own_stem))
        judgement = judge(result.test, result.expected, outcome)
        return replace(result, judgement=judgement, outcome=outcome)


def _stand_in(name: str, number: int) -> str:
    """Return a name for a changed program, if possible as long as the original, so that no offset changes."""
    stem = Path(name).stem
    return f"{stem[:-2] or 'x'}{number:02}.py"


def _for_program(test: Test, name: str) -> Test:
    """Return the test for a program with another name, which a session at Python's prompt imports."""
    interaction = test.interaction
    if isinstance(interaction, ReplSession):
        stem, new_stem = Path(test.program).stem, Path(name).stem
        interaction = replace(interaction, lines=tuple(line.replace(stem, new_stem) for line in interaction.lines))
    return replace(test, program=name, interaction=interaction)
