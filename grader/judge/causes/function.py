"""Causes that show in a call of a function: what it returns, what it changes, and whether it returns at all."""

from collections.abc import Sequence
from dataclasses import replace

from grader.judge.causes.starting import IMPORT_ADVICE, IMPORT_ASKS_FOR_INPUT
from grader.model.cause import Cause, CauseSubject
from grader.model.judgement import Diagnosis
from grader.text.escape import escape_controls, quote, quote_both

RETURNED = Cause("returned", CauseSubject.VALUES)
GIVEN = Cause("given", CauseSubject.VALUES)
EXCEPTION = Cause("exception", CauseSubject.VALUES)
CALLS_EXIT = Cause("calls-exit", CauseSubject.PROGRAM, formerly=("ends-program",))


_MOST_CALLS = 5


def asks_on_import(program: str) -> Diagnosis:
    """The import takes the input that is meant for the function."""
    return Diagnosis(IMPORT_ASKS_FOR_INPUT, f"Importing {program} already asks for input: {IMPORT_ADVICE}.")


def calls_exit(program: str, *, reached: bool) -> Diagnosis:
    """The program ended itself; `reached` says whether its import was over."""
    who = "The function" if reached else f"Importing {program}"
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
