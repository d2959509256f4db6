"""What a student should know about a judgement beside the verdict."""

from dataclasses import dataclass
from enum import StrEnum


class NoteKind(StrEnum):
    """What was let pass, or decided by a person; docs/diagnoses.md explains each."""

    DOUBLED_ECHO = "doubled-echo"
    TRAILING_BLANKS = "trailing-blanks"
    BLANK_RUNS = "blank-runs"
    EMPTY_LINES = "empty-lines"
    CASE = "case"
    LINE_ORDER = "line-order"
    CHARACTERS = "characters"
    NUMBERS = "numbers"
    ANY_TEXT = "any-text"
    OVERRIDE = "override"


@dataclass(frozen=True)
class Note:
    """A kind, and one plain sentence without control characters."""

    kind: NoteKind
    sentence: str
