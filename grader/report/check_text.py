"""The report of a self-check."""

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from grader.judge.characters import harmless
from grader.judge.verdict import Verdict
from grader.pipeline.results import GradedSubmission, TestResult
from grader.report.diff_text import DiffText, first_screenful
from grader.report.rule_text import rule_lines
from grader.report.test_text import failure_text, note_lines, verdict_line
from grader.report.variant_words import variant_words
from grader.spec.assignment import Assignment


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
    console.print(Text(harmless(assignment.title), "bold"))
    console.print(Text("Public tests; the program runs with limits, without a sandbox.", "dim"))
    for words in lacks:
        console.print(Text(f"Mind: {words}.", "yellow"), soft_wrap=True)
    if left_out:
        console.print(Text(f"Not run here: {', '.join(left_out)}.", "yellow"), soft_wrap=True)
    for result in graded.results:
        for line in (verdict_line(result), *note_lines(result, graded.results)):
            console.print(line, soft_wrap=True)
    failed = [result for result in graded.results if result.verdict is not Verdict.PASSED]
    for result in failed[:show]:
        console.print()
        for line in failure_text(result, diff_text):
            console.print(line, soft_wrap=True)
    for rule in graded.rules:
        for line in rule_lines(rule, points=False):
            console.print(line, soft_wrap=True)
    console.print()
    console.print(_summary(graded.results, failed, show))
    for words in variant_words(assignment, graded):
        console.print(f"{words} (an accepted variant)", highlight=False)


def _summary(results: Sequence[TestResult], failed: Sequence[TestResult], show: int) -> Text:
    passed = len(results) - len(failed)
    text = Text(f"{passed} of {len(results)} tests passed.", "bold red" if failed else "bold green")
    if len(failed) > show:
        more = len(failed) - show
        said = "1 more failing test is" if more == 1 else f"{more} more failing tests are"
        text.append(f" {said} not shown (--show {len(failed)}).", "not bold")
    return text
