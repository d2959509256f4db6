"""Outcomes and answers of checkers as JSON and back: nothing that could run code when it is read."""

import dataclasses
import json
import zlib
from decimal import Decimal
from typing import Any

from grader.checkers import Answer, Say
from grader.run.outcome import Called, Ending, Outcome, Typed

_FASTEST = 1


class DamagedError(ValueError):
    """Something that nothing was encoded as."""


def encode(outcome: Outcome) -> bytes:
    """The bytes that `decode` turns into an equal outcome. Lone surrogates and exact times survive."""
    content = {field.name: getattr(outcome, field.name) for field in dataclasses.fields(outcome)}
    content["typed"] = [[typed.offset, typed.text] for typed in outcome.typed]
    content["call"] = outcome.call and dataclasses.asdict(outcome.call)
    return zlib.compress(json.dumps(content).encode("ascii"), _FASTEST)


def decode(data: bytes) -> Outcome:
    """The outcome that was encoded as `data` by this version of grader. Raises DamagedError."""
    try:
        content: dict[str, Any] = json.loads(zlib.decompress(data))
        content["typed"] = tuple(Typed(offset, text) for offset, text in content["typed"])
        content["ending"] = Ending(content["ending"])
        content["call"] = content["call"] and Called(**content["call"])
        return Outcome(**content)
    except (zlib.error, ValueError, LookupError, TypeError) as error:
        raise DamagedError(f"an outcome in it is damaged ({error})") from error


def encode_answer(answer: Answer) -> str:
    """The text that `decode_answer` turns into an equal answer."""
    return json.dumps([answer.say, answer.reason, None if answer.score is None else str(answer.score)])


def decode_answer(text: str) -> Answer:
    """The answer that was encoded as `text`. Raises DamagedError."""
    try:
        say, reason, score = json.loads(text)
        return Answer(Say(say), reason, None if score is None else Decimal(score))
    except (ValueError, TypeError, ArithmeticError) as error:
        raise DamagedError(f"an answer in it is damaged ({error})") from error
