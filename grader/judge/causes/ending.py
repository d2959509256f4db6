"""Limits that the kernel or the grader enforces: what a program shows when it reaches one.

Causes that show in how the program ended.

Why a program could not be built.
"""

import shlex
import signal as signals
from collections.abc import Sequence

from grader.judge.causes.cause import Cause
from grader.judge.evidence import FailureEvidence
from grader.judge.traceback import PythonTraceback
from grader.model.interaction import FunctionCall, is_repl
from grader.model.judgement import Diagnosis, Verdict
from grader.model.outcome import Outcome, Termination
from grader.text.escape import escape_controls
from grader.text.quote import quote

CAUSES = {
    Verdict.CPU_LIMIT: Cause.CPU_LIMIT,
    Verdict.MEMORY_LIMIT: Cause.MEMORY_LIMIT,
    Verdict.PROCESS_LIMIT: Cause.PROCESS_LIMIT,
    Verdict.FILE_LIMIT: Cause.FILE_LIMIT,
    Verdict.OPEN_FILES_LIMIT: Cause.OPEN_FILES_LIMIT,
}


WORDS = {
    Verdict.CPU_LIMIT: "needs more processor time than a test may use",
    Verdict.MEMORY_LIMIT: "needs more memory than a test may use",
    Verdict.PROCESS_LIMIT: "starts more processes or threads than a test may have",
    Verdict.FILE_LIMIT: "writes more to files than a test may",
    Verdict.OPEN_FILES_LIMIT: "has more files open than a test may",
}


# Not every system has these signals.
_BY_SIGNAL: dict[int, Verdict] = {
    getattr(signals, name): verdict
    for name, verdict in (("SIGXCPU", Verdict.CPU_LIMIT), ("SIGXFSZ", Verdict.FILE_LIMIT))
    if hasattr(signals, name)
}


# What Python's exceptions say when the kernel refuses (errno 12 memory, 27 size of a file, 28 space, 24 open files,
# 11 processes).
_BY_ERROR = (
    ("MemoryError", "", Verdict.MEMORY_LIMIT),
    ("OSError", "[Errno 12]", Verdict.MEMORY_LIMIT),
    ("OSError", "[Errno 27]", Verdict.FILE_LIMIT),
    ("OSError", "[Errno 28]", Verdict.FILE_LIMIT),
    ("OSError", "[Errno 24]", Verdict.OPEN_FILES_LIMIT),
    ("BlockingIOError", "[Errno 11]", Verdict.PROCESS_LIMIT),
    ("RuntimeError", "can't start new thread", Verdict.PROCESS_LIMIT),
)


def limit_reached(evidence: FailureEvidence) -> Verdict | None:
    """The verdict of the limit that ended the program, None if it was none of these."""
    outcome = evidence.outcome
    if outcome.ending is Termination.MEMORY_LIMIT:
        return Verdict.MEMORY_LIMIT
    if outcome.signal in _BY_SIGNAL:
        return _BY_SIGNAL[outcome.signal]
    return limit_of(evidence.uncaught) if evidence.uncaught else None


def limit_of(found: PythonTraceback) -> Verdict | None:
    """The verdict of the limit that an exception speaks of."""
    for error, message, verdict in _BY_ERROR:
        if found.error == error and found.message.startswith(message):
            return verdict
    return None


_PROMPT = ">>> "


_TAIL = 30


_SIGNALS = {
    "SIGSEGV": "the Python interpreter itself crashed, often by very deep recursion",
    "SIGABRT": "the Python interpreter itself gave up",
    "SIGKILL": "it was killed from outside or killed itself",
    "SIGINT": "it was interrupted as by Ctrl-C",
}


_SIGNALS_OF_COMPILED = {
    **_SIGNALS,
    "SIGSEGV": "it used memory that is not its own; look at pointers, indexes and very deep recursion",
    "SIGABRT": "it gave up, often after an exception that was not caught or a failed assertion",
    "SIGFPE": "it calculated what cannot be, such as an integer divided by zero",
}


def cancelled(evidence: FailureEvidence) -> Diagnosis | None:
    """Grading was interrupted."""
    if evidence.outcome.ending is not Termination.CANCELLED:
        return None
    return Diagnosis(Cause.CANCELLED, "Grading was interrupted before this test ended; it must be run again.")


