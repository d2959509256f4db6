"""The transcript of function calls, without exception tracebacks and without the headers between calls."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from grader.model.interaction import FunctionCall
from grader.model.outcome import Outcome, StepResult

_HEADER = ">>> "


def without_tracebacks(outcome: Outcome, steps: Iterable[StepResult]) -> Outcome:
    """Remove the tracebacks of these calls from the transcript."""
    for error in reversed([step.raised for step in steps if step.raised]):
        typed = tuple(
            replace(line, offset=line.offset - (error.end - error.start)) if line.offset >= error.end else line
            for line in outcome.typed
        )
        text = outcome.transcript
        outcome = replace(outcome, transcript=text[: error.start] + text[error.end :], typed=typed)
    return outcome


def headers(call: FunctionCall, text: str) -> Iterator[int]:
    """Yield the offset of each call's header, as far as the transcript goes."""
    start = 0
    for expression in call.calls if len(call.calls) > 1 else ():
        start = text.find(f"{_HEADER}{expression}\n", start)
        if start < 0:
            return
        yield start
        start += 1


def without_headers(call: FunctionCall, text: str) -> str:
    """Return a transcript without the headers between calls."""
    for expression, start in reversed([*zip(call.calls, headers(call, text), strict=False)]):
        text = text[:start] + text[start + len(f"{_HEADER}{expression}\n") :]
    return text
