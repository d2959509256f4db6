"""Runs of a correct program: the session of each test, and the statements that the test reaches."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from grader.errors import GraderError
from grader.expected.transcripts import ExpectedTranscripts
from grader.grading.grade_submission import (
    SubmissionGrading,
    TestOutcome,
    TestSession,
    open_grading,
    possible_isolation,
)
from grader.grading.result_cache import OutcomeSource
from grader.model.assignment import Assignment
from grader.model.interaction import PluginInteraction
from grader.model.outcome import Outcome
from grader.model.results import TestResult
from grader.model.test import SideOutput, Test
from grader.plugins.auditing.base_program import BaseProgram
from grader.plugins.auditing.reach import NOTES, Places, ReachMap, reach_map
from grader.run.run_slots import thread_pool
from grader.store.stored_rows import StoreError


@dataclass(frozen=True)
class TrialSetting:
    """The settings for trials: the tests, the expected transcripts, where programs run, and how many run at a time."""

    assignment: Assignment
    transcripts: ExpectedTranscripts
    outcomes: OutcomeSource
    jobs: int


@dataclass(frozen=True, kw_only=True, eq=False)
class BaseRun:
    """A correct program and its test runs: for each test id, the session and the places that it may reach.

    `judged` holds the results by test and variant. `map` is None if the program cannot be instrumented; in that case,
    every test may reach every place.
    """

    base: BaseProgram
    map: ReachMap | None
    sessions: Mapping[str, TestSession]
    judged: Mapping[tuple[str, str], TestResult]
    reached: Mapping[str, Places]

    def reaching(self, source: str) -> frozenset[str]:
        """Return the tests that may reach the change in the mutant `source`."""
        if self.map is None:
            return frozenset(self.sessions)
        changed = self.map.changed(source)
        return frozenset(test for test in self.sessions if self.reached[test] & changed)

    def seconds(self, test: str) -> float:
        """Return how many seconds a test took."""
        session = self.sessions[test]
        return session.outcome.wall_seconds if isinstance(session, TestOutcome) else 0.0

    def with_more(self, more: "BaseRun") -> "BaseRun":
        """Return this run with the tests of another run added."""
        return replace(
            self,
            sessions={**self.sessions, **more.sessions},
            judged={**self.judged, **more.judged},
            reached={**self.reached, **more.reached},
        )


def run_bases(setting: TrialSetting, bases: Sequence[BaseProgram], tick: Callable[[], None]) -> list[BaseRun]:
    """Run the tests of correct programs, both as they are and instrumented to record what they reach.

    `tick` is called after each test.
    """
    jobs = setting.jobs
    maps = {base: reach_map(base.source) for base in bases}
    with TemporaryDirectory(prefix="grader-audit-") as name, thread_pool(jobs, setting.outcomes.cancel) as pool:

        def run(number: int, base: BaseProgram, tests: Sequence[Test]) -> BaseRun:
            assignment = replace(setting.assignment, tests=tuple(tests), rules=())
            return _run_base(replace(setting, assignment=assignment), base, maps[base], Path(name) / str(number), tick)

        parts = 1 if len(bases) >= jobs else jobs
        pieces = [
            (base, [test for test in setting.assignment.tests if test.program == base.file][part::parts])
            for base in bases
            for part in range(parts)
        ]
        runs: dict[BaseProgram, BaseRun] = {}
        for finished in pool.map(run, range(len(pieces)), *zip(*pieces, strict=True)):
            before = runs.get(finished.base)
            runs[finished.base] = finished if before is None else before.with_more(finished)
    return list(runs.values())


def _run_base(
    setting: TrialSetting, base: BaseProgram, map_of_base: ReachMap | None, folder: Path, tick: Callable[[], None]
) -> BaseRun:
    """Run the setting's tests, which must all be for this program."""
    assignment = setting.assignment
    as_it_is = base.submission(base.source, folder / "as-it-is")
    watched = base.submission(base.source if map_of_base is None else map_of_base.watched, folder / "watched")
    noting = [_with_notes(test) for test in assignment.tests]
    sessions: dict[str, TestSession] = {}
    judged: dict[tuple[str, str], TestResult] = {}
    reached: dict[str, Places] = {}
    with (
        open_grading(assignment, assignment.tests, setting.transcripts, as_it_is, setting.outcomes) as plain_grading,
        open_grading(assignment, noting, setting.transcripts, watched, setting.outcomes) as watched_grading,
    ):
        for test, same in zip(plain_grading.tests, watched_grading.tests, strict=True):
            session = sessions[test.id] = plain_grading.run(test)
            for variant in assignment.program_of[base.file].variants:
                judged[test.id, variant] = plain_grading.judged_as(session, variant)
            if map_of_base is not None:
                reached[test.id] = _reached_places(map_of_base, session, same, watched_grading)
            tick()
    return BaseRun(base=base, map=map_of_base, sessions=sessions, judged=judged, reached=reached)


def _with_notes(test: Test) -> Test:
    side = test.side_output
    return replace(test, side_output=SideOutput(side.errors, (*side.files, NOTES)))


def _reached_places(map_of_base: ReachMap, session: TestSession, test: Test, grading: SubmissionGrading) -> Places:
    """Return the places an instrumented run reaches, or all places if its result differs from the plain run's."""
    kind = test.interaction
    if (isinstance(kind, PluginInteraction) and not kind.runs_program) or not isinstance(session, TestOutcome):
        return map_of_base.everything
    isolation = possible_isolation(test, grading.assignment.isolation, has_forks=grading.has_forks)
    try:
        outcome = grading.ask(test, isolation)
    except StoreError:
        raise
    except (GraderError, OSError):
        return map_of_base.everything
    same = _behaviour(outcome) == _behaviour(session.outcome)
    return map_of_base.reached(outcome.written.get(NOTES)) if same else map_of_base.everything


def _behaviour(outcome: Outcome) -> tuple[object, ...]:
    return (outcome.transcript, outcome.typed, outcome.ending, outcome.exit_code, outcome.signal, outcome.call)
