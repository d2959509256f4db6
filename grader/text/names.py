"""Names of files and of students: accents composed, and fit for reports."""

import hashlib
import os
import re
import unicodedata

_LONGEST_KEY = 180

_NOT_IN_FILE_NAMES = re.compile("[/\0]")

# The limit in characters, even if each accent is a separate character.
_LONGEST_NAME = 1_000


def composed(name: str) -> str:
    """Compose the accents of a name (NFC), because systems differ in that although the names look the same.

    Text that is too long for a name remains unchanged, because composing it may take quadratic time.
    """
    return unicodedata.normalize("NFC", name) if len(name) <= _LONGEST_NAME else name


def student_key(name: str) -> str:
    """Return the name of a student for reports: a valid file name with composed accents."""
    key = _NOT_IN_FILE_NAMES.sub("_", composed(name))
    if key in ("", ".", ".."):
        return f"_{key}"
    whole = os.fsencode(key)
    if len(whole) <= _LONGEST_KEY:
        return key
    return f"{whole[:_LONGEST_KEY].decode('utf-8', 'ignore')}~{hashlib.sha256(whole).hexdigest()[:8]}"
