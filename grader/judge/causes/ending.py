"""Causes visible in the way a program ends: signals, output that stops early or continues, and exit status."""

import signal as signals

from grader.judge.evidence import FailureEvidence, finds
from grader.model.cause import Cause, CauseSubject
from grader.model.ending import AsksAgain, EndsBySignal, ExitsBetween
from grader.model.interaction import FunctionCall, is_repl
from grader.model.judgement import Diagnosis
from grader.model.outcome import Termination
from grader.text.escape import quote
from grader.text.sentence import Sentence, say, say_plural

CANCELLED = Cause("cancelled", CauseSubject.GRADER)
"""Grading was interrupted. You lose no marks.

> Grading was interrupted before this test ended; it must be run again.

You do not need to do anything. The test will be run again.
"""
SIGNAL = Cause("signal", CauseSubject.PROGRAM)
"""The operating system ended the program.

> The program was ended by SIGSEGV: the Python interpreter itself crashed, often by very deep recursion.

For SIGSEGV, look for very deep recursion.
"""
NO_OUTPUT = Cause("no-output", CauseSubject.PROGRAM)
"""The program, or the lines typed at Python's prompt, printed nothing at all.

> The program prints nothing: is the file saved, and does it call a function that prints?

Check that the file ends with a call of your main function. If a function is tested on its own or called at Python's
prompt, the message says what it should print.
"""
TRUNCATED_OUTPUT = Cause("truncated-output", CauseSubject.CONTENT)
"""The output is right up to a point, and then stops.

> The output is right up to line 4 and stops there; one line, `    🂫 🃍    🂫 🃍    🂫 🃁`, is missing.

Look for a loop that ends too early, or a `return` in the wrong place.
"""
EXTRA_OUTPUT = Cause("extra-output", CauseSubject.CONTENT, surplus=True)
"""The output is right, but more output follows.

> All 5 expected lines are right, but then comes `Thanks for playing`.

Remove the last `print`, or look for a loop that ends too late.
"""
EXIT_STATUS = Cause("exit-status", CauseSubject.PROGRAM)
"""The output is right, but the program reports a failure to the operating system.

> The output is right, but the exit status is 3; expected 0.

The exit status is judged before a checker or interactor is called, so the message begins with the exit
status. The standard error of the program is shown below the message.

Let the program end normally, without `sys.exit` or an exception.
"""
PYTHON_PROMPT = ">>> "
_TAIL = 30
_SIGNALS = {
    "SIGSEGV": say("the Python interpreter itself crashed, often by very deep recursion"),
    "SIGABRT": say("the Python interpreter itself gave up"),
    "SIGKILL": say("it was killed from outside or killed itself"),
    "SIGINT": say("it was interrupted as by Ctrl-C"),
}

_SIGNALS_OF_COMPILED = {
    **_SIGNALS,
    "SIGSEGV": say("it used memory that is not its own; look at pointers, indexes and very deep recursion"),
    "SIGABRT": say("it gave up, often after an exception that was not caught or a failed assertion"),
    "SIGFPE": say("it calculated something impossible, such as an integer divided by zero"),
}


@finds(CANCELLED)
def cancelled(evidence: FailureEvidence) -> Diagnosis | None:
    """Diagnose an interrupted session."""
    if evidence.outcome.ending is not Termination.CANCELLED:
        return None
    return Diagnosis(CANCELLED, say("Grading was interrupted before this test ended; it must be run again."))


@finds(SIGNAL)
def signal(evidence: FailureEvidence) -> Diagnosis | None:
    """Diagnose a program that was ended by a signal."""
    number = evidence.outcome.signal
    if number is None:
        return None
    name = signal_name(number)
    meanings = _SIGNALS if evidence.test.recipe is None else _SIGNALS_OF_COMPILED
    if name in meanings:
        return Diagnosis(SIGNAL, say("The program was ended by {signal}: {why}.", signal=name, why=meanings[name]))
    return Diagnosis(SIGNAL, say("The program was ended by {signal}.", signal=name))


def signal_name(number: int) -> str:
    """Return the name of a signal, such as SIGSEGV."""
    try:
        return signals.Signals(number).name
    except ValueError:
        return say("signal {number}", number=number)


@finds(NO_OUTPUT)
def no_output(evidence: FailureEvidence) -> Diagnosis | None:
    """Diagnose a program that printed nothing at all."""
    if not evidence.expected or evidence.actual:
        return None
    if isinstance(evidence.test.interaction, FunctionCall):
        first_line = quote(_first_line(evidence.expected.lstrip()))
        sentence = say("The function prints nothing; expected {wanted}.", wanted=first_line)
    else:
        sentence = _silent_program(evidence)
    return Diagnosis(NO_OUTPUT, sentence)


def _silent_program(evidence: FailureEvidence) -> Sentence:
    status, errors = evidence.outcome.exit_code, _last_error(evidence)
    ending = say(" and ends with exit status {status}", status=status) if status else ""
    if ending or errors:
        return say("The program prints nothing{ending}{errors}.", ending=ending, errors=errors)
    return say("The program prints nothing: is the file saved, and does it call a function that prints?")


