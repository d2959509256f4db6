"""Causes visible in a function call: the returned value, changes, and whether it returns at all."""

import re
from collections.abc import Sequence
from dataclasses import replace

from grader.judge.evidence import FailureEvidence, finds
from grader.model.cause import Cause, CauseSubject
from grader.model.interaction import FunctionCall
from grader.model.judgement import Diagnosis
from grader.model.outcome import Termination
from grader.model.test import Test
from grader.plugins.function_calls.values import MAX_DIFFERENCES
from grader.text.escape import escape_controls, quote, quote_both
from grader.text.sentence import Sentence, joined, say, say_plural

RETURNED = Cause("returned", CauseSubject.VALUES)
"""The function returns the wrong value.

> The function returns the wrong value: returned[1][1]: 3 expected, missing.

Call the function with the values from the report, and print its return value.
"""
GIVEN = Cause("given", CauseSubject.VALUES)
"""The function changes an argument in the wrong way, or changes an argument that it should leave alone.

> The function must not change tableau, but after the call tableau[2][1]: 3♥ expected, missing.

> The function leaves tableau as it was, but must change it: after the call tableau[2][1]: 3♥ should not be there.

Look for `append`, `pop` and assignments to elements. If the argument must not change, work on a copy.
"""
EXCEPTION = Cause("exception", CauseSubject.VALUES)
"""The call should raise an exception, but it raises a different one or none.

> The call must raise ValueError, but returns 5.

Use `raise` with an exception of this class or of a derived class. If you catch the exception yourself, the test
does not see it.
"""
CALLS_EXIT = Cause("calls-exit", CauseSubject.PROGRAM)
"""The function ends the program instead of returning.

> The function ends the whole program, as exit() and quit() do, instead of returning.

Return from the function, and let `main` end the program.
"""
CANNOT_BE_CALLED = Cause("cannot-be-called", CauseSubject.PROGRAM)
"""The program itself compiles, but a call from the test does not. The function is missing, or is declared with
different parameters.

> `queue_size(q)` cannot be called: queue.c has no `queue_size` that fits. The compiler says `implicit declaration
> of function ‘queue_size’`.

Compare the name, parameters and type with the handout. Then compile your own `main` with this call.
"""
_MAX_CALLS = 5
_MAX_SHOWN = 20
_ERROR = re.compile(
    r"^(?:(?P<label>call|setup)(?: (?P<number>\d+))?: )?.*?\berror: (?P<said>.*?)(?: \[-[\w=-]+\])?$", re.M
)

# The messages of gcc, g++, the linker and javac about missing names.
_MISSING = re.compile(
    r"(?:implicit declaration of function|has no member named|undefined reference to) [‘'`](?P<member>[^’']+)[’']"
    r"|[‘'](?P<name>[^’']+)[’'] (?:was not declared in this scope|undeclared)"
    r"|cannot find symbol(?:\n.*)*?\n *symbol: *\w+ (?P<symbol>.+)"
)


@finds(CANNOT_BE_CALLED)
def cannot_be_called(evidence: FailureEvidence) -> Diagnosis | None:
    """Diagnose calls that do not compile although the program does."""
    outcome, test = evidence.outcome, evidence.test
    if not outcome.in_build or outcome.call is None or not isinstance(test.interaction, FunctionCall):
        return None
    error = _ERROR.search(outcome.transcript)
    if error is None and outcome.ending is Termination.TIMED_OUT:
        sentence = say(
            "The calls compile too slowly with {file}: the compiler was not done after {seconds:.3g} seconds.",
            file=test.program,
            seconds=outcome.wall_seconds,
        )
        return Diagnosis(CANNOT_BE_CALLED, sentence)
    if error is None:
        return Diagnosis(CANNOT_BE_CALLED, say("The calls cannot be compiled with {file}.", file=test.program))
    following = _ERROR.search(outcome.transcript, error.end())
    end = following.start() if following else len(outcome.transcript)
    missing = _MISSING.search(outcome.transcript, error.start("said"), end)
    name = next(filter(None, missing.groups()), "") if missing else ""
    called = quote(_call_named(test.interaction, error, name))
    values = {"call": called, "file": test.program, "said": quote(error["said"])}
    if name:
        sentence = say(
            "{call} cannot be called: {file} has no {name} that fits. The compiler says {said}.",
            name=quote(name),
            **values,
        )
    else:
        sentence = say(
            "{call} cannot be called like this: is it declared in another way in {file}? The compiler says {said}.",
            **values,
        )
    return Diagnosis(CANNOT_BE_CALLED, sentence)


def _call_named(call: FunctionCall, error: re.Match[str], name: str) -> str:
    """Return the call that the compiler names, or the first call with a name that the linker cannot find."""
    if error["number"] and 1 <= int(error["number"]) <= len(call.calls):
        return call.calls[int(error["number"]) - 1]
    texts = (*call.setup, *call.calls) if error["label"] != "call" else call.calls
    bare = name.partition("(")[0]
    return next((text for text in texts if bare and bare in text), texts[0])


