"""Looks up the plugin that reads reports from sanitizers and valgrind."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto

from grader.extensions import ERROR_REPORTS, extension
from grader.text.sentence import Sentence


class ErrorKind(Enum):
    """The subject of an error: memory use, a leak, or undefined behaviour in C and C++."""

    MEMORY = auto()
    LEAK = auto()
    UNDEFINED = auto()


@dataclass(frozen=True)
class FoundError:
    """An error; `what` completes "The program …", with the file and line (None if unknown)."""

    kind: ErrorKind
    what: Sentence
    file: str | None
    line: int | None


@dataclass(frozen=True)
class ErrorReports:
    """A report reader: a function that returns the errors in a report, in order."""

    read: Callable[[str], tuple[FoundError, ...]]


def found_errors(report: str) -> tuple[FoundError, ...]:
    """Return the errors in a report, in order. Raises ExtensionError if no plugin can read it."""
    if not report:
        return ()
    return extension(ERROR_REPORTS, "errors", "reports of sanitizers and valgrind").load(ErrorReports).read(report)
