"""Reads a submitted file as text, to be shown or searched."""

from enum import Enum, auto
from pathlib import Path

_MOST_BYTES = 400_000


class NoSourceReason(Enum):
    """Why a file cannot be read as text: it is gone, it is none, or it is too long."""

    GONE = auto()
    NO_TEXT = auto()
    TOO_LONG = auto()


class NoSourceError(Exception):
    """A file cannot be read as text."""

    def __init__(self, reason: NoSourceReason) -> None:
        super().__init__(reason.name)
        self.reason = reason


def source_text(path: Path) -> str:
    """Return the text of a submitted file; bytes that are not UTF-8 stand as lone surrogates. Raises NoSourceError."""
    try:
        with path.open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
    except OSError:
        raise NoSourceError(NoSourceReason.GONE) from None
    if b"\0" in content:
        raise NoSourceError(NoSourceReason.NO_TEXT)
    if len(content) > _MOST_BYTES:
        raise NoSourceError(NoSourceReason.TOO_LONG)
    return content.decode("utf-8-sig", "surrogateescape")
