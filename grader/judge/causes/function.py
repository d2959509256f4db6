"""Causes that show in a call of a function: what it returns, what it changes, and whether it returns at all."""

from grader.judge.causes.starting import IMPORT_ADVICE, IMPORT_ASKS_FOR_INPUT
from grader.model.cause import Cause, CauseSubject
from grader.model.judgement import Diagnosis
from grader.text.escape import quote

RETURNED = Cause("returned", CauseSubject.VALUES)
GIVEN = Cause("given", CauseSubject.VALUES)
CALLS_EXIT = Cause("calls-exit", CauseSubject.PROGRAM, formerly=("ends-program",))


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


def _more(others: int) -> str:
    return f" ({others} more difference{'s' if others > 1 else ''})" if others else ""
