"""The calls of a reference: the results expected of students, and the reasons why some results cannot be expected."""

from collections.abc import Iterable, Mapping
from typing import cast

from grader.judge.call_transcript import without_tracebacks
from grader.model.expected_call import ExpectedCall, ExpectedException, ExpectedStep
from grader.model.interaction import CallCheck, FunctionCall
from grader.model.outcome import CallResult, Outcome, StepResult
from grader.model.plain_values import Plain
from grader.model.test import Test


def expected_call(outcome: Outcome, call: CallResult) -> ExpectedCall:
    """Turn the results of the reference's calls into the results expected of students."""
    given = cast("Mapping[str, Plain]", call.given or {})
    return ExpectedCall(
        tuple(map(_expected_step, call.steps)), without_tracebacks(outcome, call.steps).transcript, given
    )


def _expected_step(step: StepResult) -> ExpectedStep:
    raised = None if step.raised is None else ExpectedException(step.raised.types[0], step.raised.message)
    return ExpectedStep(cast("Plain", step.returned), raised)


def fault_of_reference(test: Test, call: FunctionCall, outcome: Outcome) -> str | None:
    """Return the reason why submissions need not give these results; an exception may be the author's mistake."""
    called = outcome.call or CallResult()
    if called.given is None:
        return "its function does not return"
    for text, step in zip(call.calls, called.steps, strict=True):
        if step.raised and not call.may_raise:
            fault = f"`{text}` raises {step.raised.types[0].lstrip('.')}: {step.raised.message}"
            return f"{fault}. If students' programs must raise it too, add `exception_type` to `checks`"
    unknown = _not_compared(test, called)
    if unknown is None:
        return None
    return (
        f"its function gives {unknown}, of which only the kind can be compared. Let the call give lists, texts and "
        "numbers, as list(…) or vars(…) do, or take other `checks`: `state` compares public attributes"
    )


def _not_compared(test: Test, call: CallResult) -> str | None:
    """Return an object among the compared values that would pass with any content, or None."""
    if test.checker is not None or not isinstance(test.interaction, FunctionCall):
        return None
    checks = test.interaction.checks
    values = [cast("Plain", step.returned) for step in call.steps if CallCheck.RETURN_VALUE in checks]
    if CallCheck.MUTATED_VARIABLES in checks:
        values += cast("Mapping[str, Plain]", call.given or {}).values()
    return unknown_object(values)


def unknown_object(value: Plain) -> str | None:
    """Return the first object in `value` whose content is unknown, or None if all of `value` can be compared."""
    inner: Iterable[Plain] = ()
    match value:
        case {"object": str(text)}:
            return text
        case {"tuple": list(items)}:
            # Other attributes of a named tuple are not compared if the reference has one.
            inner = items
        case list():
            inner = value
        case dict():
            inner = value.values()
    return next((name for item in inner if (name := unknown_object(item)) is not None), None)
