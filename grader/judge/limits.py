"""Limits that the kernel or the grader enforces: what a program shows when it reaches one."""

import signal as signals

from grader.judge.diagnosis import Cause
from grader.judge.evidence import Evidence
from grader.judge.traceback import Traceback
from grader.judge.verdict import Verdict
from grader.run.outcome import Ending

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


def limit_reached(evidence: Evidence) -> Verdict | None:
    """The verdict of the limit that ended the program, None if it was none of these."""
    outcome = evidence.outcome
    if outcome.ending is Ending.MEMORY_LIMIT:
        return Verdict.MEMORY_LIMIT
    if outcome.signal in _BY_SIGNAL:
        return _BY_SIGNAL[outcome.signal]
    return limit_of(evidence.uncaught) if evidence.uncaught else None


def limit_of(found: Traceback) -> Verdict | None:
    """The verdict of the limit that an exception speaks of."""
    for error, message, verdict in _BY_ERROR:
        if found.error == error and found.message.startswith(message):
            return verdict
    return None
