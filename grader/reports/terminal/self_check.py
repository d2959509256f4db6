"""The report on a self-check for the terminal, and on what a later run of the same tests has changed."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from rich.console import Console
from rich.text import Text

from grader.intake.further_files import unused_words
from grader.model.judgement import Verdict
from grader.model.results import SkippedTests
from grader.model.test import Test
from grader.reports.printed_report import CheckedProgram, CheckSettings, PrintedReport
from grader.reports.terminal.console import output_console, print_lines, screen_width
from grader.reports.terminal.test_result import (
    accepted_variant,
    failure_text,
    in_column,
    note_lines,
    rule_lines,
    test_heading,
    variant_words,
    verdict_line,
)
from grader.reports.theme import TerminalStyle
from grader.text.escape import escape_controls
from grader.text.language import in_language, told, told_plural
from grader.text.sentence import Sentence, say, say_plural


def check_text(settings: CheckSettings) -> "CheckText":
    """Return the report on a self-check as standard output shows it."""
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
            self.console.print(Text(escape_controls(self.settings.assignment.title), TerminalStyle.HEADING))
            print_lines(self.console, check_conditions(self.settings))
        return capture.get()

    def known(self, test: Test, verdict: Verdict) -> str:
        """Return a line per test, and one for all tests of a program that is missing."""
        if verdict is not Verdict.MISSING_FILE:
            line = verdict_line(verdict, test_heading(test))
        elif test.program in self.missing:
            return ""
        else:
            self.missing.add(test.program)
            count = sum(neighbour.program == test.program for neighbour in self.settings.tests)
            line = verdict_line(verdict, in_language(missing_words(test.program, count)))
        with self.console.capture() as capture:
            print_lines(self.console, [line])
        return capture.get()

    def ended(self, check: CheckedProgram) -> PrintedReport:
        """Print what was let pass, the first failures, the rules about the code, and the sum."""
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
                self.console.print(accepted_variant(words), highlight=False)
        return PrintedReport(capture.get())


def missing_words(program: str, tests: int) -> Sentence:
    """Say that a program is missing."""
    return say_plural(
        tests,
        "{file} is not there: {count} test was not run",
        "{file} is not there: {count} tests were not run",
        file=escape_controls(program),
    )


def skipped_words(skipped: SkippedTests) -> Sentence:
    """Return how many tests were not run, and why not."""
    return say_plural(
        len(skipped.tests),
        "{count} test was not run: {reason}",
        "{count} tests were not run: {reason}",
        reason=skipped.reason,
    )


def check_conditions(settings: CheckSettings) -> Iterator[Text]:
    """Yield the conditions of a self-check, before it begins."""
    yield Text(told("Public tests; the program runs with limits, without a sandbox."), TerminalStyle.MUTED)
    for words in settings.lacks:
        yield Text(told("Mind: {words}.", words=words), TerminalStyle.WARNING)
    if settings.left_out:
        yield Text(told("Not run here: {tests}.", tests=", ".join(settings.left_out)), TerminalStyle.WARNING)


def check_notes(check: CheckedProgram) -> Iterator[Text]:
    """Yield why programs were not taken, files not used, what was let pass in tests, and which tests were not run."""
    results = check.graded.results
    label = in_column(told("note"))
    for reason in check.graded.submission.refused.values():
        yield Text(f"  {label}{escape_controls(reason)}", TerminalStyle.WARNING)
    if unused := check.graded.submission.unused:
        yield Text(f"  {label}{escape_controls(in_language(unused_words(unused)))}", TerminalStyle.WARNING)
    for result in results:
        for note in note_lines(result, results):
            where = f"  {label}{escape_controls(result.test.id)}: "
            yield Text(f"{where}{note.plain.strip()}", TerminalStyle.WARNING)
    for skipped in check.skipped:
        sentence = escape_controls(in_language(skipped_words(skipped)))
        yield Text("  ").append(in_column(told("not-run")), TerminalStyle.NOT_JUDGED).append(sentence)


def passed_words(check: CheckedProgram) -> Sentence:
    """Return how many of the tests passed."""
    return say("{passed} of {tests} tests passed.", passed=check.passed, tests=len(check.settings.tests))


def summary_line(check: CheckedProgram) -> Text:
    """Return how many tests passed, and how many failed ones are not shown."""
    colour = TerminalStyle.PASSED if check.passed == len(check.settings.tests) else TerminalStyle.FAILED
    text = Text(in_language(passed_words(check)), f"{TerminalStyle.HEADING} {colour}")
    more = len(check.failures) - check.settings.show
    if more > 0:
        sentence = told_plural(
            more,
            " {count} more failing test is not shown (--show {all}).",
            " {count} more failing tests are not shown (--show {all}).",
            all=len(check.failures),
        )
        text.append(sentence, TerminalStyle.NOT_HEADING)
    return text
