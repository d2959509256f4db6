"""Outcomes as bytes and back: compressed JSON, never anything that could run code when it is read."""

import dataclasses
import json
import zlib
from typing import Any

from grader.run.outcome import Called, Ending, Outcome, Typed

_FASTEST = 1


class DamagedError(ValueError):
    """Bytes that no outcome was encoded as."""


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
