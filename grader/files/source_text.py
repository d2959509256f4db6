"""Reads a submitted file as text, to be shown or searched."""

from pathlib import Path

_MOST_BYTES = 400_000


class NoSourceError(Exception):
    """A file cannot be read as text; the message says why."""


def source_text(path: Path) -> str:
    """The text of a submitted file; bytes that are not UTF-8 stand as lone surrogates. Raises NoSourceError."""
    try:
        with path.open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
    except OSError:
        raise NoSourceError("The file is not there any more.") from None
    if b"\0" in content:
        raise NoSourceError("This is no text.")
    if len(content) > _MOST_BYTES:
        raise NoSourceError("The file is too long to be shown.")
    return content.decode("utf-8-sig", "surrogateescape")
