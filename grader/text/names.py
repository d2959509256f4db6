"""Names of files and students, with composed accents and suitable for reports."""

import hashlib
import os
import re
import unicodedata

_LONGEST_KEY = 180

# Surrogates from U+DC80 to U+DCFF stand for bytes of file names; others have no encoding.
_NOT_IN_FILE_NAMES = re.compile("[/\0\ud800-\udc7f\udd00-\udfff]")

# The limit in characters, even if each accent is a separate character.
_LONGEST_NAME = 1_000


def composed(name: str) -> str:
    """Compose the accents in a name (NFC), because systems differ in this although the names look the same.

    Text that is too long for a name is returned unchanged, because composing it may take quadratic time.
    """
    return unicodedata.normalize("NFC", name) if len(name) <= _LONGEST_NAME else name


def student_key(name: str) -> str:
    """Return a student's name for reports: a valid file name with composed accents."""
    key = _NOT_IN_FILE_NAMES.sub("_", composed(name))
    if key in ("", ".", ".."):
        return f"_{key}"
    whole = os.fsencode(key)
    if len(whole) <= _LONGEST_KEY:
        return key
    return f"{whole[:_LONGEST_KEY].decode('utf-8', 'ignore')}~{hashlib.sha256(whole).hexdigest()[:8]}"
