"""Runs the tests of a self-check in parallel, and reports each verdict as soon as it is known."""

import sys
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from enum import Enum, auto
from threading import Event
from typing import TextIO

from grader.grading.best_variant import best_variant, variant_of_samples
from grader.grading.grade_submission import SubmissionGrading, TestSession, open_grading
from grader.grading.result_cache import OutcomeSource
from grader.marks.counting import counted
from grader.model.judgement import Verdict
from grader.model.results import GradedSubmission, SkippedTests, TestResult
from grader.model.test import Test, Visibility
from grader.reports.printed_report import CheckedProgram, CheckReport, CheckSettings, PrintedReport
from grader.run.interface import RunnerFactory
from grader.run.run_slots import cores, thread_pool
from grader.selfcheck.check import FinishedTest, Progress, SelfCheck, StopRule, open_runners
from grader.selfcheck.hints import with_found_hints
from grader.text.escape import escape_controls
from grader.text.language import told

INTERRUPTED = 130
"""The exit code after Ctrl-C, as in shells."""
_QUIET_SECONDS = 5


class NoVerdict(Enum):
    """A placeholder for a verdict."""

    NOT_RUN = auto()
    RUNNING = auto()


Known = Callable[[Test, Verdict | NoVerdict], None]
"""A function called with each test once its verdict is known, or once it is clear that the test will not run.

It may be called before with `NoVerdict.RUNNING`, if a test takes long.
"""


@dataclass(frozen=True)
class CheckRun:
    """The results of a self-check, and the tests that a stop rule skipped."""

    graded: GradedSubmission
    skipped: tuple[SkippedTests, ...]

    @property
    def exit_code(self) -> int:
        """Return a check's exit code: 0 if all tests ran and passed, otherwise 1."""
        return 1 if self.skipped else exit_code(self.graded.results)


def exit_code(results: Sequence[TestResult]) -> int:
    """Return the exit code for these results: 0 if all tests passed, otherwise 1."""
    return 0 if all(result.verdict is Verdict.PASSED for result in results) else 1


def ignore_verdict(_test: Test, _verdict: Verdict | NoVerdict) -> None:
    """Ignore a verdict that arrives before all are known."""


class InOrder:
    """A filter that passes on verdicts in the order of the tests, holding back early ones, and slow tests at once."""

    def __init__(self, tests: Sequence[Test], on_verdict: Known) -> None:
        """Pass the verdicts for `tests` to `on_verdict`."""
        self._waiting = deque(tests)
        self._known = on_verdict
        self._found: dict[str, Verdict | NoVerdict] = {}

    def __call__(self, test: Test, verdict: Verdict | NoVerdict) -> None:
        """Pass on or hold back a verdict; see `Known`."""
        if verdict is NoVerdict.RUNNING:
            self._known(test, verdict)
            return
        self._found[test.id] = verdict
        while self._waiting and self._waiting[0].id in self._found:
            first = self._waiting.popleft()
            self._known(first, self._found[first.id])


def run_check(check: SelfCheck, on_verdict: Known, progress: Progress) -> CheckRun:
    """Run the tests once. Raises CheckError if the files cannot be read."""
    with open_runners(check.system, check.python) as runners, progress(told("Checking"), len(check.tests)) as tick:

        def count(test: Test, verdict: Verdict | NoVerdict) -> None:
            if verdict is not NoVerdict.RUNNING:
                tick()
            on_verdict(test, verdict)

        return hold_check(check, runners, count)


def hold_check(check: SelfCheck, runners: RunnerFactory, on_verdict: Known) -> CheckRun:
    """Run the tests on the current files, as many at a time as there are cores. Raises CheckError."""
    outcomes = OutcomeSource(runners)
    is_whole = any(test.visibility is Visibility.HIDDEN for test in check.tests)
    choose = best_variant if is_whole else variant_of_samples
    with (
        check.take_in(check.assignment, check.path) as submission,
        open_grading(
            check.assignment, check.tests, check.transcripts, submission, outcomes, choose_variant=choose
        ) as grading,
    ):
        running = _RunningCheck(grading, check.stop_rules, on_verdict)
        running.run(cores(), runners.cancelled)
        run = running.ended()
        return replace(run, graded=with_found_hints(grading, run.graded, runners))


