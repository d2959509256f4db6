"""Causes that a sanitizer or valgrind found: memory used wrongly or never freed, what C and C++ leave undefined."""

from typing import assert_never

from grader.judge.error_report import ErrorKind, FoundError, found_errors
from grader.judge.evidence import FailureEvidence, finds
from grader.model.cause import Cause, CauseSubject
from grader.model.judgement import Diagnosis
from grader.text.escape import quote
from grader.text.words import pluralize

MEMORY_ERROR = Cause("memory-error", CauseSubject.PROGRAM)
MEMORY_LEAK = Cause("memory-leak", CauseSubject.PROGRAM)
UNDEFINED_BEHAVIOUR = Cause("undefined-behaviour", CauseSubject.PROGRAM)


@finds(MEMORY_ERROR, MEMORY_LEAK, UNDEFINED_BEHAVIOUR)
def found_by_tools(evidence: FailureEvidence) -> Diagnosis | None:
    """The first error that was reported."""
    found = found_errors(evidence.outcome.error_report)
    if not found:
        return None
    first = found[0]
    others = len(found) - 1
    more = f"; {pluralize(others, 'more error')} {'was' if others == 1 else 'were'} found" if others else ""
    return Diagnosis(_cause_of(first.kind), f"The program {first.what}{_where(first)}{more}.")


def _where(error: FoundError) -> str:
    if error.file is None or error.line is None:
        return ""
    return f", in line {error.line} of {quote(error.file)}"


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
