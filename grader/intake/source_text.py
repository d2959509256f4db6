"""Marks that editors leave in programs: none of them costs anything, but people ask about them."""

import codecs
import os

from grader.intake.submission import SubmittedFile

_LOOKED_AT = 1_000_000


def source_note(file: SubmittedFile) -> str | None:
    """A note on a byte order mark or foreign line ends; None when there is nothing to say, or no access."""
    try:
        descriptor = os.open(file.path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    with open(descriptor, "rb") as stream:
        text = stream.read(_LOOKED_AT)
    if text.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return f"{file.name} is UTF-16, which Python cannot read; it must be saved as UTF-8"
    odd = ["begins with a byte order mark"] * text.startswith(codecs.BOM_UTF8)
    odd += ["has the line ends of Windows"] * (b"\r\n" in text)
    return f"{file.name} {' and '.join(odd)}; it is run as it is" if odd else None
