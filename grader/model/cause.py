"""Causes: the names of reasons why tests fail, shared by reports, exports and docs/reference/causes.md."""

from dataclasses import dataclass
from enum import StrEnum


class CauseSubject(StrEnum):
    """The subject of a cause.

    A rule from the handout can only explain CONTENT, where the content of the output is wrong rather than its
    formatting.
    """

    GRADER = "grader"
    """The grader itself, or a decision by the staff."""
    PROGRAM = "program"
    """How the program is set up and how it ends: files, build, import, deck, exceptions and exit status."""
    LIMIT = "limit"
    """A limit, for example on time, memory or output."""
    INPUT = "input"
    """Prompts, and the echo of the input."""
    LINES = "lines"
    """How the correct text is divided into lines."""
    CHARACTERS = "characters"
    """How the correct text is written."""
    CONTENT = "content"
    """The content of the program's output and questions."""
    VALUES = "values"
    """The values that a function returns, and its changes to arguments."""


@dataclass(frozen=True)
class Cause:
    """A cause; `id` is the heading of its section in docs/reference/causes.md and the `cause` in results.json.

    If `answers_input` is set, the message begins with the input before the first difference. `surplus` is true if too
    much is printed, and false if a line is missing.
    """

    id: str
    about: CauseSubject
    answers_input: bool = False
    surplus: bool | None = None
