"""Regular expressions of course authors, tried for a limited time on what students' programs print.

Python's own `re` may take longer than the world is old, and no thread of the process runs meanwhile.
"""

import re
from typing import TYPE_CHECKING

from grader.errors import GraderError
from grader.text.escape import quote

if TYPE_CHECKING:
    import regex
else:
    try:
        import regex
    except ImportError:
        # A bundle for students has no libraries that are compiled: there, a student waits for their own program alone.
        regex = None

_SECONDS = 10


class SlowPatternError(GraderError):
    """It could not be found out in time whether a pattern fits."""


def is_found(pattern: str, text: str, *, ignore_case: bool) -> bool:
    """Whether `pattern` fits somewhere in `text`; `^` and `$` are the ends of lines. Raises SlowPatternError."""
    if regex is None:
        return re.search(pattern, text, re.MULTILINE | (re.IGNORECASE if ignore_case else 0)) is not None
    flags = regex.MULTILINE | (regex.IGNORECASE if ignore_case else 0)
    try:
        return regex.search(pattern, text, flags, timeout=_SECONDS) is not None
    except TimeoutError:
        raise _slow(pattern) from None


def fitting_groups(pattern: str, text: str, *, ignore_case: bool) -> dict[str, str] | None:
    """The named groups of `pattern` if it fits the whole of `text`, None if it does not. Raises SlowPatternError."""
    if regex is None:
        plain = re.fullmatch(pattern, text, re.IGNORECASE if ignore_case else 0)
        return None if plain is None else plain.groupdict("")
    try:
        found = regex.fullmatch(pattern, text, regex.IGNORECASE if ignore_case else 0, timeout=_SECONDS)
    except TimeoutError:
        raise _slow(pattern) from None
    return None if found is None else found.groupdict("")


def _slow(pattern: str) -> SlowPatternError:
    return SlowPatternError(
        f"Within {_SECONDS} seconds it could not be found out whether the pattern {quote(pattern)} fits what was "
        r"printed. Change it so that there is one way to fit: `(\w+ ?)+` has very many, `\w+( \w+)*` has one."
    )
