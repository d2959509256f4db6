"""The messages between a session and the process of an interactor: one line of JSON each, in turn.

The interactor begins. Each of its requests except the last gets a `Turn` in reply.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, TypeAlias, assert_never

from grader.model.outcome import CheckResult, CheckStatus


@dataclass(frozen=True)
class ReadOutput:
    """A request for everything that the program prints until it waits for input or has ended."""


@dataclass(frozen=True)
class SendLine:
    """A request to type a line, given without its newline, when the program waits for input."""

    line: str


@dataclass(frozen=True)
class EndInput:
    """A request to end the input when the program waits for more."""


@dataclass(frozen=True)
class GiveAnswer:
    """The end of the game, with the interactor's answer."""

    result: CheckResult


Request: TypeAlias = ReadOutput | SendLine | EndInput | GiveAnswer


@dataclass(frozen=True)
class Turn:
    """The output since the last turn, and whether the program then had ended or waited for input.

    The request was carried out unless the program had ended.
    """

    printed: str
    has_ended: bool


def request_line(request: Request) -> bytes:
    """Return the line for `request`."""
    match request:
        case ReadOutput():
            return _line({"do": "read"})
        case SendLine(line=line):
            return _line({"do": "send", "line": line})
        case EndInput():
            return _line({"do": "end"})
        case GiveAnswer(result=result):
            score = None if result.score is None else str(result.score)
            return _line({"do": "answer", "status": result.status, "reason": result.reason, "score": score})
        case _:
            assert_never(request)


def request_in(line: bytes) -> Request:
    """Parse a line made by `request_line`. Raises ValueError if it is invalid."""
    try:
        match json.loads(line):
            case {"do": "read"}:
                return ReadOutput()
            case {"do": "send", "line": str(text)} if "\n" not in text:
                return SendLine(text)
            case {"do": "end"}:
                return EndInput()
            case {"do": "answer", "status": str(status), "reason": str(reason), "score": None | str() as score}:
                share = None if score is None else Decimal(score)
                return GiveAnswer(CheckResult(CheckStatus(status), reason, share))
    except (ValueError, ArithmeticError):
        pass
    raise ValueError(f"no request: {line[:60]!r}")


def turn_line(turn: Turn) -> bytes:
    """Return the line for `turn`."""
    return _line({"printed": turn.printed, "ended": turn.has_ended})


def turn_in(line: bytes) -> Turn:
    """Parse a line made by `turn_line`."""
    content = json.loads(line)
    return Turn(content["printed"], content["ended"])


def _line(content: Mapping[str, Any]) -> bytes:
    return json.dumps(content).encode("ascii") + b"\n"
