"""Errors that a sanitizer or valgrind found in how a program uses memory."""

from grader.judge.evidence import FailureEvidence, finds
from grader.judge.found_errors import ErrorKind, FoundError, found_errors
from grader.model.cause import Cause, CauseSubject
from grader.model.judgement import Diagnosis
from grader.text.escape import quote
from grader.text.sentence import say, say_plural

MEMORY_ERROR = Cause("memory-error", CauseSubject.PROGRAM)
MEMORY_LEAK = Cause("memory-leak", CauseSubject.PROGRAM)
UNDEFINED_BEHAVIOUR = Cause("undefined-behaviour", CauseSubject.PROGRAM)


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
