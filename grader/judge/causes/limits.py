"""Limits that the kernel or the grader enforces: how a program shows that it reached one."""

import signal as signals
from dataclasses import dataclass
from typing import assert_never

from grader.judge.error_report import ErrorKind, FoundError, found_errors
from grader.judge.evidence import FailureEvidence, finds
from grader.judge.traceback import Traceback
from grader.model.cause import Cause, CauseSubject
from grader.model.judgement import Diagnosis, Verdict
from grader.model.outcome import Termination
from grader.text.escape import quote
from grader.text.sentence import Sentence, say, say_plural

TIMEOUT = Cause("timeout", CauseSubject.LIMIT)
OUTPUT_LIMIT = Cause("output-limit", CauseSubject.LIMIT)
MEMORY_ERROR = Cause("memory-error", CauseSubject.PROGRAM)
MEMORY_LEAK = Cause("memory-leak", CauseSubject.PROGRAM)
UNDEFINED_BEHAVIOUR = Cause("undefined-behaviour", CauseSubject.PROGRAM)


@dataclass(frozen=True)
class ResourceLimit:
    """A limit on what a program may use: what of it a test says, and `words` for what the program does."""

    verdict: Verdict
    cause: Cause
    words: Sentence


CPU = ResourceLimit(
    Verdict.CPU_LIMIT, Cause("cpu-limit", CauseSubject.LIMIT), say("needs more processor time than a test may use")
)
MEMORY = ResourceLimit(
    Verdict.MEMORY_LIMIT, Cause("memory-limit", CauseSubject.LIMIT), say("needs more memory than a test may use")
)
PROCESSES = ResourceLimit(
    Verdict.PROCESS_LIMIT,
    Cause("process-limit", CauseSubject.LIMIT),
    say("starts more processes or threads than a test may have"),
)
FILE_SIZE = ResourceLimit(
    Verdict.FILE_LIMIT, Cause("file-limit", CauseSubject.LIMIT), say("writes more to files than a test may")
)
OPEN_FILES = ResourceLimit(
    Verdict.OPEN_FILES_LIMIT, Cause("open-files-limit", CauseSubject.LIMIT), say("has more files open than a test may")
)

RESOURCE_CAUSES = tuple(limit.cause for limit in (CPU, MEMORY, PROCESSES, FILE_SIZE, OPEN_FILES))
"""The causes of the limits that Python tells of by an exception."""


# Not every system has these signals.
_BY_SIGNAL: dict[int, ResourceLimit] = {
    getattr(signals, name): limit
    for name, limit in (("SIGXCPU", CPU), ("SIGXFSZ", FILE_SIZE))
    if hasattr(signals, name)
}

# What exceptions of Python, Java and C++ say when the kernel refuses (errno 12 memory, 27 size of a file, 28 space, 24
# open files, 11 processes).
_BY_ERROR = (
    ("MemoryError", "", MEMORY),
    ("OutOfMemoryError", "", MEMORY),
    ("std::bad_alloc", "", MEMORY),
    ("OSError", "[Errno 12]", MEMORY),
    ("OSError", "[Errno 27]", FILE_SIZE),
    ("OSError", "[Errno 28]", FILE_SIZE),
    ("OSError", "[Errno 24]", OPEN_FILES),
    ("BlockingIOError", "[Errno 11]", PROCESSES),
    ("RuntimeError", "can't start new thread", PROCESSES),
)


def limit_reached(evidence: FailureEvidence) -> ResourceLimit | None:
    """Return the limit that ended the program, or None."""
    outcome = evidence.outcome
    if outcome.ending is Termination.MEMORY_LIMIT:
        return MEMORY
    if outcome.signal in _BY_SIGNAL:
        return _BY_SIGNAL[outcome.signal]
    if evidence.uncaught:
        return limit_of(evidence.uncaught)
    return FILE_SIZE if _is_cut(evidence) else None


def _is_cut(evidence: FailureEvidence) -> bool:
    """Return whether files reached a limit that the program did not notice, and its output is wrong."""
    outcome = evidence.outcome
    return outcome.files_cut and outcome.ending is Termination.EXITED and evidence.divergence is not None


def limit_of(traceback: Traceback) -> ResourceLimit | None:
    """Return the limit that an exception is about, or None."""
    for error, message, limit in _BY_ERROR:
        if traceback.error == error and traceback.message.startswith(message):
            return limit
    return None


@finds(TIMEOUT, OUTPUT_LIMIT, MEMORY.cause)
def stopped(evidence: FailureEvidence) -> Diagnosis | None:
    """Diagnose a program that the grader stopped."""
    match evidence.outcome.ending:
        case Termination.TIMED_OUT:
            return Diagnosis(TIMEOUT, _timed_out(evidence))
        case Termination.OUTPUT_LIMIT:
            return Diagnosis(
                OUTPUT_LIMIT,
                say("The program was stopped because it printed more than a test may: look for a loop that prints."),
            )
        case Termination.MEMORY_LIMIT:
            sentence = say(
                "The program, with all it started, {does}: look for a loop that collects.", does=MEMORY.words
            )
            return Diagnosis(MEMORY.cause, sentence)
    return None


def _timed_out(evidence: FailureEvidence) -> Sentence:
    seconds = evidence.outcome.wall_seconds
    if not evidence.actual:
        return say(
            "The program was still running after {seconds:.3g} seconds, and it printed nothing: "
            "look for a loop that does not end.",
            seconds=seconds,
        )
    return say(
        "The program was still running after {seconds:.3g} seconds, and its output ended at line {line}: "
        "look for a loop that does not end.",
        seconds=seconds,
        line=len(evidence.actual_lines),
    )


@finds(CPU.cause, FILE_SIZE.cause)
def ended_by_kernel(evidence: FailureEvidence) -> Diagnosis | None:
    """Diagnose a program that the kernel ended with the signal of a limit."""
    limit = _BY_SIGNAL.get(evidence.outcome.signal or 0)
    if limit is None and evidence.uncaught is None and _is_cut(evidence):
        sentence = say(
            "The program {does}, and the rest was cut off: look for a loop that writes.", does=FILE_SIZE.words
        )
        return Diagnosis(FILE_SIZE.cause, sentence)
    if limit is None:
        return None
    return Diagnosis(limit.cause, say("The program {does}: look for a loop that does not end.", does=limit.words))


@finds(MEMORY_ERROR, MEMORY_LEAK, UNDEFINED_BEHAVIOUR)
def found_by_tools(evidence: FailureEvidence) -> Diagnosis | None:
    """Diagnose the first error that a tool reported."""
    errors = found_errors(evidence.outcome.error_report)
    if not errors:
        return None
    first = errors[0]
    others = len(errors) - 1
    more = say_plural(others, "; {count} more error was found", "; {count} more errors were found") if others else ""
    sentence = say("The program {does}{where}{more}.", does=first.what, where=_where(first), more=more)
    return Diagnosis(_cause_of(first.kind), sentence)


def _where(error: FoundError) -> str:
    if error.file is None or error.line is None:
        return ""
    return say(", in line {line} of {file}", line=error.line, file=quote(error.file))


def _cause_of(kind: ErrorKind) -> Cause:
    match kind:
        case ErrorKind.MEMORY:
            return MEMORY_ERROR
        case ErrorKind.LEAK:
            return MEMORY_LEAK
        case ErrorKind.UNDEFINED:
            return UNDEFINED_BEHAVIOUR
        case _:
            assert_never(kind)
