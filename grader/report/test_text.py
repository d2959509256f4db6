"""One test result in words for the terminal."""

from collections.abc import Iterator

from rich.text import Text

from grader.judge.characters import harmless
from grader.judge.diff import diff_around
from grader.judge.verdict import Verdict
from grader.pipeline.results import TestResult
from grader.report.diff_text import diff_text
from grader.spec.assignment import Start, Test

_MOST_TYPED = 6


def verdict_style(verdict: Verdict) -> str:
    """The colour of a verdict."""
    return {Verdict.PASSED: "green", Verdict.INTERNAL_ERROR: "magenta"}.get(verdict, "red")


def verdict_line(result: TestResult) -> Text:
    """Verdict, test and time in one line."""
    text = Text("  ").append(f"{result.verdict:<15}", verdict_style(result.verdict)).append(result.test.id)
    if result.test.title:
        text.append(f": {result.test.title}")
    return text


def failure_text(result: TestResult) -> Iterator[Text]:
    """What went wrong in one test: how to repeat it, the diagnosis, and a diff around the first difference."""
    heading = f"{result.test.id}: {result.test.title}" if result.test.title else result.test.id
    yield Text(heading, "bold").append(f"  [{result.verdict}]", verdict_style(result.verdict))
    yield Text(f"  {_how_to_repeat(result.test)}", "dim")
    if result.judgement.diagnosis:
        yield Text(f"  {harmless(result.judgement.diagnosis.sentence)}")
    divergence = result.judgement.divergence
    if divergence and result.outcome:
        yield Text("  - expected, + your program", "dim")
        yield from diff_text(diff_around(result.expected, result.outcome.transcript, divergence))


def _how_to_repeat(test: Test) -> str:
    program = "python3" if test.start is Start.PROMPT else f"python3 {test.program}"
    if test.stdin:
        return f"run: {program} < inputs/{test.stdin.name}"
    typed = [repr(line) if line != line.strip() or not line else line for line in test.lines]
    shown = " ⏎ ".join(typed[:_MOST_TYPED])
    more = f" … ({len(typed) - _MOST_TYPED} more)" if len(typed) > _MOST_TYPED else ""
    return f"run: {program}   type: {shown}{more}" if typed else f"run: {program}"
