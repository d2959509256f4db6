"""What an assignment is: plain values that the later stages work on."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import ClassVar
from zoneinfo import ZoneInfo

from grader.spec.limits import Limits


class Visibility(StrEnum):
    """Who may see a test: `public` ones also run in a student's self-check."""

    PUBLIC = "public"
    HIDDEN = "hidden"


class Start(StrEnum):
    """What is started: the program itself, Python's interactive prompt beside it, or the program without a terminal."""

    PROGRAM = "program"
    PROMPT = "prompt"
    STDIN = "stdin"


@dataclass(frozen=True)
class Program:
    """A file that a student hands in, the reference that answers for it, and the variants accepted."""

    file: str
    reference: Path
    variants: tuple[str, ...]


@dataclass(frozen=True)
class Part:
    """A piece of the assignment with marks of its own; the points of its tests add up to `marks`."""

    id: str
    title: str
    marks: Decimal


@dataclass(frozen=True)
class FallingCap:
    """Late policy: the maximum mark falls by `percent_per_day` of the full mark per started late day.

    After `days` late days nothing can be had.
    """

    percent_per_day: Decimal
    days: int


@dataclass(frozen=True)
class Stdin:
    """A file that is given to a program as its standard input: its name in the folder inputs/, and what is in it."""

    name: str
    text: str


@dataclass(frozen=True)
class Checker:
    """Judges answers of which many are right: the course's own in `file`, or one that comes with the grader."""

    name: str
    file: Path | None
    options: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Test:
    """One run of a program and the points for getting it right.

    `lines` are typed in order; or there is no terminal, and `stdin` is fed. An `exit_status` of None allows any.
    """

    __test__: ClassVar[bool] = False

    id: str
    title: str
    program: str
    part: str
    visibility: Visibility
    points: Decimal
    start: Start
    lines: tuple[str, ...]
    echo: bool
    exit_status: int | None
    stdin: Stdin | None = None
    checker: Checker | None = None


@dataclass(frozen=True)
class Assignment:
    """An assignment as its folder under `test_specs/` states it. `due` knows its time zone."""

    id: str
    title: str
    folder: Path
    programs: tuple[Program, ...]
    parts: tuple[Part, ...]
    due: datetime
    late: FallingCap | None
    limits: Limits
    tests: tuple[Test, ...]

    @property
    def marks(self) -> Decimal:
        """The full mark."""
        return sum((part.marks for part in self.parts), Decimal(0))

    @property
    def zone(self) -> ZoneInfo:
        """The time zone in which the assignment's times are written."""
        assert isinstance(self.due.tzinfo, ZoneInfo)
        return self.due.tzinfo

    @cached_property
    def program_of(self) -> dict[str, Program]:
        """The programs by file name."""
        return {program.file: program for program in self.programs}
