"""Notes for the instructor about how the text of a program is encoded."""

import codecs
import os
import re

from grader.files.digest import READ
from grader.model.submission import SubmittedFile

_LOOKED_AT = 1_000_000
NOTEBOOK = re.compile(rb'\s*\{\s*"(?:cells|metadata|nbformat)"\s*:')
_OTHER_KINDS = (
    (NOTEBOOK, "a Jupyter notebook"),
    (re.compile(rb"PK\x03\x04"), "a zip archive or a document of a word processor"),
    (re.compile(rb"%PDF-"), "a PDF document"),
    (re.compile(rb"\{\\rtf"), "a document in RTF"),
    (re.compile(rb"\s*<(?:!doctype|html)\b", re.IGNORECASE), "a web page"),
)


def source_note(file: SubmittedFile) -> str | None:
    """Return a note about a wrong file type, an empty file, a byte order mark or foreign line endings, or None."""
    try:
        descriptor = os.open(file.path, READ)
    except OSError:
        return None
    with os.fdopen(descriptor, "rb") as stream:
        text = stream.read(_LOOKED_AT)
    if text.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return f"{file.name} is UTF-16, which Python cannot read; it must be saved as UTF-8"
    for start, kind in _OTHER_KINDS:
        if start.match(text) and file.name.endswith(".py"):
            return f"{file.name} is {kind}, and not the text of a program; it is run as it is"
    if not text.strip():
        return f"{file.name} is empty; was the right file handed in?"
    odd = ["begins with a byte order mark"] * text.startswith(codecs.BOM_UTF8)
    # javac rejects the byte order mark, so it is removed.
    run = "it is built without the mark" if odd and file.name.endswith(".java") else "it is run as it is"
    odd += ["has the line ends of Windows"] * (b"\r\n" in text)
    return f"{file.name} {' and '.join(odd)}; {run}" if odd else None
