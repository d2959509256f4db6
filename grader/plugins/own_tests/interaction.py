"""The interaction of a test with `own_tests`."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from threading import Event
from typing import TYPE_CHECKING

from grader.model.judgement import Judgement
from grader.model.outcome import Outcome
from grader.model.program import Limits
from grader.model.test import Test
from grader.run.interface import Launch, SubmissionFiles
from grader.run.plugin_session import PluginSession, SharedRuns
from grader.run.terminal.session import SessionDrivers, run_dialogue
from grader.text.sentence import Sentence, say

if TYPE_CHECKING:
    from grader.plugins.own_tests.trial_report import TrialReport


@dataclass(frozen=True)
class TrialProgram:
    """One of the instructor's programs that students' tests are run on: its file in own_tests/ and its text."""

    name: str
    text: str


@dataclass(frozen=True)
class OwnTests(PluginSession):
    """The program is a set of tests that the student wrote for the module in the file `module`.

    The tests must pass for the programs in `good`, and fail for `bad` if there is one.
    """

    words = "`own_tests`"
    not_partial = "in a test with `call`; it is for tests that compare a transcript"
    only_python = "only tests in Python can be tried"
    runs_program = False

    module: str
    good: tuple[TrialProgram, ...]
    bad: TrialProgram | None = None

    @property
    def programs(self) -> tuple[TrialProgram, ...]:
        """All programs, the bad one last."""
        return self.good if self.bad is None else (*self.good, self.bad)

    @property
    def modules(self) -> tuple[str, ...]:
        """Return the files that the course puts beside the program, in addition to the files that the test lists."""
        return (self.module,)

    def faults(self, test: Test, /) -> Iterator[tuple[str, str]]:
        """Yield the keys of a test that conflict with each other, each with a message."""
        if self.module == test.program:
            yield "own_tests", "found the program itself as `module`; expected what its tests import"

    @classmethod
    def shared_runs(cls, tests: Sequence[Test], files: SubmissionFiles, /) -> SharedRuns:
        """Return the shared runs of these tests for the submission `files`; `tests` are the tests known so far."""
        from grader.plugins.own_tests.shared_trials import SharedTrials

        return SharedTrials(tests, files).outcome

    def reported(self, test: Test, limits: Limits, /) -> "AbstractContextManager[TrialReport]":
        """Return the program to start for a test."""
        from grader.plugins.own_tests.trial_report import reported_trial

        return reported_trial(test.program, self, limits)

    def session(self, launch: Launch, limits: Limits, cancelled: Event, drivers: SessionDrivers, /) -> Outcome:
        """Run a session with the started program. Raises SessionError like `run_dialogue`."""
        return run_dialogue(launch, (), echo=False, limits=limits, cancelled=cancelled, drivers=drivers)

    def judge(self, test: Test, outcome: Outcome, /) -> Judgement:
        """Judge the outcome of a test."""
        from grader.plugins.own_tests.judge import judge_own_tests

        return judge_own_tests(test, self, outcome)

    def how_to_repeat(self, test: Test, _command: str, /) -> Sentence:
        """Return a line that explains how a student can repeat a test whose program `command` runs."""
        return say("try the tests in {file} on programs in place of {module}", file=test.program, module=self.module)

    def expected_text(self, outcome: Outcome, /) -> str:
        """Return the content of the expected file, given the outcome of the reference."""
        from grader.plugins.own_tests.judge import found_by_tests

        return found_by_tests(self, outcome)

    def failed_import(self, outcome: Outcome, /) -> str:
        """Return the import of a missing module, if the transcript does not show it."""
        from grader.plugins.own_tests.trial_result import trials_of

        failed = (trial.code for trial in trials_of(outcome) if trial.error == ModuleNotFoundError.__name__)
        return next(failed, "")
