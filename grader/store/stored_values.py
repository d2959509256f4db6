"""Outcomes and checkers' results as they are stored: compact, and nothing that could run code when it is read."""

import dataclasses
import json
import zlib
from decimal import Decimal
from typing import Any

from grader.checkers import CheckResult, CheckStatus
from grader.model.outcome import CallResult, Outcome, Termination, TypedLine

_FASTEST = 1


class DamagedError(ValueError):
    """A stored value that this version of the grader cannot have written."""


def encode_outcome(outcome: Outcome) -> bytes:
    """The bytes that `decode_outcome` turns into an equal outcome. Lone surrogates and exact times survive."""
    content = {field.name: getattr(outcome, field.name) for field in dataclasses.fields(outcome)}
    content["typed"] = [[typed.offset, typed.text] for typed in outcome.typed]
    content["call"] = outcome.call and dataclasses.asdict(outcome.call)
    return zlib.compress(json.dumps(content).encode("ascii"), _FASTEST)


def decode_outcome(data: bytes) -> Outcome:
    """The outcome that was encoded as `data`. Raises DamagedError."""
    try:
        content: dict[str, Any] = json.loads(zlib.decompress(data))
        content["typed"] = tuple(TypedLine(offset, text) for offset, text in content["typed"])
        content["ending"] = Termination(content["ending"])
        content["call"] = content["call"] and CallResult(**content["call"])
        return Outcome(**content)
    except (zlib.error, ValueError, LookupError, TypeError) as error:
        raise DamagedError(f"an outcome in it is damaged ({error})") from error


def encode_answer(answer: CheckResult) -> str:
    """The text that `decode_answer` turns into an equal result of a checker."""
    return json.dumps([answer.status, answer.reason, None if answer.score is None else str(answer.score)])


def decode_answer(text: str) -> CheckResult:
    """The result of a checker that was encoded as `text`. Raises DamagedError."""
    try:
        status, reason, score = json.loads(text)
        return CheckResult(CheckStatus(status), reason, None if score is None else Decimal(score))
    except (ValueError, TypeError, ArithmeticError) as error:
        raise DamagedError(f"an answer in it is damaged ({error})") from error
