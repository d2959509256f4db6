"""Prints the changes between two runs of a watched self-check."""

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from grader.grading.result_changes import changes, failure_sign, is_unseeded
from grader.model.judgement import Verdict
from grader.model.results import GradedSubmission, TestResult
from grader.reports.failures import in_detail, same_failures
from grader.reports.printed_report import CheckSettings
from grader.reports.terminal.console import print_lines, screen_width
from grader.reports.terminal.test_result import failure_text, heading_lines, in_column
from grader.reports.theme import TerminalStyle
from grader.text.language import in_language, told
from grader.text.sentence import Sentence, say

_CHANGE_CELLS = 17

_KINDS = (
    ("newly_passing", say("now passes"), TerminalStyle.PASSED),
    ("newly_failing", say("now fails"), TerminalStyle.FAILED),
    ("otherwise", say("fails otherwise"), TerminalStyle.FAILED),
)


def print_changes(
    console: Console, settings: CheckSettings, run: int, before: Sequence[TestResult], graded: GradedSubmission
) -> None:
    """Print how many tests pass in this run and what has changed, with the first new causes of failure in detail."""
    signs = {result.test.id: failure_sign(result) for result in before}
    different = changes(signs, graded.results, by_chance=is_unseeded(graded.submission))
    console.print()
    nothing = "" if different else say(", nothing has changed")
    summary = told("Run {run}: {passed}{nothing}.", run=run, passed=count_words(graded.results), nothing=nothing)
    console.print(Text(summary, TerminalStyle.HEADING))
    for kind, words, style in _KINDS:
        label = in_column(in_language(words), _CHANGE_CELLS)
        for heading in heading_lines([result.test for result in getattr(different, kind)]):
            print_lines(console, [Text("  ").append(label, style).append(heading)])
    causes = same_failures((*different.newly_failing, *different.otherwise))
    for cause in in_detail(causes, settings.show):
        console.print()
        alike = cause.words if cause.alike else ""
        print_lines(console, failure_text(cause.result, screen_width(console), alike=alike, more=settings.explain))


def count_words(results: Sequence[TestResult]) -> Sentence:
    """Return a phrase with the number of tests that pass."""
    passed = sum(result.verdict is Verdict.PASSED for result in results)
    return say("{passed} of {tests} tests pass", passed=passed, tests=len(results))
