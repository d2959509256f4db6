"""The interface for output formats, which print the results of a class or a self-check."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Protocol

from grader.model.assignment import Assignment
from grader.model.judgement import Verdict
from grader.model.results import ClassResult, GradedSubmission, SkippedTests, TestResult
from grader.model.rule import RuleResult
from grader.model.test import Test
from grader.reports.failures import MAX_IN_DETAIL, Failure, in_detail, in_order, same_failures


@dataclass(frozen=True)
class PrintedReport:
    """The text to print, including terminal control sequences, and the Markdown to add to a job summary."""

    printed: str
    summary: str = ""


@dataclass(frozen=True, kw_only=True)
class CheckSettings:
    """Information about a self-check that is available before its first test; `tests` are the tests to run.

    The first `show` causes of failure are shown in detail or, with `full`, the first failing tests with all their
    differences. `lacks` lists what this system cannot do, and `left_out` the tests omitted for that reason. `explain`
    is the command that explains causes. The programs are expected in `folder`. `before` holds the signs of the previous
    results, see `failure_sign`.
    """

    assignment: Assignment
    tests: tuple[Test, ...]
    show: int
    full: bool = False
    lacks: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    explain: str = "grader explain"
    folder: Path = Path()
    before: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class CheckedProgram:
    """The results of a self-check, and the tests that were skipped."""

    settings: CheckSettings
    graded: GradedSubmission
    skipped: tuple[SkippedTests, ...] = ()

    @property
    def passed(self) -> int:
        """Return the number of tests that the program passed."""
        return sum(result.verdict is Verdict.PASSED for result in self.graded.results)

    @property
    def missing(self) -> int:
        """Return how many tests could not be run, because their program is missing."""
        return sum(result.verdict is Verdict.MISSING_FILE for result in self.graded.results)

    @property
    def failures(self) -> tuple[TestResult, ...]:
        """The tests that the program failed, except tests of a missing program."""
        passing = Verdict.PASSED, Verdict.MISSING_FILE
        return tuple(result for result in self.graded.results if result.verdict not in passing)

    @cached_property
    def causes(self) -> tuple[Failure, ...]:
        """The failed tests grouped by cause, or each separately if everything is to be shown."""
        failed = in_order(self.graded, self.failures)
        return tuple(map(Failure, failed)) if self.settings.full else same_failures(failed)

    @property
    def detailed(self) -> tuple[Failure, ...]:
        """The causes to show with the program's output."""
        show = self.settings.show
        return self.causes[:show] if self.settings.full else tuple(in_detail(self.causes, show))

    @property
    def in_short(self) -> tuple[Failure, ...]:
        """The next few causes, to be shown in short form, if any."""
        others = [cause for cause in self.causes if cause not in self.detailed]
        return tuple(others[: 0 if self.settings.full else min(self.settings.show, MAX_IN_DETAIL)])

    @property
    def broken_rules(self) -> tuple[RuleResult, ...]:
        """The code rules that the program breaks."""
        return tuple(rule for rule in self.graded.rules if rule.judged and not (rule.kept or rule.unread))


class CheckReport(Protocol):
    """Writes a self-check's report while it runs; the strings returned by its methods are printed immediately."""

    def began(self) -> str:
        """Return the text to print before the first test."""

    def known(self, test: Test, verdict: Verdict) -> str:
        """Return the text to print after a verdict."""

    def ended(self, check: CheckedProgram) -> PrintedReport:
        """Return the text to print after the last test."""


@dataclass(frozen=True)
class ReportAtEnd:
    """A report on a self-check that is printed all at once at the end."""

    write: Callable[[CheckedProgram], PrintedReport]

    def began(self) -> str:
        """Return the text to print before the first test."""
        return ""

    def known(self, _test: Test, _verdict: Verdict, /) -> str:
        """Return the text to print after a verdict."""
        return ""

    def ended(self, check: CheckedProgram) -> PrintedReport:
        """Return the text to print after the last test."""
        return self.write(check)


@dataclass(frozen=True)
class OutputFormat:
    """Writes a class's results, given the folder for its reports, or the results of a self-check."""

    of_class: Callable[[ClassResult, Path], PrintedReport]
    of_check: Callable[[CheckSettings], CheckReport]
