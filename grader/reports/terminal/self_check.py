"""The report on a self-check for the terminal, and on what a later run of the same tests has changed."""

from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.text import Text

from grader.grading.result_cache import changes
from grader.model.assignment import Assignment
from grader.model.judgement import Verdict
from grader.model.results import GradedSubmission, TestResult
from grader.reports.printed_report import CheckedProgram, PrintedReport
from grader.reports.terminal.console import output_console, print_lines, screen_width
from grader.reports.terminal.diff import DiffText, first_screenful
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


def check_text(check: CheckedProgram) -> PrintedReport:
    """The report on a self-check as standard output shows it."""
    console = output_console()
    with console.capture() as capture:
        print_check(
            console,
            check.assignment,
            check.graded,
            show=check.show,
            diff_text=check.diff_text,
            lacks=check.lacks,
            left_out=check.left_out,
        )
    return PrintedReport(capture.get())


def print_check(
    console: Console,
    assignment: Assignment,
    graded: GradedSubmission,
    *,
    show: int,
    diff_text: DiffText = first_screenful,
    lacks: Sequence[str] = (),
    left_out: Sequence[str] = (),
) -> None:
    """Print a verdict per test, then the first `show` failures in detail, with `diff_text` of their transcripts.

    `lacks` says what this system cannot do, `left_out` names the tests that were therefore not run.
    """
    console.print(Text(escape_controls(assignment.title), TERMINAL.heading))
    print_lines(console, check_conditions(lacks, left_out))
    for result in graded.results:
        print_lines(console, (verdict_line(result), *note_lines(result, graded.results)))
    failed = [result for result in graded.results if result.verdict is not Verdict.PASSED]
    for result in failed[:show]:
        console.print()
        print_lines(console, failure_text(result, screen_width(console), diff_text))
    for rule in graded.rules:
        print_lines(console, rule_lines(rule, points=False))
    console.print()
    console.print(summary_line(graded.results, failed, show))
    for words in variant_words(assignment, graded):
        console.print(f"{words} (an accepted variant)", highlight=False)


def check_conditions(lacks: Sequence[str], left_out: Sequence[str]) -> Iterator[Text]:
    """What a student should know of a self-check; see `print_check`."""
    yield Text("Public tests; the program runs with limits, without a sandbox.", TERMINAL.muted)
    for words in lacks:
        yield Text(f"Mind: {words}.", TERMINAL.warning)
    if left_out:
        yield Text(f"Not run here: {', '.join(left_out)}.", TERMINAL.warning)


def summary_line(results: Sequence[TestResult], failed: Sequence[TestResult], show: int) -> Text:
    """How many tests passed, and how many failed ones are not shown."""
    passed = len(results) - len(failed)
    text = Text(
        f"{passed} of {len(results)} tests passed.",
        f"{TERMINAL.heading} {TERMINAL.failed if failed else TERMINAL.passed}",
    )
    if len(failed) > show:
        more = len(failed) - show
        said = "1 more failing test is" if more == 1 else f"{more} more failing tests are"
        text.append(f" {said} not shown (--show {len(failed)}).", TERMINAL.not_heading)
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
