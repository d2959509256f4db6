"""Which lines of a program that fails tests are likely at fault: a hint for the instructor, and no part of a mark."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from grader.model.outcome import CodeLine


class LineUse(StrEnum):
    """What tests do with a line: they run it, or at a condition or loop they enter its body or skip it."""

    RUN = "run"
    ENTERED = "entered"
    SKIPPED = "skipped"


@dataclass(frozen=True, kw_only=True)
class SuspectLine:
    """A line that may be at fault, and the `use` that makes it most suspicious, of so many `failed` and `passed` tests.

    Of them, so many were ended by an exception that the line `raised`.
    """

    place: CodeLine
    use: LineUse
    failed: int
    passed: int
    raised: int


@dataclass(frozen=True, kw_only=True)
class ProgramSuspects:
    """The lines of `program` and its modules that may be at fault, the most suspicious first.

    `failed` and `passed` are how many of its tests did so, `sources` the text of each of its files.
    """

    program: str
    failed: int
    passed: int
    lines: tuple[SuspectLine, ...]
    sources: Mapping[str, str]