def write_check(
    check: SelfCheck, settings: CheckSettings, report: CheckReport, stream: TextIO, progress: Progress
) -> tuple[CheckRun, PrintedReport]:
    """Run the tests once while writing the report to `stream`, and return the results with the last part of the report.

    Verdicts appear in the order of the tests, and in a terminal as soon as they are known; elsewhere, there is a
    progress bar. Raises CheckError if the files cannot be read.
    """

    def write(text: str) -> None:
        stream.write(text)
        stream.flush()

    def known(test: Test, verdict: Verdict | NoVerdict) -> None:
        if isinstance(verdict, Verdict):
            write(report.known(test, verdict))
        elif verdict is NoVerdict.RUNNING and stream.isatty():
            seconds = (test.limits or check.assignment.limits).wall_seconds
            words = told("still running: {test}; stopped after {seconds:g} s", test=test.id, seconds=seconds)
            sys.stderr.write(f"  {escape_controls(words)}\n")

    write(report.began())
    run = run_check(check, InOrder(check.tests, known), _no_bar if stream.isatty() else progress)
    ended = report.ended(CheckedProgram(settings, run.graded, run.skipped))
    write(ended.printed)
    return run, ended


def _no_bar(_task: str, _steps: int) -> AbstractContextManager[Callable[[], None]]:
    return nullcontext(lambda: None)


class _RunningCheck:
    """A self-check whose tests run in parallel; a finished test can decide whether the next one runs."""

    def __init__(self, grading: SubmissionGrading, stop_rules: Sequence[StopRule], on_verdict: Known) -> None:
        self._grading = grading
        self._stop_rules = stop_rules
        self._known = on_verdict
        self._finished: list[FinishedTest] = []
        self._skipped: dict[str, list[Test]] = {}

    def run(self, at_a_time: int, cancelled: Event) -> None:
        """Run the tests; if that fails or is interrupted, `cancelled` ends the running ones."""
        waiting = deque(self._grading.tests)
        under_way: dict[Future[TestSession], Test] = {}
        slow: set[str] = set()
        with thread_pool(at_a_time, cancelled.set) as pool:
            while waiting or under_way:
                while waiting and len(under_way) < at_a_time:
                    test = waiting.popleft()
                    if not self._is_skipped(test):
                        under_way[pool.submit(self._grading.run, test)] = test
                done, _ = wait(under_way, _QUIET_SECONDS, FIRST_COMPLETED)
                for test in () if done else under_way.values():
                    if test.id not in slow:
                        slow.add(test.id)
                        self._known(test, NoVerdict.RUNNING)
                for future in done:
                    del under_way[future]
                    self._finish(future.result())

    def ended(self) -> CheckRun:
        """Judge the finished tests, report their verdicts, and return the results with the skipped tests."""
        sessions = {finished_test.session.test.id: finished_test.session for finished_test in self._finished}
        graded_alone = self._grading.graded([sessions[test.id] for test in self._grading.tests if test.id in sessions])
        # Hidden tests do not run here, so the points of groups are unknown.
        graded = counted(graded_alone, groups=())
        unknown = {finished_test.session.test.id for finished_test in self._finished if finished_test.verdict is None}
        for result in graded.results:
            if result.test.id in unknown:
                self._known(result.test, result.verdict)
        skipped = (SkippedTests(tuple(tests), reason) for reason, tests in self._skipped.items())
        return CheckRun(graded, tuple(skipped))

    def _is_skipped(self, test: Test) -> bool:
        reason = next(
            (reason_to_skip for rule in self._stop_rules if (reason_to_skip := rule(test, self._finished))), None
        )
        if reason is None:
            return False
        self._skipped.setdefault(reason, []).append(test)
        self._known(test, NoVerdict.NOT_RUN)
        return True

    def _finish(self, session: TestSession) -> None:
        verdict = self._grading.verdict(session)
        self._finished.append(FinishedTest(session, verdict))
        if verdict is not None:
            self._known(session.test, verdict)
