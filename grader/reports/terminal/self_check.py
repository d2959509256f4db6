"""The terminal report on a self-check."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path, PurePosixPath

from rich.console import Console
from rich.text import Text

from grader.grading.result_changes import changes, is_unseeded
from grader.intake.further_files import unused_words
from grader.model.judgement import Verdict
from grader.model.results import SkippedTests
from grader.model.test import Test
from grader.reports.failures import in_detail
from grader.reports.printed_report import CheckedProgram, CheckSettings, PrintedReport
from grader.reports.terminal.console import output_console, print_lines, screen_width
from grader.reports.terminal.diff import all_differences, first_screenful
from grader.reports.terminal.test_result import (
    MAX_SINGLE,
    accepted_variant,
    failure_text,
    in_column,
    note_lines,
    rules_section,
    short_failure,
    verdict_line,
    verdict_lines,
)
from grader.reports.theme import TerminalStyle
from grader.reports.words import variant_words
from grader.text.escape import escape_controls
from grader.text.language import in_language, told, told_plural
from grader.text.sentence import Sentence, joined, say, say_plural
from grader.text.words import some_of


def check_text(settings: CheckSettings) -> "CheckText":
    """Return the report on a self-check for standard output."""
    return CheckText(settings=settings, console=output_console())


@dataclass(kw_only=True)
class CheckText:
    """A `CheckReport` that writes verdicts as they arrive, then the first causes of failure in detail."""

    settings: CheckSettings
    console: Console
    missing: set[str] = field(default_factory=set)
    """The programs already reported as missing."""
    run: list[Test] = field(default_factory=list)
    """The most recent tests, which have the verdict `last` and have not been written yet."""
    last: Verdict = Verdict.PASSED

    def began(self) -> str:
        """Return the title and the conditions."""
        with self.console.capture() as capture:
            self.console.print(Text(escape_controls(self.settings.assignment.title), TerminalStyle.HEADING))
            print_lines(self.console, check_conditions(self.settings))
        return capture.get()

    def known(self, test: Test, verdict: Verdict) -> str:
        """Return the lines of the preceding tests, unless this test has the same verdict."""
        lines: list[Text] = [] if verdict is self.last else self._written()
        if verdict is not Verdict.MISSING_FILE:
            self.last = verdict
            self.run.append(test)
        elif test.program not in self.missing:
            self.missing.add(test.program)
            count = sum(neighbour.program == test.program for neighbour in self.settings.tests)
            lines.append(verdict_line(verdict, in_language(missing_words(test.program, count, self.settings.folder))))
        return self._printed(lines)

    def _written(self) -> list[Text]:
        """Return the lines of the tests that have not been written yet."""
        tests, self.run = self.run, []
        return list(verdict_lines(self.last, tests))

    def _printed(self, lines: Iterable[Text]) -> str:
        with self.console.capture() as capture:
            print_lines(self.console, lines)
        return capture.get()

    def ended(self, check: CheckedProgram) -> PrintedReport:
        """Return the first causes of failure, the ignored differences, the rules about the code, and the summary."""
        width, diff_text = screen_width(self.console), all_differences if self.settings.full else first_screenful
        lines = [*self._written(), *not_run_notes(check)]
        for cause in check.detailed:
            alike = cause.words if cause.alike else ""
            lines += [Text(), *failure_text(cause.result, width, diff_text, alike, self.settings.explain)]
        for number, cause in enumerate(check.in_short):
            lines += [*([] if number else [Text()]), *short_failure(cause.result, cause.words if cause.alike else "")]
        if notes := list(check_notes(check)):
            lines += [*([Text()] if check.detailed else []), *notes]
        lines += [*rules_section(check.graded.rules), Text(), summary_line(check), *progress_lines(check)]
        lines += [Text(accepted_variant(words)) for words in variant_words(self.settings.assignment, check.graded)]
        return PrintedReport(self._printed(lines))


def missing_words(program: str, tests: int, folder: Path) -> Sentence:
    """Return a sentence about a program that is missing in a folder."""
    return say_plural(
        tests,
        "{file} is not in {folder} or below: {count} test was not run",
        "{file} is not in {folder} or below: {count} tests were not run",
        file=escape_controls(program),
        folder=escape_controls(str(folder.resolve())),
    )


def skipped_words(skipped: SkippedTests) -> Sentence:
    """Return a sentence about how many tests were not run, and why."""
    return say_plural(
        len(skipped.tests),
        "{count} test was not run: {reason}",
        "{count} tests were not run: {reason}",
        reason=skipped.reason,
    )


def check_conditions(settings: CheckSettings) -> Iterator[Text]:
    """Yield the conditions of a self-check before it begins."""
    yield Text(told("Public tests; the program runs with limits, without a sandbox."), TerminalStyle.MUTED)
    if files := escape_controls(", ".join(module.file for module in settings.assignment.provided)):
        words = told("Your course provides {files}: put a copy beside your program to run it yourself.", files=files)
        yield Text(words, TerminalStyle.MUTED)
        if any(test.provision.environment for test in settings.tests):
            words = told("PROVIDED_… before a command are settings that {files} reads.", files=files)
            yield Text(words, TerminalStyle.MUTED)
    for words in settings.lacks:
        yield Text(told("Mind: {words}.", words=words), TerminalStyle.WARNING)
    if settings.left_out:
        yield Text(told("Not run here: {tests}.", tests=", ".join(settings.left_out)), TerminalStyle.WARNING)


def not_run_notes(check: CheckedProgram) -> Iterator[Text]:
    """Yield the reasons why programs were not used, and the tests that were not run."""
    for file, reason in check.graded.submission.refused.items():
        is_renamed = isinstance(reason, Sentence) and reason.value("other") is not None
        advice = say("{reason}: if that is your program, rename it to {file}", reason=reason, file=file)
        yield _note(in_language(advice if is_renamed else reason))
    yield from map(_note, islice(_tested_files(check), MAX_SINGLE))
    for skipped in check.skipped:
        sentence = escape_controls(in_language(skipped_words(skipped)))
        yield Text("  ").append(in_column(told("not-run")), TerminalStyle.NOT_JUDGED).append(sentence)


def _tested_files(check: CheckedProgram) -> Iterator[str]:
    """Yield sentences about programs that are tested from a subfolder, and about further copies of programs."""
    for note in check.graded.submission.notes:
        file = str(note.value("file")) if isinstance(note, Sentence) and note.value("taken") else ""
        if PurePosixPath(file).name in check.settings.assignment.program_named:
            yield in_language(note)


def check_notes(check: CheckedProgram) -> Iterator[Text]:
    """Yield the files that are not used, except output from `--save`, and the ignored differences."""
    saved = {f"{test.id}.txt" for test in check.settings.assignment.tests}
    if unused := [name for name in check.graded.submission.unused if PurePosixPath(name).name not in saved]:
        yield _note(in_language(unused_words(unused)))
    for result in check.graded.results:
        for note in note_lines(result, check.graded.results):
            yield _note(f"{result.test.id}: {note.plain.strip()}")


def _note(words: str) -> Text:
    label = in_column(told("note"))
    return Text(f"  {label}{escape_controls(words)}", TerminalStyle.WARNING)


def passed_words(check: CheckedProgram) -> Sentence:
    """Return a sentence with the number of tests that passed."""
    tests = len(check.settings.tests) - check.missing
    if check.missing:
        return say(
            "{passed} of {tests} tests passed; {missing} not run.",
            passed=check.passed,
            tests=tests,
            missing=check.missing,
        )
    return say("{passed} of {tests} tests passed.", passed=check.passed, tests=tests)


def progress_lines(check: CheckedProgram) -> Iterator[Text]:
    """Yield a line about the tests whose results have changed since the previous check."""
    run = [result for result in check.graded.results if result.verdict is not Verdict.MISSING_FILE]
    by_chance = is_unseeded(check.graded.submission)
    different = changes(check.settings.before, run, by_chance=by_chance)
    parts = [
        words(len(results), some_of([result.test.id for result in results], MAX_SINGLE + 1))
        for results, words in (
            (different.newly_passing, _now_passing),
            (different.newly_failing, _now_failing),
            (different.otherwise, _failing_otherwise),
        )
        if results
    ]
    if parts:
        chance = say(", perhaps by chance, because random numbers have no seed") if by_chance else ""
        words = told("Since the last check: {changes}{chance}.", changes=joined("; ", parts), chance=chance)
        yield Text(words, TerminalStyle.MUTED)


def _now_passing(count: int, tests: Sentence) -> Sentence:
    return say_plural(count, "{count} test now passes ({tests})", "{count} tests now pass ({tests})", tests=tests)


def _now_failing(count: int, tests: Sentence) -> Sentence:
    return say_plural(count, "{count} test now fails ({tests})", "{count} tests now fail ({tests})", tests=tests)


def _failing_otherwise(count: int, tests: Sentence) -> Sentence:
    return say_plural(
        count,
        "{count} test fails for another reason ({tests})",
        "{count} tests fail for another reason ({tests})",
        tests=tests,
    )


def summary_line(check: CheckedProgram) -> Text:
    """Return how many tests passed, which rules are broken, and how many causes of failure are not shown."""
    is_right = check.passed == len(check.settings.tests) and not check.broken_rules
    colour = TerminalStyle.PASSED if is_right else TerminalStyle.FAILED
    text = Text(in_language(passed_words(check)), f"{TerminalStyle.HEADING} {colour}")
    if broken := check.broken_rules:
        names = ", ".join(rule.rule.id for rule in broken)
        text.append(told_plural(len(broken), " Broken: the rule {names}.", " Broken: the rules {names}.", names=names))
    kinds = len(check.causes) if check.settings.full else len(in_detail(check.causes, len(check.causes)))
    more = len(check.causes) - len(check.detailed) - len(check.in_short)
    if more > 0:
        sentence = told_plural(
            more,
            " {count} more failure is not shown ({options}).",
            " {count} more failures are not shown ({options}).",
            options=f"--show {kinds}" if kinds > check.settings.show else f"--full --show {len(check.failures)}",
        )
        text.append(sentence, TerminalStyle.NOT_HEADING)
    return text
