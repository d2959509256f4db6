"""Judges a function test: what the function returned, printed and made of its arguments."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from grader.checkers import ActualCall
from grader.judge.causes import function
from grader.judge.causes.reading import READS_PAST_INPUT
from grader.judge.judge import AskChecker, ask_about, judge, judge_ending
from grader.judge.values import differences, shallow
from grader.model.codec import Plain, words
from grader.model.interaction import CallCheck, FunctionCall
from grader.model.judgement import Diagnosis, Judgement, Verdict
from grader.model.outcome import NOTHING_CALLED, CallResult, Outcome
from grader.model.test import CheckerSettings, Test


@dataclass(frozen=True)
class ExpectedCall:
    """What a call must return, print and make of its arguments: the values in plain form."""

    returned: Plain
    printed: str
    given: Mapping[str, Plain]

    def text(self) -> str:
        """The content of an expected file: JSON, a line per value."""
        lines = [f' "returned": {_json(self.returned)}', f' "printed": {_json(self.printed)}']
        lines += (f' "given {name}": {_json(value)}' for name, value in self.given.items())
        return "{\n" + ",\n".join(lines) + "\n}\n"


def read_expected_call(text: str) -> ExpectedCall:
    """The inverse of `ExpectedCall.text`. Raises ValueError or KeyError when it is not such a text."""
    content = json.loads(text)
    prefix = "given "
    given = {key.removeprefix(prefix): value for key, value in content.items() if key.startswith(prefix)}
    return ExpectedCall(content["returned"], content["printed"], given)


def _json(value: Plain) -> str:
    # Lone surrogates, which stand for bytes that are not UTF-8, are escaped.
    text = json.dumps(value, ensure_ascii=False)
    return "".join(one if not "\ud800" <= one <= "\udfff" else f"\\u{ord(one):04x}" for one in text)


_RETURNED = "returned"


def judge_call(test: Test, call: FunctionCall, expected: ExpectedCall, outcome: Outcome) -> Judgement:
    """The verdict on the `call` of a test."""
    called = outcome.call or NOTHING_CALLED
    returned = called.given is not None
    open_text = returned and CallCheck.OUTPUT not in call.checks
    judgement = (
        # What is printed or read does not count.
        judge(test, outcome.transcript, replace(outcome, unsent=0))
        if open_text
        else judge(test, expected.printed, outcome)
    )
    fault = _fault_of_call(test, judgement, called)
    if fault is not None:
        return fault
    found = tuple(_value_differences(test, call, expected, called))
    if not found or judgement.verdict not in (Verdict.PASSED, Verdict.WRONG_OUTPUT):
        return judgement
    return replace(
        judgement,
        verdict=Verdict.WRONG_OUTPUT,
        diagnosis=_confused(expected, called, outcome) or _diagnosis(call, expected, called, found),
        differences=found,
    )


def judge_call_by_checker(
    test: Test,
    call: FunctionCall,
    checker: CheckerSettings,
    expected: ExpectedCall,
    outcome: Outcome,
    *,
    ask: AskChecker,
) -> Judgement:
    """The verdict on the `call` of a test that has a checker, which is asked when the function returned."""
    called = outcome.call or NOTHING_CALLED
    ending = judge_ending(test, expected.printed, outcome)
    fault = _fault_of_call(test, ending, called)
    if fault is not None:
        return fault
    if ending.verdict is not Verdict.PASSED or outcome.exit_code is None:
        return ending
    actual = ActualCall(
        stdout=outcome.transcript,
        stderr=outcome.errors,
        exit_status=outcome.exit_code,
        expression=call.expression,
        given=call.variables,
        returned=shallow(called.returned),
        variables={name: shallow((called.given or {}).get(name)) for name in call.variables},
        expected_returned=expected.returned,
        expected_variables=expected.given,
    )
    return ask_about(test, checker, expected.printed, actual, ask)


def _fault_of_call(test: Test, judgement: Judgement, called: CallResult) -> Judgement | None:
    """The judgement on a call that did not come about or did not return; None if it did."""
    starved = judgement.diagnosis is not None and judgement.diagnosis.cause == READS_PAST_INPUT
    if called.asked or (starved and not called.reached):
        # An import that plays the game takes the input meant for the function; nothing else is worth saying.
        return replace(judgement, diagnosis=function.asks_on_import(test.program), verdict=_failed(judgement))
    return _without_return(test, judgement, called) if called.given is None else None


def _failed(judgement: Judgement) -> Verdict:
    return Verdict.WRONG_OUTPUT if judgement.verdict is Verdict.PASSED else judgement.verdict


def _without_return(test: Test, judgement: Judgement, called: CallResult) -> Judgement:
    """The function did not return. A crash or a limit has its own verdict; else the program ended itself."""
    if judgement.verdict not in (Verdict.PASSED, Verdict.WRONG_OUTPUT, Verdict.EXIT_STATUS):
        return judgement
    if judgement.diagnosis is not None and judgement.diagnosis.cause == READS_PAST_INPUT:
        return judgement
    diagnosis = function.calls_exit(test.program, reached=called.reached)
    return replace(judgement, verdict=Verdict.EXIT_STATUS, diagnosis=diagnosis)


def _value_differences(test: Test, call: FunctionCall, expected: ExpectedCall, called: CallResult) -> Iterator[str]:
    tolerance = test.comparison.tolerance
    if CallCheck.RETURN_VALUE in call.checks:
        yield from differences(_RETURNED, expected.returned, called.returned, tolerance)
    if CallCheck.MUTATED_VARIABLES in call.checks:
        after = called.given or {}
        for name, value in expected.given.items():
            yield from differences(name, value, after.get(name), tolerance)


def _confused(expected: ExpectedCall, called: CallResult, outcome: Outcome) -> Diagnosis | None:
    """The function prints what it should return, or the other way round."""
    if (
        called.returned is None
        and outcome.transcript
        and outcome.transcript.strip() == words(expected.returned).strip("'")
    ):
        return function.prints_its_value(outcome.transcript.strip())
    returned = called.returned.strip() if isinstance(called.returned, str) else ""
    if expected.returned is None and not outcome.transcript and returned and returned == expected.printed.strip():
        return function.returns_its_output(returned)
    return None


def _diagnosis(call: FunctionCall, expected: ExpectedCall, called: CallResult, found: tuple[str, ...]) -> Diagnosis:
    first, others = found[0], len(found) - 1
    if first.startswith(_RETURNED):
        returns_nothing = called.returned is None and expected.returned is not None
        return function.wrong_value(first.removeprefix(f"{_RETURNED}: "), others, returns_nothing=returns_nothing)
    name = first.split(":")[0].split("[")[0]
    if call.variables.get(name) == expected.given.get(name):
        return function.unwanted_change(name, first, others)
    return function.wrong_change(name, first, others)
