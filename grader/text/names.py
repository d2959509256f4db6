"""Names of files and of students: accents composed, and fit for reports."""

import hashlib
import os
import re
import unicodedata

_LONGEST_KEY = 180

_NOT_IN_FILE_NAMES = re.compile("[/\0]")

# In characters, also where each accent is one of its own.
_LONGEST_NAME = 1_000


def composed(name: str) -> str:
    """Compose the accents of a name (NFC), because systems differ in that and the eye sees no difference.

    A text that is too long for a name stays as it is: to compose it may take the square of its length.
    """
    return unicodedata.normalize("NFC", name) if len(name) <= _LONGEST_NAME else name


def student_key(name: str) -> str:
    """Return the name of a student as reports have it: fit to be the name of a file, its accents composed."""
    key = _NOT_IN_FILE_NAMES.sub("_", composed(name))
    if key in ("", ".", ".."):
        return f"_{key}"
    whole = os.fsencode(key)
    if len(whole) <= _LONGEST_KEY:
        return key
    return f"{whole[:_LONGEST_KEY].decode('utf-8', 'ignore')}~{hashlib.sha256(whole).hexdigest()[:8]}"
