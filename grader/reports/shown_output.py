"""The output shown for a failed test: a difference, and a crash report as one block.

A program that crashes does not print anything more, so the output missing after a crash is not a difference.
"""

from dataclasses import dataclass, replace

from grader.judge.stack_trace import traceback_of
from grader.judge.traceback import Traceback, first_traceback, start_of_chain
from grader.model.interaction import is_repl
from grader.model.results import ComparedTranscript, TestResult
from grader.text.difference import find_first_difference, lines_of, start_of_differing_line

_BEFORE = 3


@dataclass(frozen=True)
class CrashReport:
    """An uncaught error, and the range of the transcript with its report, which is empty if the report is elsewhere."""

    traceback: Traceback
    place: range

    @property
    def where(self) -> tuple[object, ...]:
        """The kind of error and the line that failed, without the message, which may quote typed text."""
        return self.traceback.error, self.traceback.file, self.traceback.line


def crash_report(result: TestResult) -> CrashReport | None:
    """Return the report of an error after the first difference, or None."""
    compared, outcome = result.compared, result.outcome
    if compared is None or outcome is None:
        return None
    actual = compared.actual
    if outcome.errors:
        traceback = traceback_of(result.test, outcome.errors)
        return CrashReport(traceback, range(len(actual), len(actual))) if traceback else None
    start = start_of_differing_line(compared.expected, actual)
    if not is_repl(result.test.interaction):
        traceback = traceback_of(result.test, actual)
        end = len(actual)
    elif first_traceback(compared.expected, result.test.program, 0):
        return None
    else:
        traceback = first_traceback(actual, result.test.program, start, result.test.provided)
        end = _end_at_prompt(actual, traceback.offset) if traceback else 0
    if traceback is None or traceback.offset < start:
        return None
    return CrashReport(traceback, range(start_of_chain(actual, traceback.offset), end))


def shown_difference(result: TestResult) -> ComparedTranscript | None:
    """Return the transcripts to compare, up to a crash; None if nothing differs before it."""
    compared, report = result.compared, crash_report(result)
    if compared is None or report is None:
        return compared
    printed = compared.actual[: report.place.start]
    expected = compared.expected
    start = end = start_of_differing_line(expected, printed)
    for _ in range(len(lines_of(printed[start:])) if printed[start:] else 0):
        end = expected.find("\n", end) + 1 or len(expected)
    expected = expected[:end]
    first = find_first_difference(expected, printed)
    if first is None or expected.startswith(printed):
        return None
    shown = compared.shown if compared.shown.line <= printed.count("\n") else first
    return replace(compared, expected=expected, actual=printed, divergence=first, shown=shown)


def crash_text(result: TestResult) -> str:
    """Return a crash report, preceded by context if no difference is shown; empty without a crash."""
    report, compared = crash_report(result), result.compared
    if not report or not compared or not report.place:
        return ""
    start = report.place.start
    for _ in range(_BEFORE if shown_difference(result) is None else 0):
        start = compared.actual.rfind("\n", 0, max(start - 1, 0)) + 1
    return compared.actual[start : report.place.stop]


def _end_at_prompt(text: str, start: int) -> int:
    """Return the end of a traceback at Python's prompt, which is after its error message."""
    end = text.find("\n", start)
    while end >= 0 and text.startswith(" ", end + 1):
        end = text.find("\n", end + 1)
    end = text.find("\n", end + 1) if end >= 0 else end
    return len(text) if end < 0 else end
