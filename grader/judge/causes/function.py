"""Causes that show in a call of a function: what it returns, what it changes, and whether it returns at all."""

import re
from collections.abc import Sequence
from dataclasses import replace

from grader.judge.causes.starting import IMPORT_ADVICE, IMPORT_ASKS_FOR_INPUT
from grader.judge.evidence import FailureEvidence, finds
from grader.model.cause import Cause, CauseSubject
from grader.model.interaction import FunctionCall
from grader.model.judgement import Diagnosis
from grader.model.test import Test
from grader.text.escape import escape_controls, quote, quote_both

RETURNED = Cause("returned", CauseSubject.VALUES)
GIVEN = Cause("given", CauseSubject.VALUES)
EXCEPTION = Cause("exception", CauseSubject.VALUES)
CALLS_EXIT = Cause("calls-exit", CauseSubject.PROGRAM, formerly=("ends-program",))
CANNOT_BE_CALLED = Cause("cannot-be-called", CauseSubject.PROGRAM)


_MOST_CALLS = 5


_ERROR = re.compile(
    r"^(?:(?P<label>call|setup)(?: (?P<number>\d+))?: )?.*?\berror: (?P<said>.*?)(?: \[-[\w=-]+\])?$", re.M
)


# What gcc, g++, the linker and javac say of what is not there.
_MISSING = re.compile(
    r"(?:implicit declaration of function|has no member named|undefined reference to) [‘'`](?P<member>[^’']+)[’']"
    r"|[‘'](?P<name>[^’']+)[’'] (?:was not declared in this scope|undeclared)"
    r"|cannot find symbol(?:\n.*)*?\n *symbol: *\w+ (?P<symbol>.+)"
)


@finds(CANNOT_BE_CALLED)
def cannot_be_called(evidence: FailureEvidence) -> Diagnosis | None:
    """The program can be compiled, and the calls of the test cannot be compiled with it."""
    outcome, test = evidence.outcome, evidence.test
    if not outcome.in_build or outcome.call is None or not isinstance(test.interaction, FunctionCall):
        return None
    error = _ERROR.search(outcome.transcript)
    if error is None:
        return Diagnosis(CANNOT_BE_CALLED, f"The calls cannot be compiled with {test.program}.")
    following = _ERROR.search(outcome.transcript, error.end())
    end = following.start() if following else len(outcome.transcript)
    missing = _MISSING.search(outcome.transcript, error.start("said"), end)
    name = next(filter(None, missing.groups()), "") if missing else ""
    called = quote(_call_named(test.interaction, error, name))
    if name:
        why = f"cannot be called: {test.program} has no {quote(name)} that fits."
    else:
        why = f"cannot be called like this: is it declared in another way in {test.program}?"
    return Diagnosis(CANNOT_BE_CALLED, f"{called} {why} The compiler says {quote(error['said'])}.")


def _call_named(call: FunctionCall, error: re.Match[str], name: str) -> str:
    """The call that the compiler speaks of, or the first one with a name that a linker does not find."""
    if error["number"] and 1 <= int(error["number"]) <= len(call.calls):
        return call.calls[int(error["number"]) - 1]
    texts = (*call.setup, *call.calls) if error["label"] != "call" else call.calls
    bare = name.partition("(")[0]
    return next((text for text in texts if bare and bare in text), texts[0])


def asks_on_import(program: str) -> Diagnosis:
    """The import takes the input that is meant for the function."""
    return Diagnosis(IMPORT_ASKS_FOR_INPUT, f"Importing {program} already asks for input: {IMPORT_ADVICE}.")


def calls_exit(test: Test, *, reached: bool) -> Diagnosis:
    """The program ended itself; `reached` says whether its import was over."""
    if test.recipe is not None:
        if not reached:
            return Diagnosis(CALLS_EXIT, "The program ends before the function is called.")
        return Diagnosis(CALLS_EXIT, "The function ends the whole program, as exit does, instead of returning.")
    who = "The function" if reached else f"Importing {test.program}"
    return Diagnosis(CALLS_EXIT, f"{who} ends the whole program, as exit() and quit() do, instead of returning.")


def wrong_value(difference: str, others: int, *, returns_nothing: bool) -> Diagnosis:
    """The function returned another value; `difference` says where, and `others` is how many more places differ."""
    hint = ": does every path through it end with a return?" if returns_nothing else "."
    return Diagnosis(RETURNED, f"The function returns the wrong value: {difference}{_more(others)}{hint}")


def prints_its_value(printed: str) -> Diagnosis:
    """The function prints what it should return."""
    return Diagnosis(RETURNED, f"The function prints {quote(printed)}, but should return it.")


def returns_its_output(returned: str) -> Diagnosis:
    """The function returns what it should print."""
    return Diagnosis(RETURNED, f"The function returns {quote(returned)}, but should print it.")


def unwanted_change(name: str, difference: str, others: int) -> Diagnosis:
    """The function changed `name`, which it must leave alone."""
    return Diagnosis(GIVEN, f"The function must not change {name}, but after the call {difference}{_more(others)}.")


def wrong_change(name: str, difference: str, others: int) -> Diagnosis:
    """The function changed `name` in another way than it should, or not at all."""
    return Diagnosis(
        GIVEN, f"The function must change {name} in another way: after the call {difference}{_more(others)}."
    )


def raises_nothing(expected: str, returned: str | None) -> Diagnosis:
    """The call came back where it must raise an exception of the class `expected`."""
    instead = "but raises nothing" if returned is None else f"but returns {returned}"
    return Diagnosis(EXCEPTION, f"The call must raise {expected}, {instead}.")


def raises_another(expected: str, actual: str, message: str, line: int | None) -> Diagnosis:
    """The call raised an exception that is no `expected`, in `line` of the program if that is known."""
    said = escape_controls(f"{actual}: {message}" if message else actual)
    return Diagnosis(EXCEPTION, f"The call must raise {expected}, but raises {said}{_in_line(line)}.")


def wrong_message(kind: str, expected: str, actual: str, line: int | None) -> Diagnosis:
    """The call raised the right exception and tells something else."""
    wanted, found = quote_both(expected, actual)
    said = "without a message" if not actual else f"with the message {found}"
    return Diagnosis(EXCEPTION, f"The call raises {kind} {said}{_in_line(line)}; expected {wanted}.")


def _in_line(line: int | None) -> str:
    return "" if line is None else f" (line {line})"


def in_call(diagnosis: Diagnosis, calls: Sequence[str], number: int) -> Diagnosis:
    """The diagnosis of one of several `calls`, with the number of it, from 0, and those before it."""
    before = [quote(call) for call in calls[max(number - _MOST_CALLS, 0) : number]]
    if number > _MOST_CALLS:
        before.insert(0, "…")
    after = f" after {', '.join(before)}" if before else ""
    sentence = f"Call {number + 1} of {len(calls)}, {quote(calls[number])}{after}: {diagnosis.sentence}"
    return replace(diagnosis, sentence=sentence)


def _more(others: int) -> str:
    return f" ({others} more difference{'s' if others > 1 else ''})" if others else ""
