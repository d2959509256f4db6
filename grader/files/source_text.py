"""Reads a submitted file as text for display or search."""

from enum import Enum, auto
from pathlib import Path

_MAX_BYTES = 400_000


class NoSourceReason(Enum):
    """The reason why a file cannot be read as text: it is missing, binary or too long."""

    GONE = auto()
    NO_TEXT = auto()
    TOO_LONG = auto()


class NoSourceError(Exception):
    """A file cannot be read as text."""

    def __init__(self, reason: NoSourceReason) -> None:
        super().__init__(reason.name)
        self.reason = reason


def source_text(path: Path) -> str:
    """Return the text of a submitted file, with lone surrogates for bytes that are not UTF-8. Raises NoSourceError."""
    try:
        with path.open("rb") as file:
            content = file.read(_MAX_BYTES + 1)
    except OSError:
        raise NoSourceError(NoSourceReason.GONE) from None
    if b"\0" in content:
        raise NoSourceError(NoSourceReason.NO_TEXT)
    if len(content) > _MAX_BYTES:
        raise NoSourceError(NoSourceReason.TOO_LONG)
    return content.decode("utf-8-sig", "surrogateescape")
