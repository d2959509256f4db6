"""The process in which an interactor runs; see `protocol` for its messages on standard streams.

The first line of its input names the interactor. The interactor's own output goes to standard error.
"""

import json
import os
import resource
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from grader.checkers.child import answer_to_long_number, course_function
from grader.plugins.interactors.program import StudentProgram, answer_of
from grader.plugins.interactors.protocol import GiveAnswer, Request, Turn, request_line, turn_in
from grader.plugins.interactors.settings import Channel

_MEMORY_BYTES = 2 << 30


def main() -> None:
    """Play one session."""
    replies = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY_BYTES, _MEMORY_BYTES))

    def exchange(request: Request) -> Turn:
        replies.write(request_line(request))
        return turn_in(_next_line())

    settings: dict[str, Any] = json.loads(_next_line())
    try:
        play = course_function("play", settings["name"], settings["file"])
        program = StudentProgram(exchange, settings["options"], settings["seed"], Channel(settings["channel"]))
        answer = _answer(play, program)
    except Exception as error:
        sys.exit(_error_line(error, settings["file"]))
    replies.write(request_line(answer))


def _answer(play: Callable[[StudentProgram], object], program: StudentProgram) -> GiveAnswer:
    """Return the interactor's answer; if a number in it is too long, a person has to decide."""
    try:
        return answer_of(play, program)
    except ValueError as error:
        return GiveAnswer(answer_to_long_number(error))


def _next_line() -> bytes:
    line = sys.stdin.buffer.readline()
    if not line:
        # The session is over.
        sys.exit(0)
    return line


def _error_line(error: Exception, file: str) -> str:
    """Return the error as one line, with its place in the interactor."""
    words = traceback.format_exception_only(error)[-1].strip()
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    return f"{words} ({Path(file).name}, line {frames[-1].lineno})" if frames else words


if __name__ == "__main__":
    main()