@finds(NO_OUTPUT)
def nothing_at_the_prompt(evidence: FailureEvidence) -> Diagnosis | None:
    """Diagnose a line typed at Python's prompt that printed nothing."""
    divergence, start = evidence.divergence, evidence.start
    if divergence is None or not is_repl(evidence.test.interaction) or not divergence.expected:
        return None
    typed = next(
        (typed_line for typed_line in evidence.outcome.typed if typed_line.offset + len(typed_line.text) + 1 == start),
        None,
    )
    if (
        typed is None
        or not evidence.actual.startswith(PYTHON_PROMPT, start)
        or divergence.expected.startswith(PYTHON_PROMPT)
    ):
        return None
    line = quote(typed.text) if typed.text else say("A blank line")
    sentence = say("{line} prints nothing; expected {wanted}.", line=line, wanted=quote(divergence.expected))
    return Diagnosis(NO_OUTPUT, sentence)


@finds(TRUNCATED_OUTPUT)
def truncated_output(evidence: FailureEvidence) -> Diagnosis | None:
    """Diagnose output that is correct but stops too early."""
    expected, actual = evidence.expected, evidence.actual
    if not expected.startswith(actual) or expected == actual:
        return None
    line = len(evidence.actual_lines)
    if actual and actual[-1] != "\n" and expected[len(actual)] != "\n":
        last = quote(evidence.actual_lines[-1][-_TAIL:])
        sentence = say(
            "The output is right, but stops in the middle of line {line}, after {last}.", line=line, last=last
        )
        return Diagnosis(TRUNCATED_OUTPUT, sentence)
    missing = len(evidence.expected_lines) - line
    following = evidence.expected_lines[line:]
    if missing == 1 and following[0]:
        lines = say("one line, {text}, is missing", text=quote(following[0]))
    else:
        lines = say_plural(missing, "one line is missing", "{count} lines are missing")
    sentence = say("The output is right up to line {line} and stops there; {lines}.", line=line, lines=lines)
    return Diagnosis(TRUNCATED_OUTPUT, sentence)


@finds(EXTRA_OUTPUT)
def extra_output(evidence: FailureEvidence) -> Diagnosis | None:
    """Diagnose correct output followed by more output."""
    expected, actual = evidence.expected, evidence.actual
    if not actual.startswith(expected) or expected == actual:
        return None
    if not expected:
        return Diagnosis(EXTRA_OUTPUT, _unexpected_output(evidence, quote(_first_line(actual))))
    if expected[-1] != "\n" and actual[len(expected)] != "\n":
        return None
    if actual == expected * 2:
        return Diagnosis(EXTRA_OUTPUT, say("The output is right, but all of it is printed twice."))
    more = quote(_first_line(actual[len(expected) :].lstrip("\n")))
    lines = len(evidence.expected_lines)
    right = say_plural(lines, "The one expected line is right", "All {count} expected lines are right")
    if lines > 1 and actual[len(expected) :].strip("\n") == evidence.expected_lines[-1]:
        sentence = say("{right}, but the last one, {line}, is printed twice.", right=right, line=more)
        return Diagnosis(EXTRA_OUTPUT, sentence)
    return Diagnosis(EXTRA_OUTPUT, say("{right}, but then comes {line}.", right=right, line=more))


def _unexpected_output(evidence: FailureEvidence, line: str) -> Sentence:
    if isinstance(evidence.test.interaction, FunctionCall):
        return say("No output is expected, but the function prints {line}.", line=line)
    return say("No output is expected, but the program prints {line}.", line=line)


def _first_line(text: str) -> str:
    return text.split("\n", 1)[0]


@finds(EXIT_STATUS)
def exit_status(evidence: FailureEvidence) -> Diagnosis | None:
    """Diagnose a wrong exit status after output that is correct or judged elsewhere."""
    if evidence.divergence is not None:
        return None
    ending = {"ending": _other_ending(evidence), "errors": _last_error(evidence)}
    if evidence.is_compared:
        return Diagnosis(EXIT_STATUS, say("The output is right, but {ending}{errors}.", **ending))
    return Diagnosis(EXIT_STATUS, say("{ending:upper}{errors}.", **ending))


def _other_ending(evidence: FailureEvidence) -> Sentence:
    status, expected = evidence.outcome.exit_code, evidence.test.ending
    match expected:
        case ExitsBetween():
            return say("the exit status is {found}; expected {wanted}", found=status, wanted=expected.words)
        case EndsBySignal():
            return say(
                "the program ends by itself, with exit status {found}; expected {wanted}",
                found=status,
                wanted=expected.words,
            )
        case AsksAgain():
            return say("the program ends; expected that it rejects the last input and asks again")


def _last_error(evidence: FailureEvidence) -> str:
    """Return the last line of standard error as the end of a sentence."""
    text = evidence.outcome.errors.rstrip().rpartition("\n")[2].strip()
    return "" if not text else say("; on standard error it prints {text}", text=quote(text))
