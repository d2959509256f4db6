"""What an assignment says about how submissions are taken in."""

from dataclasses import dataclass
from enum import StrEnum


class Names(StrEnum):
    """Which names of files are accepted beside the right one: none, those that differ in case, the most similar one."""

    EXACT = "exact"
    ANY_CASE = "any-case"
    NEAREST = "nearest"


class Attempts(StrEnum):
    """Which of several attempts counts.

    LAST_IN_TIME: the last one before the due date, or the last one when all are late.
    """

    LAST = "last"
    BEST = "best"
    LAST_IN_TIME = "last-in-time"


@dataclass(frozen=True)
class IntakePolicy:
    """How submissions are taken in. Without `attempts` the last one counts, of a Git repository the last one in time.

    A program of more than `file_bytes` is not taken. An archive with more than `files` files, or more than
    `total_bytes` in them, is refused.
    """

    names: Names = Names.EXACT
    attempts: Attempts | None = None
    file_bytes: int = 1_000_000
    total_bytes: int = 100_000_000
    files: int = 2_000


DEFAULT_INTAKE = IntakePolicy()
