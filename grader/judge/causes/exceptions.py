"""Causes visible in an exception or another uncaught error."""

import re
from collections.abc import Sequence
from pathlib import Path

from grader.errors import closest
from grader.judge.causes.limits import RESOURCES, limit_of
from grader.judge.evidence import FailureEvidence, finds
from grader.judge.traceback import Traceback
from grader.model.cause import Cause, CauseSubject
from grader.model.interaction import FunctionCall, is_repl
from grader.model.judgement import Diagnosis
from grader.text.escape import escape_controls, quote
from grader.text.sentence import Sentence, joined, say

SOURCE_FORMAT = Cause("source-format", CauseSubject.PROGRAM)
"""The file is not plain text in UTF-8. It is saved in another encoding, or it is a notebook or document.

> Python cannot read solitaire_1.py: it is saved in UTF-16; save it again as plain text in UTF-8.

Choose "UTF-8" when you save the file in your editor. Export a notebook as a script.
"""
SYNTAX_ERROR = Cause("syntax-error", CauseSubject.PROGRAM)
"""Python cannot read the program at all, so every test fails.

> Python cannot read the program: SyntaxError: expected ':' in line 3 (`for card in deck`).

> Python 3.12 or newer reads this program, but it is run with Python 3.11: SyntaxError: invalid syntax in line 3
> (`type Vector = list[float]`).

> Python 2 reads this line, but it is run with Python 3.13: SyntaxError: Missing parentheses in call to 'print'. Did
> you mean print(...)? in line 1 (`print "won"`).

Before you submit, run the program once with the version of Python that your course uses. Check the tabs, and save
the file as UTF-8.
"""
CRASH = Cause("crash", CauseSubject.PROGRAM)
"""The program raised an exception that it did not catch. The message shows the line in your file, even if the error
occurred in a library.

> The program stops in line 12 (`card = deck[52]`) with IndexError: list index out of range.

Run the program, type the input from the report, and read the traceback from the bottom.
"""
PRINTED_TRACEBACK = Cause("printed-traceback", CauseSubject.PROGRAM)
"""Your program caught an exception, printed its traceback and continued.

> The program prints a traceback and goes on: IndexError: list index out of range in line 12 (`card = deck[52]`).

Correct the mistake in this line instead of catching the exception.
"""
_NO_NAME = re.compile(r"name '(\w+)' is not defined.*|module '\w+' has no attribute '(\w+)'.*")
_TEXT_AND_NUMBER = re.compile(
    r"'str' and '(?:int|float)'|'(?:int|float)' and 'str'|can only concatenate str \(not \"(?:int|float)\"\) to str"
    r"|'str' object cannot be interpreted as an integer|must be integers or slices, not str|by non-int of type"
)
_JSON_NAME = re.compile("'(?:null|true|false)'")


@finds(PRINTED_TRACEBACK, SOURCE_FORMAT, SYNTAX_ERROR, CRASH, *RESOURCES)
def exception(evidence: FailureEvidence) -> Diagnosis | None:
    """Diagnose an uncaught exception, or a traceback that the program printed."""
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
    hint = _raised_in(traceback) or _provided_module(evidence.test.provided, traceback) or _wrong_type(traceback)
    return _as_sentence(CRASH, say("{what} stops{where} with {error}{hint}", hint=hint, **values))


def _failed_call(evidence: FailureEvidence, call: FunctionCall, traceback: Traceback) -> Sentence:
    """Describe a faulty call whose exception is raised outside the program."""
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


def _raised_in(traceback: Traceback) -> str:
    """Name the provided module if the line in the student's file only led to its error."""
    if not traceback.provided:
        return ""
    return say("; the provided {file}, which this line uses, raises it", file=quote(traceback.provided))


def _provided_module(provided: Sequence[str], traceback: Traceback) -> str:
    """Suggest the provided module if a missing module has nearly the same name."""
    if traceback.missing_module is None:
        return ""
    asked = traceback.missing_module.casefold()
    names = {Path(file).stem.casefold(): Path(file).stem for file in provided}
    meant = next((name for name in names if asked.startswith(name)), None) or closest(asked, names)
    return say("; the provided module is called {name}", name=quote(names[meant])) if meant else ""


def _wrong_type(traceback: Traceback) -> str:
    """Suggest what beginners forget when a value has the wrong type: a return statement or a conversion."""
    if traceback.error != "TypeError":
        return ""
    if "'NoneType'" in traceback.message:
        return say("; does every path through the function that gave this value end with a return?")
    if _TEXT_AND_NUMBER.search(traceback.message):
        return say("; is int(), float() or str() missing around a value?")
    return ""


def _wrong_format(traceback: Traceback) -> str | None:
    """Return the actual format of a file that is not plain UTF-8 text, with a remedy; None for other errors."""
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
    """Return the last line typed at Python's prompt before the error, unless it is blank, or else the program."""
    if is_repl(evidence.test.interaction):
        typed = [typed.text for typed in evidence.outcome.typed if typed.offset <= traceback.offset]
        if typed and typed[-1].strip():
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
    """Add to a diagnosis that another version of Python, `reader`, can parse the program."""
    fault = diagnosis.sentence.value("fault") if isinstance(diagnosis.sentence, Sentence) else diagnosis.sentence
    sentence = say(
        "{reader}, but it is run with Python {running}: {fault}", reader=reader, running=running, fault=fault
    )
    return _as_sentence(diagnosis.cause, sentence)
