"""Causes that show in how the program ended: exceptions, signals, output that stops early or goes on, exit status."""

import re
import signal as signals
from collections.abc import Sequence
from pathlib import Path
from typing import assert_never

from grader.errors import closest
from grader.judge.causes.limits import RESOURCES, limit_of
from grader.judge.evidence import FailureEvidence, finds
from grader.judge.traceback import Traceback
from grader.model.cause import Cause, CauseSubject
from grader.model.ending import AsksAgain, EndsBySignal, ExitsBetween
from grader.model.interaction import FunctionCall, is_repl
from grader.model.judgement import Diagnosis
from grader.model.outcome import Termination
from grader.text.escape import escape_controls, quote
from grader.text.sentence import Sentence, joined, say, say_plural

CANCELLED = Cause("cancelled", CauseSubject.GRADER)
SOURCE_FORMAT = Cause("source-format", CauseSubject.PROGRAM)
SYNTAX_ERROR = Cause("syntax-error", CauseSubject.PROGRAM)
CRASH = Cause("crash", CauseSubject.PROGRAM)
SIGNAL = Cause("signal", CauseSubject.PROGRAM)
PRINTED_TRACEBACK = Cause("printed-traceback", CauseSubject.PROGRAM)
NO_OUTPUT = Cause("no-output", CauseSubject.PROGRAM)
TRUNCATED_OUTPUT = Cause("truncated-output", CauseSubject.CONTENT)
EXTRA_OUTPUT = Cause("extra-output", CauseSubject.CONTENT)
EXIT_STATUS = Cause("exit-status", CauseSubject.PROGRAM)
PYTHON_PROMPT = ">>> "
_TAIL = 30
_NO_NAME = re.compile(r"name '(\w+)' is not defined.*|module '\w+' has no attribute '(\w+)'.*")
_JSON_NAME = re.compile("'(?:null|true|false)'")
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
    """Diagnose a session that was interrupted."""
    if evidence.outcome.ending is not Termination.CANCELLED:
        return None
    return Diagnosis(CANCELLED, say("Grading was interrupted before this test ended; it must be run again."))


@finds(PRINTED_TRACEBACK, SOURCE_FORMAT, SYNTAX_ERROR, CRASH, *RESOURCES)
def exception(evidence: FailureEvidence) -> Diagnosis | None:
    """Diagnose an exception that was not caught, or a traceback that was printed."""
    traceback = evidence.traceback
    if traceback is None:
        return None
    values = {"error": _error(traceback), "where": _where(traceback, evidence.test.program)}
    if evidence.uncaught is None:
        return _as_sentence(
            PRINTED_TRACEBACK, say("The program prints a traceback and goes on: {error}{where}", **values)
        )
    wrong_format = _wrong_format(traceback)
    if wrong_format:
        file = evidence.test.program
        return Diagnosis(SOURCE_FORMAT, say("Python cannot read {file}: {why}.", file=file, why=wrong_format))
    if traceback.compiling:
        fault = say("{error}{where}", **values)
        if evidence.test.recipe is not None:
            return _as_sentence(SYNTAX_ERROR, say("Node cannot read the program: {fault}", fault=fault))
        return _as_sentence(SYNTAX_ERROR, say("Python cannot read the program: {fault}", fault=fault))
    values["what"] = _what_failed(evidence, traceback)
    limit = limit_of(traceback)
    if limit is not None:
        return _as_sentence(limit, say("{what} {does}: {error}{where}", does=RESOURCES[limit], **values))
    call = evidence.test.interaction
    if isinstance(call, FunctionCall) and evidence.test.recipe is None and traceback.line is None:
        return _as_sentence(CRASH, _failed_call(evidence, call, traceback))
    hint = _provided_module(evidence.test.provided, traceback)
    return _as_sentence(CRASH, say("{what} stops{where} with {error}{hint}", hint=hint, **values))


def _failed_call(evidence: FailureEvidence, call: FunctionCall, traceback: Traceback) -> Sentence:
    """Say what is wrong with a call that raises an exception in no line of the program."""
    missing = _NO_NAME.fullmatch(traceback.message) if traceback.error in ("NameError", "AttributeError") else None
    name = next(filter(None, missing.groups()), None) if missing else None
    if name and any(name in text for text in (*call.setup, *call.calls)):
        return say("{file} has no {name}, which the test calls", file=evidence.test.program, name=quote(name))
    what = quote(call.calls[0]) if len(call.calls) == 1 else say("The call")
    if "NoneType" in traceback.message:
        hint = say("; does every path through the function end with a return?")
    elif "argument" in traceback.message:
        hint = say("; compare it with the parameters of the function")
    else:
        hint = say("; the error is not in a line of the program, but in what the test does with what it returns")
    return say("{what} fails: {error}{hint}", what=what, error=_error(traceback), hint=hint)