def limits(evidence: FailureEvidence) -> Diagnosis | None:
    """A limit was reached."""
    match evidence.outcome.ending:
        case Termination.TIMED_OUT:
            waited = f"The program was still running after {evidence.outcome.wall_seconds:.3g} seconds"
            printed = (
                f"its output ended at line {len(evidence.actual_lines)}" if evidence.actual else "it printed nothing"
            )
            return Diagnosis(Cause.TIMEOUT, f"{waited}, and {printed}: look for a loop that does not end.")
        case Termination.OUTPUT_LIMIT:
            said = "The program was stopped because it printed more than a test may: look for a loop that prints."
            return Diagnosis(Cause.OUTPUT_LIMIT, said)
        case Termination.MEMORY_LIMIT:
            said = f"The program, with all it started, {WORDS[Verdict.MEMORY_LIMIT]}: look for a loop that collects."
            return Diagnosis(Cause.MEMORY_LIMIT, said)
    return None


def exception(evidence: FailureEvidence) -> Diagnosis | None:
    """An exception was not caught, or was caught and its traceback printed."""
    found = evidence.traceback
    if found is None:
        return None
    where = _where(found, evidence.test.program)
    if evidence.uncaught is None:
        return _sentence(Cause.PRINTED_TRACEBACK, f"The program prints a traceback and goes on: {_error(found)}{where}")
    if found.compiling:
        said = f"Python cannot read the program: {_error(found)}{where}"
        return _sentence(Cause.SYNTAX_ERROR, said)
    limit = limit_of(found)
    if limit is not None:
        return _sentence(CAUSES[limit], f"{_what_failed(evidence, found)} {WORDS[limit]}: {_error(found)}{where}")
    return _sentence(Cause.CRASH, f"{_what_failed(evidence, found)} stops{where} with {_error(found)}")


def _sentence(cause: Cause, said: str) -> Diagnosis:
    return Diagnosis(cause, said if said.endswith((".", "!", "?")) else f"{said}.")


def _what_failed(evidence: FailureEvidence, found: PythonTraceback) -> str:
    """At Python's prompt, the line typed last before the error."""
    if is_repl(evidence.test.interaction):
        typed = [typed.text for typed in evidence.outcome.typed if typed.offset <= found.offset]
        if typed:
            return quote(typed[-1])
    return "The program"


def _where(found: PythonTraceback, program: str) -> str:
    if found.line is None:
        return ""
    file = "" if found.file == program else f" of {quote(found.file)}"
    code = f" ({quote(found.code)})" if found.code else ""
    return f" in line {found.line}{file}{code}"


def _error(found: PythonTraceback) -> str:
    said = f"{found.error}: {found.message}" if found.message else found.error
    return escape_controls(said)


def signal(evidence: FailureEvidence) -> Diagnosis | None:
    """The program was killed by a signal."""
    number = evidence.outcome.signal
    if number is None:
        return None
    limit = limit_reached(evidence)
    if limit is not None:
        return Diagnosis(CAUSES[limit], f"The program {WORDS[limit]}: look for a loop that does not end.")
    name = signal_name(number)
    known = _SIGNALS if evidence.test.recipe is None else _SIGNALS_OF_COMPILED
    meaning = f": {known[name]}" if name in known else ""
    return Diagnosis(Cause.SIGNAL, f"The program was ended by {name}{meaning}.")


def signal_name(number: int) -> str:
    """The name of a signal, such as SIGSEGV."""
    try:
        return signals.Signals(number).name
    except ValueError:
        return f"signal {number}"


def no_output(evidence: FailureEvidence) -> Diagnosis | None:
    """Nothing was printed at all."""
    if not evidence.expected or evidence.actual:
        return None
    if isinstance(evidence.test.interaction, FunctionCall):
        said = f"The function prints nothing; expected {quote(_first_line(evidence.expected.lstrip()))}."
    else:
        said = "The program prints nothing: does it call its main function, and is anything printed there?"
    return Diagnosis(Cause.NO_OUTPUT, said)


