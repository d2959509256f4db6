"""Errors in a program's use of memory that a sanitizer or valgrind found."""

from grader.judge.evidence import FailureEvidence, finds
from grader.judge.found_errors import ErrorKind, FoundError, found_errors
from grader.model.cause import Cause, CauseSubject
from grader.model.judgement import Diagnosis
from grader.text.escape import quote
from grader.text.sentence import say, say_plural

MEMORY_ERROR = Cause("memory-error", CauseSubject.PROGRAM)
"""A sanitizer or valgrind, which monitors the program while it runs, detected the use of memory that the program does
not own or never initialised. The output can still look right, because such errors do not always show.

> The program reads 1 element past the end of `numbers`, an array of 10, in line 14 of `sort.c`.

Look at the indexes and pointers in this line. An array of 10 elements ends at index 9. To see the same report,
build the program with the same flags.
"""
MEMORY_LEAK = Cause("memory-leak", CauseSubject.PROGRAM)
"""At the end of the program, a sanitizer or valgrind found memory that was allocated and never freed. This cause also
appears if the program ended in an unusual way, so that its memory could not be checked.

> The program never frees 40 bytes that it allocates, in line 7 of `sort.c`; 1 more error was found.

Free all memory that you allocate, on every path out of a function.
"""
UNDEFINED_BEHAVIOUR = Cause("undefined-behaviour", CauseSubject.PROGRAM)
"""A sanitizer detected behaviour that C and C++ do not define, such as an overflow of `int`. The result can differ
from one machine to the next.

> The program does what is undefined (signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'),
> in line 9 of `sort.c`.

Look at the values in this line. Use a larger type, or check the values first.
"""


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
