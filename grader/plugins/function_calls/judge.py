"""Judges a function test: each call's value or exception, the output, and the final variables."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from grader.checkers import ActualCall, CallStep, RaisedError
from grader.judge.call_transcript import headers, without_tracebacks
from grader.judge.causes.reading import READS_PAST_INPUT
from grader.judge.causes.starting import asks_on_import
from grader.judge.judge import AskChecker, ask_about, judge, judge_ending
from grader.judge.stack_trace import traceback_of
from grader.judge.traceback import Traceback
from grader.model.ending import ExitsBetween
from grader.model.expected_call import ExpectedCall, ExpectedException, ExpectedStep
from grader.model.interaction import CallCheck, FunctionCall
from grader.model.judgement import Diagnosis, Judgement, MendedTranscripts, Verdict
from grader.model.outcome import CallResult, Outcome, RaisedException, StepResult
from grader.model.plain_values import words
from grader.model.test import CheckerSettings, Test
from grader.plugins.function_calls import causes
from grader.plugins.function_calls.values import differences, shallow, short_words
from grader.text.sentence import Sentence, say

_RETURNED = say("returned")


@dataclass(frozen=True)
class _Fault:
    """A fault in a call: the diagnosis, and the first differences between values."""

    step: int
    diagnosis: Diagnosis
    differences: tuple[str, ...] = ()


def judge_call(test: Test, call: FunctionCall, expected: ExpectedCall, outcome: Outcome) -> Judgement:
    """Judge the calls of a test and report the first difference."""
    if outcome.in_build:
        return judge(test, expected.printed, outcome)
    called = outcome.call or CallResult()
    if called.given is None or called.asked:
        judgement = judge(test, expected.printed, outcome)
        step = _steps_begun(call, outcome.transcript) if called.reached else 0
        return _placed(call, step, _fault_of_call(test, judgement, called) or judgement)
    stop = _first_unexpected(expected, called)
    shown = _shown_until(test, outcome, called, stop)
    is_open = stop is None and CallCheck.OUTPUT not in call.checks
    if is_open:
        # Output and input are not compared.
        judgement = judge(test, shown.transcript, replace(shown, unsent=0))
    else:
        judgement = judge(test, expected.printed, shown)
    if shown.transcript != outcome.transcript and judgement.mended is None:
        compared = MendedTranscripts(expected.printed, shown.transcript, shown.typed, ())
        judgement = replace(judgement, mended=compared)
    fault = next(_step_faults(test, call, expected, outcome, called.steps[:stop]), None)
    if fault is None and stop is not None:
        ended = "SystemExit" in _raised(called.steps[stop]).types
        return _placed(call, stop, _without_return(test, judgement, called) if ended else judgement)
    if stop is None and judgement.verdict not in (Verdict.PASSED, Verdict.WRONG_OUTPUT):
        return judgement
    fault = fault or _fault_of_variables(test, call, expected, called)
    if fault is not None and stop is None and len(call.calls) == 1:
        fault = replace(fault, diagnosis=_confused(expected, called, outcome) or fault.diagnosis)
    return _first_difference(call, expected, judgement, fault)


def _first_difference(
    call: FunctionCall, expected: ExpectedCall, judgement: Judgement, fault: _Fault | None
) -> Judgement:
    """Report the first wrong output or the first wrong value. In the same call, the value is more informative."""
    in_output = _step_of_difference(call, expected, judgement) if judgement.verdict is Verdict.WRONG_OUTPUT else None
    if fault is None or (in_output is not None and in_output < fault.step):
        return _placed(call, in_output or 0, judgement)
    wrong = replace(judgement, verdict=Verdict.WRONG_OUTPUT, diagnosis=fault.diagnosis, differences=fault.differences)
    return _placed(call, fault.step, wrong)


def _first_unexpected(expected: ExpectedCall, called: CallResult) -> int | None:
    """Return the first call that raised an exception although the reference raises none."""
    both = enumerate(zip(expected.steps, called.steps, strict=True))
    return next((number for number, (ours, theirs) in both if theirs.raised and ours.raised is None), None)


def _raised(step: StepResult) -> RaisedException:
    if step.raised is None:
        raise ValueError("a call that raised nothing")
    return step.raised


def _shown_until(test: Test, outcome: Outcome, called: CallResult, stop: int | None) -> Outcome:
    """Return the outcome up to the traceback of the call `stop`, without tracebacks that the reference prints too."""
    expected = called.steps[:stop]
    if stop is not None:
        last = _raised(called.steps[stop])
        exit_code = outcome.exit_code if "SystemExit" in last.types else 1
        outcome = replace(outcome, transcript=outcome.transcript[: last.end], exit_code=exit_code)
    elif any(step.raised for step in expected):
        # The exception is expected, and so is the resulting exit status.
        ending = test.ending
        outcome = replace(outcome, exit_code=ending.least if isinstance(ending, ExitsBetween) else 0)
    return without_tracebacks(outcome, expected)


def _steps_begun(call: FunctionCall, transcript: str) -> int:
    """Return the number of the last call made, counting from 0."""
    return max(sum(1 for _ in headers(call, transcript)) - 1, 0)


def _step_of_difference(call: FunctionCall, expected: ExpectedCall, judgement: Judgement) -> int | None:
    """Return the call whose output differs first, or None."""
    if judgement.divergence is None:
        return None
    line = judgement.divergence.line
    line = line if judgement.mended is None else judgement.mended.expected_line(line)
    lines = [expected.printed.count("\n", 0, start) + 1 for start in headers(call, expected.printed)]
    return max(sum(number < line for number in lines) - 1, 0)


def _placed(call: FunctionCall, step: int, judgement: Judgement) -> Judgement:
    """Name the call and the calls before it in the diagnosis, if there are several."""
    diagnosis = judgement.diagnosis
    if len(call.calls) == 1 or diagnosis is None:
        return judgement
    return replace(judgement, diagnosis=Diagnosis.deferred(lambda: causes.in_call(diagnosis, call.calls, step)))


def judge_call_by_checker(
    test: Test,
    call: FunctionCall,
    checker: CheckerSettings,
    expected: ExpectedCall,
    outcome: Outcome,
    *,
    ask: AskChecker,
) -> Judgement:
    """Judge the calls of a test with a checker.

    The checker is only asked if every call returned, or raised an exception where the reference does too.
    """
    called = outcome.call or CallResult()
    if called.given is None or called.asked:
        ending = judge_ending(test, expected.printed, outcome)
        return _fault_of_call(test, ending, called) or ending
    stop = _first_unexpected(expected, called)
    shown = _shown_until(test, outcome, called, stop)
    ending = judge_ending(test, expected.printed, shown)
    if stop is not None:
        ended = "SystemExit" in _raised(called.steps[stop]).types
        return _placed(call, stop, _without_return(test, ending, called) if ended else ending)
    if ending.verdict is not Verdict.PASSED or shown.exit_code is None:
        return ending
    actual = ActualCall(
        stdout=shown.transcript,
        stderr=shown.errors,
        exit_status=shown.exit_code,
        expression=call.calls[-1],
        given=call.variables,
        returned=shallow(called.returned),
        variables={name: shallow(called.given.get(name)) for name in call.variables},
        expected_returned=expected.steps[-1].returned,
        expected_variables=expected.given,
        calls=tuple(_actual_step(*pair) for pair in zip(call.calls, called.steps, strict=True)),
        expected_calls=tuple(_expected_step(*pair) for pair in zip(call.calls, expected.steps, strict=True)),
    )
    return ask_about(test, checker, expected.printed, actual, ask)


def _actual_step(text: str, step: StepResult) -> CallStep:
    raised = None if step.raised is None else RaisedError(_type_name(step.raised), step.raised.message)
    return CallStep(text, shallow(step.returned), raised)


def _expected_step(text: str, step: ExpectedStep) -> CallStep:
    raised = None if step.raised is None else RaisedError(_bare(step.raised.type), step.raised.message)
    return CallStep(text, step.returned, raised)


def _type_name(raised: RaisedException) -> str:
    return _bare(next(iter(raised.types), "an exception"))


def _fault_of_call(test: Test, judgement: Judgement, called: CallResult) -> Judgement | None:
    """Judge a call that was never made or did not return; return None if it returned."""
    starved = judgement.diagnosis is not None and judgement.diagnosis.cause == READS_PAST_INPUT
    if called.asked or (starved and not called.reached):
        # If importing the program already reads the input meant for the function, nothing else is worth reporting.
        return replace(judgement, diagnosis=asks_on_import(test.program), verdict=_failed(judgement))
    return _without_return(test, judgement, called) if called.given is None else None


def _failed(judgement: Judgement) -> Verdict:
    return Verdict.WRONG_OUTPUT if judgement.verdict is Verdict.PASSED else judgement.verdict


def _without_return(test: Test, judgement: Judgement, called: CallResult) -> Judgement:
    """Judge a call that did not return: a crash or limit has its own verdict, otherwise the program called exit."""
    if judgement.verdict not in (Verdict.PASSED, Verdict.WRONG_OUTPUT, Verdict.EXIT_STATUS):
        return judgement
    if judgement.diagnosis is not None and judgement.diagnosis.cause == READS_PAST_INPUT:
        return judgement
    diagnosis = causes.calls_exit(test, reached=called.reached)
    return replace(judgement, verdict=Verdict.EXIT_STATUS, diagnosis=diagnosis)


def _step_faults(
    test: Test, call: FunctionCall, expected: ExpectedCall, outcome: Outcome, steps: Iterable[StepResult]
) -> Iterator[_Fault]:
    """Yield the faults in the returned values and raised exceptions, in the order of calls."""
    for number, (expected_step, actual_step) in enumerate(zip(expected.steps, steps, strict=False)):
        if expected_step.raised is None:
            if CallCheck.RETURN_VALUE in call.checks:
                yield from _fault_of_value(test, number, expected_step, actual_step)
        elif actual_step.raised is None:
            returned = None if actual_step.returned is None else short_words(actual_step.returned)
            yield _Fault(number, causes.raises_nothing(_bare(expected_step.raised.type), returned))
        else:
            where = traceback_of(test, outcome.transcript[actual_step.raised.start : actual_step.raised.end])
            diagnosis = _fault_of_exception(call, expected_step.raised, actual_step.raised, where)
            if diagnosis is not None:
                yield _Fault(number, diagnosis)


def _fault_of_value(test: Test, number: int, expected_step: ExpectedStep, actual_step: StepResult) -> Iterator[_Fault]:
    sentences = tuple(differences(_RETURNED, expected_step.returned, actual_step.returned, test.comparison.tolerance))
    if sentences:
        returns_nothing = actual_step.returned is None and expected_step.returned is not None
        what = sentences[0].value("what")
        first = what if sentences[0].value("path") == _RETURNED and isinstance(what, Sentence) else sentences[0]
        diagnosis = causes.wrong_value(first, len(sentences) - 1, returns_nothing=returns_nothing)
        yield _Fault(number, diagnosis, causes.shown_of(sentences))


def _fault_of_exception(
    call: FunctionCall, expected: ExpectedException, actual: RaisedException, traceback: Traceback | None
) -> Diagnosis | None:
    line = None if traceback is None else traceback.line
    if CallCheck.EXCEPTION_TYPE in call.checks and not _matches_class(expected.type, actual.types):
        return causes.raises_another(_bare(expected.type), _type_name(actual), actual.message, line)
    if CallCheck.EXCEPTION_MESSAGE in call.checks and expected.message != actual.message:
        return causes.wrong_message(_type_name(actual), expected.message, actual.message, line)
    return None


def _matches_class(class_name: str, types: Iterable[str]) -> bool:
    """Return whether an exception is of class `class_name`; only the bare names of classes not built in are compared.

    Students define these in their own modules. A leading dot means that the class may be in any module.
    """
    if "." not in class_name:
        return class_name in types
    return _bare(class_name) in {_bare(name) for name in types if "." in name or class_name.startswith(".")}


def _bare(name: str) -> str:
    return name.rpartition(".")[2]


def _fault_of_variables(test: Test, call: FunctionCall, expected: ExpectedCall, called: CallResult) -> _Fault | None:
    """Return the fault in the variables after the calls, if any."""
    after, before, tolerance = called.given or {}, call.variables, test.comparison.tolerance
    expected_values = expected.given if CallCheck.MUTATED_VARIABLES in call.checks else {}
    changes = [
        (name, sentence)
        for name, value in expected_values.items()
        for sentence in differences(name, value, after.get(name), tolerance)
    ]
    if not changes:
        return None
    name, first = changes[0]
    if before.get(name) == expected.given.get(name):
        tell = causes.unwanted_change
    elif name in before and not any(differences(name, before[name], after.get(name), tolerance)):
        tell = causes.no_change
    else:
        tell = causes.wrong_change
    sentences = causes.shown_of([sentence for _, sentence in changes])
    return _Fault(len(call.calls) - 1, tell(name, first, len(changes) - 1), sentences)


def _confused(expected: ExpectedCall, called: CallResult, outcome: Outcome) -> Diagnosis | None:
    """Diagnose a function that prints the value to return, or returns the text to print."""
    value = expected.steps[0].returned
    if expected.steps[0].raised or called.steps[0].raised:
        return None
    if called.returned is None and outcome.transcript and outcome.transcript.strip() == words(value).strip("'"):
        return causes.prints_its_value(outcome.transcript.strip())
    returned = called.returned.strip() if isinstance(called.returned, str) else ""
    if value is None and not outcome.transcript and returned and returned == expected.printed.strip():
        return causes.returns_its_output(returned)
    return None


def judge_asking(
    test: Test, call: FunctionCall, expected: ExpectedCall, outcome: Outcome, ask: AskChecker
) -> Judgement:
    """Judge the calls of a test, with its checker if it has one."""
    if test.checker is None:
        return judge_call(test, call, expected, outcome)
    return judge_call_by_checker(test, call, test.checker, expected, outcome, ask=ask)