def nothing_at_the_prompt(evidence: FailureEvidence) -> Diagnosis | None:
    """What was typed at Python's prompt printed nothing, and the prompt is back."""
    divergence, start = evidence.divergence, evidence.start
    if divergence is None or not is_repl(evidence.test.interaction) or not divergence.expected:
        return None
    typed = next((one for one in evidence.outcome.typed if one.offset + len(one.text) + 1 == start), None)
    if typed is None or not evidence.actual.startswith(_PROMPT, start) or divergence.expected.startswith(_PROMPT):
        return None
    said = f"{quote(typed.text)} prints nothing; expected {quote(divergence.expected)}."
    return Diagnosis(Cause.NO_OUTPUT, said)


def stops_early(evidence: FailureEvidence) -> Diagnosis | None:
    """The output is right as far as it goes."""
    expected, actual = evidence.expected, evidence.actual
    if not expected.startswith(actual) or expected == actual:
        return None
    line = len(evidence.actual_lines)
    if actual and actual[-1] != "\n" and expected[len(actual)] != "\n":
        last = quote(evidence.actual_lines[-1][-_TAIL:])
        return Diagnosis(
            Cause.STOPS_EARLY, f"The output is right, but stops in the middle of line {line}, after {last}."
        )
    missing = len(evidence.expected_lines) - line
    lines = "one line is" if missing == 1 else f"{missing} lines are"
    return Diagnosis(Cause.STOPS_EARLY, f"The output is right up to line {line} and stops there; {lines} missing.")


def goes_on(evidence: FailureEvidence) -> Diagnosis | None:
    """The output is right and then more lines follow."""
    expected, actual = evidence.expected, evidence.actual
    if not actual.startswith(expected) or expected == actual:
        return None
    if not expected:
        who = "function" if isinstance(evidence.test.interaction, FunctionCall) else "program"
        return Diagnosis(Cause.GOES_ON, f"No output is expected, but the {who} prints {quote(_first_line(actual))}.")
    if expected[-1] != "\n" and actual[len(expected)] != "\n":
        return None
    if actual == expected * 2:
        return Diagnosis(Cause.GOES_ON, "The output is right, but all of it is printed twice.")
    more = quote(_first_line(actual[len(expected) :].lstrip("\n")))
    lines = len(evidence.expected_lines)
    right = f"All {lines} expected lines are right" if lines > 1 else "The one expected line is right"
    return Diagnosis(Cause.GOES_ON, f"{right}, but then comes {more}.")


def _first_line(text: str) -> str:
    return text.split("\n", 1)[0]


def exit_status(evidence: FailureEvidence) -> Diagnosis | None:
    """The output is right, the exit status is not."""
    if evidence.divergence is not None:
        return None
    found, wanted = evidence.outcome.exit_code, evidence.test.exit_status
    return Diagnosis(Cause.EXIT_STATUS, f"The output is right, but the exit status is {found}; expected {wanted}.")


def build_error(evidence: FailureEvidence) -> Diagnosis | None:
    """The command that builds the program failed."""
    recipe = evidence.test.recipe
    if not evidence.outcome.in_build or recipe is None or recipe.build is None:
        return None
    first = _first_error(evidence.actual_lines)
    said = f"; it says {quote(first)}" if first else ""
    return Diagnosis(
        Cause.BUILD_ERROR,
        f"The program cannot be built: {quote(shlex.join(recipe.build))} {_how_it_ended(evidence.outcome)}{said}.",
    )


def _how_it_ended(outcome: Outcome) -> str:
    match outcome.ending:
        case Termination.TIMED_OUT:
            return f"was still running after {outcome.wall_seconds:.3g} seconds"
        case Termination.OUTPUT_LIMIT:
            return "printed too much"
        case Termination.KEEPS_READING:
            return "asked for input"
        case Termination.SIGNALLED:
            assert outcome.signal is not None
            return f"was ended by {signal_name(outcome.signal)}"
    return f"ended with exit status {outcome.exit_code}"


def _first_error(lines: Sequence[str]) -> str:
    """The first line that speaks of an error, or else the first that says something."""
    spoken = [line.strip() for line in lines if line.strip()]
    return next((line for line in spoken if "error" in line.lower()), spoken[0] if spoken else "")
