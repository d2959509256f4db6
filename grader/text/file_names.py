"""Converts names of students and tests to file names that every common file system accepts."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import count

_UNSAFE = re.compile(r"[^\w.-]+")
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?")
# Most file systems allow 255 bytes, which must include suffixes added later.
_LONGEST = 150
_DIGITS = 10


def file_names(names: Iterable[str]) -> dict[str, str]:
    """Return a file or folder name, without suffix, for each of `names`, which must be distinct.

    A name that is safe on every common file system is kept. Any other name, and one that equals an earlier name apart
    from case or the composition of letters, is made safe and ends with a digest of the original name.
    """
    files: dict[str, str] = {}
    taken: set[str] = set()
    for name in names:
        file = next(file for file in _candidates(name) if _folded(file) not in taken)
        taken.add(_folded(file))
        files[name] = file
    return files


def _candidates(name: str) -> Iterator[str]:
    safe = _safe(name)
    if safe and safe == name:
        yield safe
    for attempt in count():
        digest = sha256(f"{name}{attempt or ''}".encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
        yield f"{safe}-{digest}" if safe else digest


def _safe(name: str) -> str:
    text = _UNSAFE.sub("-", unicodedata.normalize("NFC", name)).strip(".-")
    text = text.encode("utf-8")[:_LONGEST].decode("utf-8", "ignore").rstrip(".-")
    return f"_{text}" if _RESERVED.fullmatch(_folded(text)) else text


def _folded(file: str) -> str:
    return unicodedata.normalize("NFKC", file).casefold()
