"""Causes: why a test did not pass, as a name that reports, exports and docs/diagnoses.md share."""

from dataclasses import dataclass
from enum import StrEnum


class CauseSubject(StrEnum):
    """What a cause speaks of.

    A rule of the handout can explain only CONTENT: what is printed is wrong, not how it is written.
    """

    GRADER = "grader"
    """The grader itself, or the staff's decision."""
    PROGRAM = "program"
    """How the program is set up and how it ends: files, build, import, deck, exceptions, exit status."""
    LIMIT = "limit"
    """A limit on time, memory, output and the like."""
    INPUT = "input"
    """Prompts, and what is shown of the input."""
    LINES = "lines"
    """How the right text is divided into lines."""
    CHARACTERS = "characters"
    """How the right text is written."""
    CONTENT = "content"
    """What the program prints or asks."""
    VALUES = "values"
    """What a function returns, and how it changes its arguments."""


@dataclass(frozen=True)
class Cause:
    """A cause: its section in docs/diagnoses.md is called like its `id`, and so is the `cause` in results.json."""

    id: str
    about: CauseSubject