def calls_exit(test: Test, *, reached: bool) -> Diagnosis:
    """Diagnose a program that exited on its own; `reached` says whether its import had finished."""
    if test.recipe is not None:
        if not reached:
            return Diagnosis(CALLS_EXIT, say("The program ends before the function is called."))
        sentence = say("The function ends the whole program, as exit does, instead of returning.")
        return Diagnosis(CALLS_EXIT, sentence)
    who = say("The function") if reached else say("Importing {file}", file=test.program)
    sentence = say("{what} ends the whole program, as exit() and quit() do, instead of returning.", what=who)
    return Diagnosis(CALLS_EXIT, sentence)


def wrong_value(difference: str, others: int, *, returns_nothing: bool) -> Diagnosis:
    """Diagnose a wrong value: `difference` names the first place, `others` counts the rest."""
    values = {"difference": difference, "more": _more(others)}
    if returns_nothing:
        return Diagnosis(
            RETURNED,
            say(
                "The function returns the wrong value: {difference}{more}: "
                "does every path through it end with a return?",
                **values,
            ),
        )
    return Diagnosis(RETURNED, say("The function returns the wrong value: {difference}{more}.", **values))


def prints_its_value(printed: str) -> Diagnosis:
    """Diagnose a function that prints the value that it should return."""
    return Diagnosis(RETURNED, say("The function prints {text}, but should return it.", text=quote(printed)))


def returns_its_output(returned: str) -> Diagnosis:
    """Diagnose a function that returns the text that it should print."""
    return Diagnosis(RETURNED, say("The function returns {text}, but should print it.", text=quote(returned)))


def unwanted_change(name: str, difference: str, others: int) -> Diagnosis:
    """Diagnose a function that changed `name` although it should not."""
    values = {"name": name, "difference": difference, "more": _more(others)}
    return Diagnosis(
        GIVEN, say("The function must not change {name}, but after the call {difference}{more}.", **values)
    )


def no_change(name: str, difference: str, others: int) -> Diagnosis:
    """Diagnose a function that did not change `name` although it should."""
    values = {"name": name, "difference": difference, "more": _more(others)}
    sentence = say(
        "The function leaves {name} as it was, but must change it: after the call {difference}{more}.", **values
    )
    return Diagnosis(GIVEN, sentence)


def wrong_change(name: str, difference: str, others: int) -> Diagnosis:
    """Diagnose a function that changed `name` in the wrong way."""
    values = {"name": name, "difference": difference, "more": _more(others)}
    sentence = say("The function must change {name} in another way: after the call {difference}{more}.", **values)
    return Diagnosis(GIVEN, sentence)


def raises_nothing(expected: str, returned: str | None) -> Diagnosis:
    """Diagnose a call that returned instead of raising an exception of class `expected`."""
    if returned is None:
        return Diagnosis(EXCEPTION, say("The call must raise {wanted}, but raises nothing.", wanted=expected))
    sentence = say("The call must raise {wanted}, but returns {value}.", wanted=expected, value=returned)
    return Diagnosis(EXCEPTION, sentence)


def raises_another(expected: str, actual: str, message: str, line: int | None) -> Diagnosis:
    """Diagnose a call that raised an exception other than `expected`, in `line` of the program if known."""
    words = escape_controls(f"{actual}: {message}" if message else actual)
    values = {"wanted": expected, "found": words, "where": _in_line(line)}
    return Diagnosis(EXCEPTION, say("The call must raise {wanted}, but raises {found}{where}.", **values))


def wrong_message(kind: str, expected: str, actual: str, line: int | None) -> Diagnosis:
    """Diagnose a call that raised the right exception with the wrong message."""
    expected_text, actual_text = quote_both(expected, actual)
    values = {"error": kind, "where": _in_line(line), "wanted": expected_text}
    if not actual:
        return Diagnosis(
            EXCEPTION, say("The call raises {error} without a message{where}; expected {wanted}.", **values)
        )
    sentence = say(
        "The call raises {error} with the message {message}{where}; expected {wanted}.", message=actual_text, **values
    )
    return Diagnosis(EXCEPTION, sentence)


def _in_line(line: int | None) -> str:
    return "" if line is None else say(" (line {line})", line=line)


def in_call(diagnosis: Diagnosis, calls: Sequence[str], number: int) -> Diagnosis:
    """Add to a diagnosis which of several `calls` it is about, and the calls before it. `number` counts from 0."""
    before = [quote(call) for call in calls[max(number - _MAX_CALLS, 0) : number]]
    if number > _MAX_CALLS:
        before.insert(0, "…")
    values = {"number": number + 1, "calls": len(calls), "call": quote(calls[number]), "said": diagnosis.sentence}
    if before:
        sentence = say("Call {number} of {calls}, {call} after {before}: {said}", before=joined(", ", before), **values)
    else:
        sentence = say("Call {number} of {calls}, {call}: {said}", **values)
    return replace(diagnosis, sentence=sentence)


def shown_of(differences: Sequence[Sentence]) -> tuple[Sentence, ...]:
    """Return the first differences of values; the last one says how many more there are."""
    *first, last = differences[:_MAX_SHOWN]
    return (*first, joined("", (last, _more(len(differences) - _MAX_SHOWN))))


def _more(others: int) -> str:
    if others <= 0:
        return ""
    if others >= MAX_DIFFERENCES - _MAX_SHOWN:
        return say(" (at least {count} more differences)", count=others)
    return say_plural(others, " ({count} more difference)", " ({count} more differences)")
