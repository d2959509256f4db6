"""Problems in files that people write: where, what was found, what was expected."""

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from grader.errors import GraderError


@dataclass(frozen=True, order=True)
class Place:
    """A position in a file; `line` and `column` count from 1."""

    file: Path
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, order=True)
class Problem:
    """One thing that is wrong with a file."""

    place: Place
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"


class SpecError(GraderError):
    """Files that people wrote have problems; all that were found are in `problems`."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(set(problems)))
        super().__init__("\n".join(str(problem) for problem in self.problems))


def nearest(word: str, known: Iterable[str]) -> str:
    """A suggestion to append to a message about an unknown `word`."""
    choices = sorted(known)
    close = get_close_matches(word, choices, n=1)
    if close:
        return f"; did you mean `{close[0]}`?"
    if choices:
        return f"; expected one of: {', '.join(choices)}"
    return ""
