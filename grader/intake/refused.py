"""What is said of an archive or repository that is not opened."""

from grader.errors import GraderError


class RefusedError(GraderError):
    """An archive or repository is not opened; the message says why, in words that follow its name and a colon."""


def bytes_words(count: int) -> str:
    """A number of bytes for people: `512 bytes`, `1.5 MB`."""
    for unit, size in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if count >= size:
            return f"{count / size:.1f}".removesuffix(".0") + f" {unit}"
    return "1 byte" if count == 1 else f"{count} bytes"
