"""What is shown of one run after another of the same tests."""

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from grader.judge.verdict import Verdict
from grader.pipeline.changes import changes
from grader.pipeline.results import TestResult
from grader.report.lines import print_lines, screen_width
from grader.report.test_text import failure_text, heading

_KINDS = (
    ("newly_passing", "now passes", "green"),
    ("newly_failing", "now fails", "red"),
    ("otherwise", "fails otherwise", "red"),
)


def print_changes(
    console: Console, run: int, before: Sequence[TestResult], after: Sequence[TestResult], *, show: int
) -> None:
    """Print how many tests pass in this run and what is different, the first `show` new failures in detail."""
    found = changes(before, after)
    console.print()
    nothing = "" if found else ", nothing has changed"
    console.print(Text(f"Run {run}: {count_words(after)}{nothing}.", "bold"))
    for kind, words, style in _KINDS:
        for result in getattr(found, kind):
            print_lines(console, [Text("  ").append(f"{words:<17}", style).append(heading(result.test))])
    for result in (*found.newly_failing, *found.otherwise)[:show]:
        console.print()
        print_lines(console, failure_text(result, screen_width(console)))


def count_words(results: Sequence[TestResult]) -> str:
    """How many of the tests pass."""
    passed = sum(result.verdict is Verdict.PASSED for result in results)
    return f"{passed} of {len(results)} tests pass"
