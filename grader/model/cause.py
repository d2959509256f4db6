"""Causes: the names of reasons why tests fail, shared by reports, exports and docs/reference/causes.md."""

from dataclasses import dataclass
from enum import StrEnum


class CauseSubject(StrEnum):
    """The subject of a cause.

    A rule of the handout can explain only CONTENT, where the content of the output is wrong, not its formatting.
    """

    GRADER = "grader"
    """The grader itself, or the staff's decision."""
    PROGRAM = "program"
    """How the program is set up and how it ends: files, build, import, deck, exceptions, exit status."""
    LIMIT = "limit"
    """A limit on time, memory, output and the like."""
    INPUT = "input"
    """Prompts, and the echo of the input."""
    LINES = "lines"
    """How the right text is divided into lines."""
    CHARACTERS = "characters"
    """How the right text is written."""
    CONTENT = "content"
    """The content of the program's output and questions."""
    VALUES = "values"
    """The values that a function returns, and its changes to the arguments."""


@dataclass(frozen=True)
class Cause:
    """A cause; `id` is the heading of its section in docs/reference/causes.md and the `cause` in results.json.

    If it `answers_input`, the sentence begins with the input before the first difference. `surplus` is True if too much
    is printed, and False if a line is missing.
    """

    id: str
    about: CauseSubject
    answers_input: bool = False
    surplus: bool | None = None
