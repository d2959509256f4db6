"""Function calls in tests files: the calls, their values, and the expected results."""

import builtins
from collections.abc import Callable, Iterator

from grader.config.yaml_reader import KeyPath, YamlDocument
from grader.errors import Problem, quoted
from grader.model.expectation import Expectation, FromReference, GivenTranscript, OutputCheck, OutputChecks
from grader.model.expected_call import ExpectedCall, ExpectedException, ExpectedStep
from grader.model.interaction import CallCheck, FunctionCall
from grader.model.plain_values import Plain
from grader.model.test import Test
from grader.spec.languages import language_of
from grader.spec.tests_file import TestEntry
from grader.spec.values import is_expression, known_value, plain_value
from grader.text.syntax import parse


class UnreadableValueError(Exception):
    """A value in a test cannot be read; `steps` is the path from the test to the value."""

    def __init__(self, steps: KeyPath, message: str) -> None:
        super().__init__(message)
        self.steps = steps


def function_call(entry: TestEntry, fill: Callable[[str], str]) -> FunctionCall:
    """Return the interaction of a test with `call` or `calls`. Raises UnreadableValueError."""
    calls = entry.calls or (entry.call or "",)
    return FunctionCall(
        calls=tuple(map(fill, calls)),
        variables={
            name: _read(plain_value, value, ("variables", name), fill) for name, value in entry.variables.items()
        },
        setup=tuple(map(fill, entry.setup)),
        checks=_stated_checks(entry) if _states_result(entry) else frozenset(entry.checks),
        cards=None,
        lines=tuple(map(fill, entry.input or ())),
        echo=entry.echo,
    )


def _states_result(entry: TestEntry) -> bool:
    return bool(_stated_checks(entry)) or entry.expect is not None


def _stated_checks(entry: TestEntry) -> frozenset[CallCheck]:
    """Return the comparisons whose expected result the test itself states."""
    message = entry.raises is not None and entry.raises.message is not None
    stated = {
        CallCheck.RETURN_VALUE: "returns" in entry.model_fields_set,
        CallCheck.EXCEPTION_TYPE: entry.raises is not None,
        CallCheck.EXCEPTION_MESSAGE: message,
        CallCheck.OUTPUT: entry.prints is not None,
    }
    return frozenset(check for check, is_stated in stated.items() if is_stated)


def stated_result(
    entry: TestEntry, program: str, fill: Callable[[str], str], checks: tuple[OutputCheck, ...] | None
) -> Expectation:
    """Return the expected result of a call in `program`, as stated by the test or given by the reference.

    `checks` examine the printed output.

    Raises UnreadableValueError.
    """
    if not _states_result(entry):
        return FromReference()
    returned = _read(known_value, entry.returns, ("returns",), fill) if "returns" in entry.model_fields_set else None
    raised = None
    if entry.raises is not None:
        raised = ExpectedException(_class_name(entry.raises.type, program), fill(entry.raises.message or ""))
    calls = tuple(map(fill, entry.calls or ("",)))
    stated = ExpectedCall((ExpectedStep(returned, raised),) * len(calls), fill(entry.prints or ""), {}).text(calls)
    return GivenTranscript(stated) if checks is None else OutputChecks(checks, stated)


def _class_name(name: str, program: str) -> str:
    """Return the name of an exception class, with a leading dot unless it is built into Python or already qualified."""
    if "." in name:
        return name
    return name if language_of(program) is None and hasattr(builtins, name) else f".{name}"


def _read(read: Callable[[object], Plain], value: object, steps: KeyPath, fill: Callable[[str], str]) -> Plain:
    try:
        return read(_filled(value, fill))
    except ValueError as error:
        raise UnreadableValueError(steps, str(error)) from None


def _filled(value: object, fill: Callable[[str], str]) -> object:
    """Return `value` with loop values filled into all strings, leaving the keys of mappings unchanged."""
    match value:
        case str():
            return type(value)(fill(value))
        case list():
            return [_filled(item, fill) for item in value]
        case dict():
            return {key: _filled(item, fill) for key, item in value.items()}
    return value


def bad_calls(tests: list[Test], document: YamlDocument, steps: KeyPath) -> Iterator[Problem]:
    """Yield a problem for each call in `tests`, the tests of one entry, that Python cannot parse."""
    in_python = [test for test in tests if language_of(test.program) is None]
    all_calls = [test.interaction.calls for test in in_python if isinstance(test.interaction, FunctionCall)]
    bad = next((calls[0] for calls in all_calls if len(calls) == 1 and not is_expression(calls[0])), None)
    if bad is not None:
        yield Problem(document.place((*steps, "call")), f"found {quoted(bad)}; expected a call such as deal(deck, 3)")
    series = (pair for calls in all_calls if len(calls) > 1 for pair in enumerate(calls))
    for index, call in dict(pair for pair in series if not _is_statement(pair[1])).items():
        message = f"found {quoted(call)}; expected a call such as a.deposit(3), or a statement such as a = Account(5)"
        yield Problem(document.place((*steps, "calls", index)), message)


def _is_statement(text: str) -> bool:
    try:
        return len(parse(text).body) == 1
    except (SyntaxError, ValueError):
        return False
