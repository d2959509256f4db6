"""Judges a function test: what each call returned or raised, what was printed, and what became of the variables."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from grader.checkers import ActualCall, CallStep, RaisedError
from grader.judge.causes import function
from grader.judge.causes.reading import READS_PAST_INPUT
from grader.judge.causes.starting import asks_on_import
from grader.judge.judge import AskChecker, ask_about, judge, judge_ending
from grader.judge.stack_trace import traceback_of
from grader.judge.traceback import Traceback
from grader.judge.values import differences, shallow, short_words
from grader.model.codec import words
from grader.model.ending import ExitsBetween
from grader.model.expected_call import ExpectedCall, ExpectedException, ExpectedStep
from grader.model.interaction import CallCheck, FunctionCall
from grader.model.judgement import Diagnosis, Judgement, MendedTranscripts, Verdict
from grader.model.outcome import NOTHING_CALLED, CallResult, Outcome, RaisedException, StepResult
from grader.model.test import CheckerSettings, Test
from grader.text.sentence import Sentence, say

_RETURNED = say("returned")


_HEADER = ">>> "


@dataclass(frozen=True)
class _Fault:
    """What is wrong with a call: a sentence, and every difference between values."""

    step: int
    diagnosis: Diagnosis
    differences: tuple[str, ...] = ()


def judge_call(test: Test, call: FunctionCall, expected: ExpectedCall, outcome: Outcome) -> Judgement:
    """The verdict on the calls of a test; the first that differs is told."""
    if outcome.in_build:
        return judge(test, expected.printed, outcome)
    called = outcome.call or NOTHING_CALLED
    if called.given is None or called.asked:
        judgement = judge(test, expected.printed, outcome)
        step = _steps_begun(call, outcome.transcript) if called.reached else 0
        return _placed(call, step, _fault_of_call(test, judgement, called) or judgement)
    stop = _first_unexpected(expected, called)
    shown = _shown_until(test, outcome, called, stop)
    is_open = stop is None and CallCheck.OUTPUT not in call.checks
    if is_open:
        # What is printed or read does not count.
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
    """The judgement on the first call that differs: by its output, or by its value, which tells more."""
    in_output = _step_of_difference(call, expected, judgement) if judgement.verdict is Verdict.WRONG_OUTPUT else None
    if fault is None or (in_output is not None and in_output < fault.step):
        return _placed(call, in_output or 0, judgement)
    wrong = replace(judgement, verdict=Verdict.WRONG_OUTPUT, diagnosis=fault.diagnosis, differences=fault.differences)
    return _placed(call, fault.step, wrong)


def _first_unexpected(expected: ExpectedCall, called: CallResult) -> int | None:
    """The first call that raised an exception where the reference raises none."""
    both = enumerate(zip(expected.steps, called.steps, strict=True))
    return next((number for number, (ours, theirs) in both if theirs.raised and ours.raised is None), None)


def _raised(step: StepResult) -> RaisedException:
    if step.raised is None:
        raise ValueError("a call that raised nothing")
    return step.raised


def _shown_until(test: Test, outcome: Outcome, called: CallResult, stop: int | None) -> Outcome:
    """The outcome without the tracebacks that the reference has too, up to that of the call `stop`."""
    expected = called.steps[:stop]
    if stop is not None:
        last = _raised(called.steps[stop])
        exit_code = outcome.exit_code if "SystemExit" in last.types else 1
        outcome = replace(outcome, transcript=outcome.transcript[: last.end], exit_code=exit_code)
    elif any(step.raised for step in expected):
        # The exception is what is expected, and so is the exit status that comes of it.
        ending = test.ending
        outcome = replace(outcome, exit_code=ending.least if isinstance(ending, ExitsBetween) else 0)
    return without_tracebacks(outcome, expected)


def without_tracebacks(outcome: Outcome, steps: Iterable[StepResult]) -> Outcome:
    """The outcome with the tracebacks of these calls cut out of its transcript."""
    for one in reversed([step.raised for step in steps if step.raised]):
        typed = tuple(
            replace(line, offset=line.offset - (one.end - one.start)) if line.offset >= one.end else line
            for line in outcome.typed
        )
        text = outcome.transcript
        outcome = replace(outcome, transcript=text[: one.start] + text[one.end :], typed=typed)
    return outcome


def _headers(call: FunctionCall, text: str) -> Iterator[int]:
    """Where each call of several begins in a transcript, as far as it goes."""
    start = 0
    for one in call.calls if len(call.calls) > 1 else ():
        start = text.find(f"{_HEADER}{one}\n", start)
        if start < 0:
            return
        yield start
        start += 1


def _steps_begun(call: FunctionCall, transcript: str) -> int:
    """The number of the call that was made last, from 0."""
    return max(sum(1 for _ in _headers(call, transcript)) - 1, 0)


def _step_of_difference(call: FunctionCall, expected: ExpectedCall, judgement: Judgement) -> int | None:
    """The call whose output differs first, None when nothing does."""
    if judgement.divergence is None:
        return None
    line = judgement.divergence.line
    line = line if judgement.mended is None else judgement.mended.expected_line(line)
    lines = [expected.printed.count("\n", 0, start) + 1 for start in _headers(call, expected.printed)]
    return max(sum(number < line for number in lines) - 1, 0)


def _placed(call: FunctionCall, step: int, judgement: Judgement) -> Judgement:
    """The judgement, told with the call that it is about and those before it when there are several."""
    if len(call.calls) == 1 or judgement.diagnosis is None:
        return judgement
    return replace(judgement, diagnosis=function.in_call(judgement.diagnosis, call.calls, step))


def judge_call_by_checker(
    test: Test,
    call: FunctionCall,
    checker: CheckerSettings,
    expected: ExpectedCall,
    outcome: Outcome,
    *,
    ask: AskChecker,
) -> Judgement:
    """The verdict on the calls of a test that has a checker.

    It is asked when each call returned, or raised an exception where the reference raises one too.
    """
    called = outcome.call or NOTHING_CALLED
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
    """The judgement on a call that did not come about or did not return; None if it did."""
    starved = judgement.diagnosis is not None and judgement.diagnosis.cause == READS_PAST_INPUT
    if called.asked or (starved and not called.reached):
        # An import that plays the game takes the input meant for the function; nothing else is worth saying.
        return replace(judgement, diagnosis=asks_on_import(test.program), verdict=_failed(judgement))
    return _without_return(test, judgement, called) if called.given is None else None


def _failed(judgement: Judgement) -> Verdict:
    return Verdict.WRONG_OUTPUT if judgement.verdict is Verdict.PASSED else judgement.verdict


def _without_return(test: Test, judgement: Judgement, called: CallResult) -> Judgement:
    """The function did not return. A crash or a limit has its own verdict; else the program ended itself."""
    if judgement.verdict not in (Verdict.PASSED, Verdict.WRONG_OUTPUT, Verdict.EXIT_STATUS):
        return judgement
    if judgement.diagnosis is not None and judgement.diagnosis.cause == READS_PAST_INPUT:
        return judgement
    diagnosis = function.calls_exit(test, reached=called.reached)
    return replace(judgement, verdict=Verdict.EXIT_STATUS, diagnosis=diagnosis)


def _step_faults(
    test: Test, call: FunctionCall, expected: ExpectedCall, outcome: Outcome, steps: Iterable[StepResult]
) -> Iterator[_Fault]:
    """What is wrong with what the calls returned or raised, from the first on."""
    for number, (wanted, found) in enumerate(zip(expected.steps, steps, strict=False)):
        if wanted.raised is None:
            if CallCheck.RETURN_VALUE in call.checks:
                yield from _fault_of_value(test, number, wanted, found)
        elif found.raised is None:
            returned = None if found.returned is None else short_words(found.returned)
            yield _Fault(number, function.raises_nothing(_bare(wanted.raised.type), returned))
        else:
            where = traceback_of(test, outcome.transcript[found.raised.start : found.raised.end])
            diagnosis = _fault_of_exception(call, wanted.raised, found.raised, where)
            if diagnosis is not None:
                yield _Fault(number, diagnosis)


def _fault_of_value(test: Test, number: int, wanted: ExpectedStep, found: StepResult) -> Iterator[_Fault]:
    said = tuple(differences(_RETURNED, wanted.returned, found.returned, test.comparison.tolerance))
    if said:
        returns_nothing = found.returned is None and wanted.returned is not None
        what = said[0].value("what")
        first = what if said[0].value("path") == _RETURNED and isinstance(what, Sentence) else said[0]
        yield _Fault(number, function.wrong_value(first, len(said) - 1, returns_nothing=returns_nothing), said)


def _fault_of_exception(
    call: FunctionCall, wanted: ExpectedException, found: RaisedException, traceback: Traceback | None
) -> Diagnosis | None:
    line = None if traceback is None else traceback.line
    if CallCheck.EXCEPTION_TYPE in call.checks and not _is_of(wanted.type, found.types):
        return function.raises_another(_bare(wanted.type), _type_name(found), found.message, line)
    if CallCheck.EXCEPTION_MESSAGE in call.checks and wanted.message != found.message:
        return function.wrong_message(_type_name(found), wanted.message, found.message, line)
    return None


def _is_of(wanted: str, types: Iterable[str]) -> bool:
    """Whether a class is, or is derived from, the one that is expected; one that is not built in is known by its name.

    Students define it in modules of their own. A dot at the beginning says that it may be in any or none.
    """
    if "." not in wanted:
        return wanted in types
    return _bare(wanted) in {_bare(name) for name in types if "." in name or wanted.startswith(".")}


def _bare(name: str) -> str:
    return name.rpartition(".")[2]


def _fault_of_variables(test: Test, call: FunctionCall, expected: ExpectedCall, called: CallResult) -> _Fault | None:
    """What the calls made of the variables, where that is wrong."""
    after = called.given or {}
    wanted = expected.given if CallCheck.MUTATED_VARIABLES in call.checks else {}
    found = [
        (name, said)
        for name, value in wanted.items()
        for said in differences(name, value, after.get(name), test.comparison.tolerance)
    ]
    if not found:
        return None
    name, first = found[0]
    tell = function.unwanted_change if call.variables.get(name) == expected.given.get(name) else function.wrong_change
    said = tuple(said for _, said in found)
    return _Fault(len(call.calls) - 1, tell(name, first, len(found) - 1), said)


def _confused(expected: ExpectedCall, called: CallResult, outcome: Outcome) -> Diagnosis | None:
    """The function prints what it should return, or the other way round."""
    wanted = expected.steps[0].returned
    if expected.steps[0].raised or called.steps[0].raised:
        return None
    if called.returned is None and outcome.transcript and outcome.transcript.strip() == words(wanted).strip("'"):
        return function.prints_its_value(outcome.transcript.strip())
    returned = called.returned.strip() if isinstance(called.returned, str) else ""
    if wanted is None and not outcome.transcript and returned and returned == expected.printed.strip():
        return function.returns_its_output(returned)
    return None
