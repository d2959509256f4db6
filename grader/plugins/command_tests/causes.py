"""The causes and sentences for commands that end with the wrong exit status."""

from grader.judge.causes.ending import SIGNAL, signal_name
from grader.judge.causes.limits import TIMEOUT
from grader.model.cause import Cause, CauseSubject
from grader.model.judgement import Diagnosis
from grader.text.escape import quote
from grader.text.sentence import Sentence, say

COMMAND_FAILED = Cause("command-failed", CauseSubject.PROGRAM)
"""The test is a command, and it ended with the wrong exit status.

> The command `pytest -q tests` ends with exit status 1; expected 0.

> The command `./calc` ends with exit status 127: something that it starts is not there; expected 0.

> The command `make test` ends with exit status 139, as after the signal SIGSEGV; expected 0.

Read the end of its output below. Most tools show the failed test with its file and line. Then run the same command
in the folder of your program.
"""

_NOT_EXECUTABLE, _NOT_FOUND, _SIGNALLED = 126, 127, 128
_MAX_STATUS = 192


def failed(command: str, status: int | None, expected: str) -> Diagnosis:
    """Diagnose a command that ends with an exit status that differs from `expected`."""
    sentence = say(
        "The command {command} ends with exit status {status}{meaning}; expected {wanted}.",
        command=quote(command),
        status=status,
        meaning=_meaning(status or 0),
        wanted=expected,
    )
    return Diagnosis(COMMAND_FAILED, sentence)


def _meaning(status: int) -> Sentence | str:
    """Return the meaning of an exit status in a shell."""
    if status == _NOT_EXECUTABLE:
        return say(": something that it starts cannot be executed")
    if status == _NOT_FOUND:
        return say(": something that it starts is not there")
    if _SIGNALLED < status <= _MAX_STATUS:
        return say(", as after the signal {signal}", signal=signal_name(status - _SIGNALLED))
    return ""


def ended_by_signal(command: str, number: int | None) -> Diagnosis:
    """Diagnose a command that a signal ended."""
    sentence = say(
        "The command {command} was ended by {signal}.", command=quote(command), signal=signal_name(number or 0)
    )
    return Diagnosis(SIGNAL, sentence)


def timed_out(command: str, seconds: float) -> Diagnosis:
    """Diagnose a command that takes too long."""
    sentence = say(
        "The command {command} was still running after {seconds:.3g} seconds: look for a loop that does not end.",
        command=quote(command),
        seconds=seconds,
    )
    return Diagnosis(TIMEOUT, sentence)