def _provided_module(provided: Sequence[str], traceback: Traceback) -> str:
    """Suggest the provided module for a missing module of nearly the same name."""
    if traceback.missing_module is None:
        return ""
    asked = traceback.missing_module.casefold()
    names = {Path(file).stem.casefold(): Path(file).stem for file in provided}
    meant = next((name for name in names if asked.startswith(name)), None) or closest(asked, names)
    return say("; the provided module is called {name}", name=quote(names[meant])) if meant else ""


def _wrong_format(traceback: Traceback) -> str | None:
    """Say which format a file has in place of plain text in UTF-8, and the remedy."""
    where = say(" (line {line})", line=traceback.line) if traceback.line else ""
    again = say("save it again as plain text in UTF-8")
    if (
        traceback.error == "NameError"
        and traceback.code.startswith(('"', "{"))
        and _JSON_NAME.search(traceback.message)
    ):
        return say("it is a notebook; export it as a Python script")
    if not traceback.compiling:
        return None
    if re.match(r"Non-UTF-8 code starting with '\\xf[ef]'", traceback.message):
        return say("it is saved in UTF-16; {again}", again=again)
    if traceback.message.startswith("Non-UTF-8 code") or "'utf-8' codec can't decode" in traceback.message:
        return say("it is not saved in UTF-8{where}; {again}", where=where, again=again)
    if "null byte" in traceback.message and traceback.code.startswith("PK"):
        return say("it is an archive or a document of a word processor; {again}", again=again)
    if "null byte" in traceback.message:
        return say("it is not plain text; {again}", again=again)
    if traceback.code.startswith("{\\rtf"):
        return say("it is a document in RTF; {again}", again=again)
    return None


def _as_sentence(cause: Cause, sentence: Sentence) -> Diagnosis:
    return Diagnosis(cause, sentence if sentence.endswith((".", "!", "?")) else say("{said}.", said=sentence))


def _what_failed(evidence: FailureEvidence, traceback: Traceback) -> str:
    """Name the line typed last before the error at Python's prompt, or else the program."""
    if is_repl(evidence.test.interaction):
        typed = [typed.text for typed in evidence.outcome.typed if typed.offset <= traceback.offset]
        if typed:
            return quote(typed[-1])
    return say("The program")


def _where(traceback: Traceback, program: str) -> str:
    if traceback.line is None:
        return ""
    code = f" ({quote(traceback.code)})" if traceback.code else ""
    if traceback.file == program:
        return say(" in line {line}{code}", line=traceback.line, code=code)
    return say(" in line {line} of {file}{code}", line=traceback.line, file=quote(traceback.file), code=code)


def _error(traceback: Traceback) -> str:
    parts = [
        part if isinstance(part, Sentence) else escape_controls(part) for part in (traceback.error, traceback.message)
    ]
    return joined(": ", filter(None, parts))


def read_by(diagnosis: Diagnosis, reader: str, running: str) -> Diagnosis:
    """Add to a diagnosis that another version of Python reads the program, as `reader` says."""
    fault = diagnosis.sentence.value("fault") if isinstance(diagnosis.sentence, Sentence) else diagnosis.sentence
    sentence = say(
        "{reader}, but it is run with Python {running}: {fault}", reader=reader, running=running, fault=fault
    )
    return _as_sentence(diagnosis.cause, sentence)


@finds(SIGNAL)
def signal(evidence: FailureEvidence) -> Diagnosis | None:
    """Diagnose a program that a signal ended."""
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
    return say("The program prints nothing: does it call its main function, and is anything printed there?")


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
    """Diagnose output that is right as far as it goes."""
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
    """Diagnose output that is right and then goes on."""
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
    """Diagnose a program that ends otherwise than it should, with output that is right or judged elsewhere."""
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
        case _:
            assert_never(expected)


def _last_error(evidence: FailureEvidence) -> str:
    """Return the last line on standard error as the end of a sentence."""
    text = evidence.outcome.errors.rstrip().rpartition("\n")[2].strip()
    return "" if not text else say("; on standard error it prints {text}", text=quote(text))
