"""The report on a self-check for the terminal, and on what a later run of the same tests has changed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rich.console import Console
from rich.text import Text

from grader.grading.result_cache import changes
from grader.intake.further_files import unused_words
from grader.model.judgement import Verdict
from grader.model.results import SkippedTests, TestResult
from grader.model.test import Test
from grader.reports.printed_report import CheckedProgram, CheckSettings, PrintedReport
from grader.reports.terminal.console import output_console, print_lines, screen_width
from grader.reports.terminal.test_result import (
    failure_text,
    note_lines,
    rule_lines,
    test_heading,
    variant_words,
    verdict_line,
)
from grader.reports.theme import TERMINAL
from grader.text.escape import escape_controls


def check_text(settings: CheckSettings) -> "CheckText":
    """The report on a self-check as standard output shows it."""
    return CheckText(settings, output_console())


@dataclass
class CheckText:
    """Writes a verdict per test as it is known, then the first failures in detail. See `CheckReport`."""

    settings: CheckSettings
    console: Console
    missing: set[str] = field(default_factory=set)
    """The programs of which was said that they are missing."""

    def began(self) -> str:
        """Title and conditions."""
        with self.console.capture() as capture:
            self.console.print(Text(escape_controls(self.settings.assignment.title), TERMINAL.heading))
            print_lines(self.console, check_conditions(self.settings))
        return capture.get()

    def known(self, test: Test, verdict: Verdict) -> str:
        """A line per test, and one for all tests of a program that is missing."""
        if verdict is not Verdict.MISSING_FILE:
            line = verdict_line(verdict, test_heading(test))
        elif test.program in self.missing:
            return ""
        else:
            self.missing.add(test.program)
            count = sum(other.program == test.program for other in self.settings.tests)
            line = verdict_line(verdict, missing_words(test.program, count))
        with self.console.capture() as capture:
            print_lines(self.console, [line])
        return capture.get()

    def ended(self, check: CheckedProgram) -> PrintedReport:
        """What was let pass, the first failures, the rules about the code, and the sum."""
        with self.console.capture() as capture:
            print_lines(self.console, check_notes(check))
            for result in check.failures[: self.settings.show]:
                self.console.print()
                print_lines(self.console, failure_text(result, screen_width(self.console), self.settings.diff_text))
            for rule in check.graded.rules:
                print_lines(self.console, rule_lines(rule, points=False))
            self.console.print()
            self.console.print(summary_line(check))
            for words in variant_words(self.settings.assignment, check.graded):
                self.console.print(f"{words} (an accepted variant)", highlight=False)
        return PrintedReport(capture.get())


def missing_words(program: str, tests: int) -> str:
    """What is said of a program that is not there."""
    return escape_controls(f"{program} is not there: {_counted(tests)} not run")


def skipped_words(skipped: SkippedTests) -> str:
    """How many tests were not run, and why not."""
    return f"{_counted(len(skipped.tests))} not run: {skipped.reason}"


def _counted(tests: int) -> str:
    return "1 test was" if tests == 1 else f"{tests} tests were"


def check_conditions(settings: CheckSettings) -> Iterator[Text]:
    """What a student should know of a self-check before it begins."""
    yield Text("Public tests; the program runs with limits, without a sandbox.", TERMINAL.muted)
    for words in settings.lacks:
        yield Text(f"Mind: {words}.", TERMINAL.warning)
    if settings.left_out:
        yield Text(f"Not run here: {', '.join(settings.left_out)}.", TERMINAL.warning)


def check_notes(check: CheckedProgram) -> Iterator[Text]:
    """Files that are not used, what was let pass in tests, and which tests were not run."""
    results = check.graded.results
    if unused := check.graded.submission.unused:
        yield Text(f"  {'note':<15}{escape_controls(unused_words(unused))}", TERMINAL.warning)
    for result in results:
        for note in note_lines(result, results):
            where = f"  {'note':<15}{escape_controls(result.test.id)}: "
            yield Text(f"{where}{note.plain.strip()}", TERMINAL.warning)
    for skipped in check.skipped:
        yield Text("  ").append(f"{'not-run':<15}", TERMINAL.not_judged).append(escape_controls(skipped_words(skipped)))


def passed_words(check: CheckedProgram) -> str:
    """How many of the tests passed."""
    return f"{check.passed} of {len(check.settings.tests)} tests passed."


def summary_line(check: CheckedProgram) -> Text:
    """How many tests passed, and how many failed ones are not shown."""
    colour = TERMINAL.passed if check.passed == len(check.settings.tests) else TERMINAL.failed
    text = Text(passed_words(check), f"{TERMINAL.heading} {colour}")
    more = len(check.failures) - check.settings.show
    if more > 0:
        said = "1 more failing test is" if more == 1 else f"{more} more failing tests are"
        text.append(f" {said} not shown (--show {len(check.failures)}).", TERMINAL.not_heading)
    return text


_KINDS = (
    ("newly_passing", "now passes", TERMINAL.passed),
    ("newly_failing", "now fails", TERMINAL.failed),
    ("otherwise", "fails otherwise", TERMINAL.failed),
)


def print_changes(
    console: Console, run: int, before: Sequence[TestResult], after: Sequence[TestResult], *, show: int
) -> None:
    """Print how many tests pass in this run and what is different, the first `show` new failures in detail."""
    found = changes(before, after)
    console.print()
    nothing = "" if found else ", nothing has changed"
    console.print(Text(f"Run {run}: {count_words(after)}{nothing}.", TERMINAL.heading))
    for kind, words, style in _KINDS:
        for result in getattr(found, kind):
            print_lines(console, [Text("  ").append(f"{words:<17}", style).append(test_heading(result.test))])
    for result in (*found.newly_failing, *found.otherwise)[:show]:
        console.print()
        print_lines(console, failure_text(result, screen_width(console)))


def count_words(results: Sequence[TestResult]) -> str:
    """How many of the tests pass."""
    passed = sum(result.verdict is Verdict.PASSED for result in results)
    return f"{passed} of {len(results)} tests pass"
