"""Limits enforced by the kernel or the grader, and how to recognise a program that reached one."""

import signal as signals
from collections.abc import Mapping

from grader.judge.evidence import FailureEvidence, finds
from grader.judge.found_errors import found_errors
from grader.judge.traceback import Traceback
from grader.model.cause import Cause, CauseSubject
from grader.model.judgement import Diagnosis
from grader.model.outcome import Outcome, Termination
from grader.text.sentence import Sentence, say

TIMEOUT = Cause("timeout", CauseSubject.LIMIT)
"""The program did not end within the time limit.

> The program was still running after 30 seconds, and its output ended at line 1: look for a loop that does not end.

Time during which the grader itself is stopped (Ctrl-Z, a paused container) does not count.

> The program was still running after 30 seconds, and it printed nothing: it hardly used the processor, so look for a
> `sleep` or another wait.

Look at the last lines of the output. Which loop comes next, and when should it end?
"""
OUTPUT_LIMIT = Cause("output-limit", CauseSubject.LIMIT)
"""The program printed far more than any right output.

> The program was stopped because it printed more than a test may: look for a loop that prints.

Look for a loop that prints and does not end.
"""
CPU = Cause("cpu-limit", CauseSubject.LIMIT)
"""The program used more processor time than a test allows.

> The program needs more processor time than a test may use: look for a loop that does not end.

Look for a loop that does not end, or for work that is repeated unnecessarily.
"""
MEMORY = Cause("memory-limit", CauseSubject.LIMIT)
"""The program requested more memory than a test allows.

> The program needs more memory than a test may use: MemoryError in line 7 (`deck = list(range(10 ** 12))`).

Look for a list that grows in a loop, or for a number that becomes too large.
"""
PROCESSES = Cause("process-limit", CauseSubject.LIMIT)
"""The program started more processes or threads than a test allows at the same time.

> The program starts more processes or threads than a test may have: BlockingIOError: [Errno 11] Resource
> temporarily unavailable in line 3 (`os.fork()`).

Look for a loop that starts them, and wait for them to end.
"""
FILE_SIZE = Cause("file-limit", CauseSubject.LIMIT)
"""The program wrote a file that is too large, or too many files.

> The program writes more to files than a test may: OSError: [Errno 27] File too large in line 3
> (`log.write(text)`).

Look for a loop that writes and does not end.
"""
OPEN_FILES = Cause("open-files-limit", CauseSubject.LIMIT)
"""The program had more files open than a test allows at the same time.

> The program has more files open than a test may: OSError: [Errno 24] Too many open files in line 3
> (`open("deck.txt")`).

Close files after use, for example with `with open(...)`.
"""
RESOURCES: Mapping[Cause, Sentence] = {
    CPU: say("needs more processor time than a test may use"),
    MEMORY: say("needs more memory than a test may use"),
    PROCESSES: say("starts more processes or threads than a test may have"),
    FILE_SIZE: say("writes more to files than a test may"),
    OPEN_FILES: say("has more files open than a test may"),
}
"""Descriptions of programs that reach a limit, by cause; each cause has the same id as its verdict."""

_IDLE = 0.2
"""The share of its time for which a looping program uses the processor at least."""

# Not every system has these signals.
_BY_SIGNAL: dict[int, Cause] = {
    getattr(signals, name): limit
    for name, limit in (("SIGXCPU", CPU), ("SIGXFSZ", FILE_SIZE))
    if hasattr(signals, name)
}

# The messages of Python, Java and C++ when the kernel denies a request (errno 12: memory, 27: file size, 28: disk
# space, 24: open files, 11: processes).
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


def limit_reached(evidence: FailureEvidence) -> Cause | None:
    """Return the limit that ended the program, or None."""
    outcome = evidence.outcome
    if outcome.ending is Termination.MEMORY_LIMIT and not _has_known_error(outcome):
        return MEMORY
    if outcome.signal in _BY_SIGNAL:
        return _BY_SIGNAL[outcome.signal]
    if evidence.uncaught:
        return limit_of(evidence.uncaught)
    return FILE_SIZE if _is_cut(evidence) else None


def _has_known_error(outcome: Outcome) -> bool:
    """Return whether a sanitizer or valgrind reported an error and its line, which can explain the use of memory."""
    return any(error.line for error in found_errors(outcome.error_report))


def _is_cut(evidence: FailureEvidence) -> bool:
    """Return whether files reached a limit that the program did not notice, which led to wrong output."""
    outcome = evidence.outcome
    return outcome.files_cut and outcome.ending is Termination.EXITED and evidence.divergence is not None


def limit_of(traceback: Traceback) -> Cause | None:
    """Return the limit that an exception reports, or None."""
    error, message = traceback.error, traceback.message
    return next((limit for name, start, limit in _BY_ERROR if name == error and message.startswith(start)), None)


@finds(TIMEOUT, OUTPUT_LIMIT, MEMORY)
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
        case Termination.MEMORY_LIMIT if not _has_known_error(evidence.outcome):
            sentence = say(
                "The program, with all it started, {does}: look for a loop that collects.", does=RESOURCES[MEMORY]
            )
            return Diagnosis(MEMORY, sentence)
    return None


def _timed_out(evidence: FailureEvidence) -> Sentence:
    outcome = evidence.outcome
    advice = say("look for a loop that does not end")
    if 0 < outcome.cpu_seconds < _IDLE * (outcome.wall_seconds - outcome.starved_seconds):
        advice = say("it hardly used the processor, so look for a `sleep` or another wait")
    values = {"seconds": outcome.wall_seconds, "advice": advice}
    if not evidence.actual:
        return say(
            "The program was still running after {seconds:.3g} seconds, and it printed nothing: {advice}.", **values
        )
    return say(
        "The program was still running after {seconds:.3g} seconds, and its output ended at line {line}: {advice}.",
        line=len(evidence.actual_lines),
        **values,
    )


@finds(CPU, FILE_SIZE)
def ended_by_kernel(evidence: FailureEvidence) -> Diagnosis | None:
    """Diagnose a program that the kernel ended with the signal for a limit."""
    limit = _BY_SIGNAL.get(evidence.outcome.signal or 0)
    if limit is None and evidence.uncaught is None and _is_cut(evidence):
        sentence = say(
            "The program {does}, and the rest was cut off: look for a loop that writes.", does=RESOURCES[FILE_SIZE]
        )
        return Diagnosis(FILE_SIZE, sentence)
    if limit is None:
        return None
    return Diagnosis(limit, say("The program {does}: look for a loop that does not end.", does=RESOURCES[limit]))
