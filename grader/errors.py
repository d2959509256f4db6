"""Errors raised on purpose, and problems in files written by people."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

_LONGEST_QUOTE = 60
_MAX_CHOICES = 12


class GraderError(Exception):
    """An error outside the student's program; the message says what went wrong and what to do."""


@dataclass(frozen=True, order=True)
class SourceLocation:
    """A position in a file; `line` and `column` count from 1."""

    file: Path
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, order=True)
class Problem:
    """A fault in a file."""

    place: SourceLocation
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"


class SpecError(GraderError):
    """Faulty files written by people; `problems` lists everything that is wrong."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(set(problems)))
        super().__init__("\n".join(str(problem) for problem in self.problems))


def quoted(text: str) -> str:
    """Return `text` for a message: in backticks, shortened if necessary, with unprintable characters escaped."""
    cut = text[:_LONGEST_QUOTE] + "…" * (len(text) > _LONGEST_QUOTE)
    return f"`{''.join(sign if sign.isprintable() else sign.encode('unicode_escape').decode() for sign in cut)}`"


def closest(word: str, choices: Iterable[str]) -> str | None:
    """Return the member of `choices` that `word` most likely misspells; None if no member is similar."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(word, sorted(choices), n=1)), None)


def nearest(word: str, known: Iterable[str]) -> str:
    """Return a suggestion for a message about an unknown `word`: a similar choice, or all choices if they are few."""
    choices = sorted(known)
    close = closest(word, choices)
    if close is not None:
        return f"; did you mean {quoted(close)}?"
    if 0 < len(choices) <= _MAX_CHOICES:
        return f"; expected one of: {', '.join(choices)}"
    return ""


_Named = TypeVar("_Named")


def known_name(name: str, choices: Mapping[str, _Named], what: str) -> _Named:
    """Look up a name in `choices`. Raises GraderError if it is missing; `what` describes the kind of thing."""
    if name not in choices:
        close = closest(name, choices)
        hint = f"; did you mean {quoted(close)}?" if close else ""
        raise GraderError(f"There is no {what} {quoted(name)}{hint}; known: {', '.join(choices)}.")
    return choices[name]


def unexpected(actual: object, expected: str) -> ValueError:
    """Return a validator's error for a value that differs from `expected`."""
    return ValueError(f"found {_describe(actual)}; expected {expected}")


def _describe(actual: object) -> str:
    match actual:
        case dict():
            return "a mapping"
        case [] | ():
            return "an empty list"
        case list() | tuple():
            return "a list"
        case "":
            return "nothing"
        case _:
            return quoted(str(actual))


@contextmanager
def reported_as(kind: type[GraderError], failure: str) -> Iterator[None]:
    """Replace an OSError by an error of this kind, with the failure, the reason, and the file if it differs."""
    try:
        yield
    except OSError as error:
        where = "" if error.filename is None or str(error.filename) in failure else f" ({error.filename})"
        raise kind(f"{failure}: {error.strerror or error}{where}") from error


def plain_reason(error: Exception) -> str:
    """Return the text of an exception; for an OSError, the reason and the file without the error number."""
    if isinstance(error, OSError) and error.strerror:
        return ": ".join(str(part) for part in (error.strerror, error.filename) if part is not None)
    return str(error)


class SessionError(GraderError):
    """A session could not run because of the grader or the machine, never because of the program."""


class KilledForMemoryError(SessionError):
    """The kernel killed a program because the machine ran out of memory, which programs cannot fake."""


class ClusterError(GraderError):
    """The cluster cannot be reached, or one of its workers cannot grade."""
