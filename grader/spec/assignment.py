"""What an assignment is: plain values that the later stages work on."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import ClassVar
from zoneinfo import ZoneInfo

from grader.spec.comparison import EXACT, Comparison
from grader.spec.function_call import FunctionCall
from grader.spec.intake_policy import DEFAULT_INTAKE, IntakePolicy
from grader.spec.late import NO_TERMS, LatePolicy, LateTerms, Rounding
from grader.spec.limits import Limits
from grader.spec.rules import Rule


class Visibility(StrEnum):
    """Who may see a test: `public` ones also run in a student's self-check."""

    PUBLIC = "public"
    HIDDEN = "hidden"


class Start(StrEnum):
    """What is started: the program in a terminal or without one, Python's interactive prompt, or one function."""

    PROGRAM = "program"
    PROMPT = "prompt"
    FUNCTION = "function"
    STDIN = "stdin"


class Isolation(StrEnum):
    """How a test is kept apart from the others of the same submission.

    PREPARED: it runs in a fork of an interpreter that has been started once, which saves most of its time. PROCESS:
    it is a process started afresh. A test that fails in a fork is run again as a process before that counts.
    """

    PREPARED = "prepared"
    PROCESS = "process"


@dataclass(frozen=True)
class Provided:
    """A module that the instructor supplies: it lies beside the program as `file`, whatever the student hands in."""

    file: str
    source: Path


@dataclass(frozen=True)
class Provision:
    """What a test tells the provided modules: their edition, the deck (text, as they read it) and the random seed."""

    edition: str | None = None
    deck: str | None = None
    random_seed: int | None = None

    @property
    def environment(self) -> dict[str, str]:
        """The environment variables by which the provided modules are told."""
        told = {
            "PROVIDED_EDITION": self.edition,
            "PROVIDED_DECK": self.deck,
            "PROVIDED_RANDOM_SEED": self.random_seed,
        }
        return {name: str(value) for name, value in told.items() if value is not None}


@dataclass(frozen=True)
class Recipe:
    """How a program that is not run by Python is built, if it is, and run.

    Commands name a program of the system, or a file of the submission as in `./game`. `build` is run once per
    submission, with `limits`; the files it makes are then part of the submission. None: nothing is built.
    """

    build: tuple[str, ...] | None
    run: tuple[str, ...]
    limits: Limits


@dataclass(frozen=True)
class Alternative:
    """A file that may be handed in in place of a program, and how it is built and run."""

    file: str
    recipe: Recipe


@dataclass(frozen=True)
class Program:
    """A file that a student hands in, the reference that answers for it, and the variants accepted.

    `joint` says that it is read as the same variant as the other joint programs of the assignment. Of a program and its
    `alternatives`, the first one that was handed in counts.
    """

    file: str
    reference: Path
    variants: tuple[str, ...]
    joint: bool = False
    alternatives: tuple[Alternative, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """All names that its file may have, the preferred one first."""
        return (self.file, *(alternative.file for alternative in self.alternatives))


@dataclass(frozen=True)
class ManualItem:
    """Something that a person marks: `marks` is the most it can earn."""

    id: str
    title: str
    marks: Decimal


@dataclass(frozen=True)
class Part:
    """A piece of the assignment with marks of its own.

    The points of its tests and rules and the marks of its manual items add up to `marks`.
    """

    id: str
    title: str
    marks: Decimal
    manual: tuple[ManualItem, ...] = ()


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
    `call` is what is called when a function is started. `twin` is the public test that this one repeats with another
    deck. `recipe` is that of the program, None if Python runs it. `sealed` says that students may run it, but not see
    what is expected.
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
    comparison: Comparison = EXACT
    twin: str | None = None
    call: FunctionCall | None = None
    provision: Provision = Provision()
    recipe: Recipe | None = None
    stdin: Stdin | None = None
    checker: Checker | None = None
    sealed: bool = False


@dataclass(frozen=True)
class Assignment:
    """An assignment as its folder under `test_specs/` states it. `due` knows its time zone.

    Without `rounding` marks are exact.
    """

    id: str
    title: str
    folder: Path
    programs: tuple[Program, ...]
    parts: tuple[Part, ...]
    due: datetime
    late: LatePolicy | None
    limits: Limits
    tests: tuple[Test, ...]
    isolation: Isolation = Isolation.PREPARED
    provided: tuple[Provided, ...] = ()
    rules: tuple[Rule, ...] = ()
    intake: IntakePolicy = DEFAULT_INTAKE
    late_terms: LateTerms = NO_TERMS
    rounding: Rounding | None = None

    @property
    def marks(self) -> Decimal:
        """The full mark."""
        return sum((part.marks for part in self.parts), Decimal(0))

    @property
    def zone(self) -> ZoneInfo:
        """The time zone in which the assignment's times are written."""
        assert isinstance(self.due.tzinfo, ZoneInfo)
        return self.due.tzinfo

    @property
    def manual(self) -> tuple[ManualItem, ...]:
        """The items of all parts that a person marks."""
        return tuple(item for part in self.parts for item in part.manual)

    @property
    def readings(self) -> tuple[tuple[Program, ...], ...]:
        """The programs in groups: those of one group have the same variants and are read as the same one."""
        joint = tuple(program for program in self.programs if program.joint)
        return (*([joint] if joint else []), *((program,) for program in self.programs if not program.joint))

    @property
    def provided_files(self) -> tuple[tuple[Path, str], ...]:
        """The provided modules as they are copied: the path of each and its name beside the program."""
        return tuple((module.source, module.file) for module in self.provided)

    @cached_property
    def program_of(self) -> dict[str, Program]:
        """The programs by file name."""
        return {program.file: program for program in self.programs}

    @cached_property
    def program_named(self) -> dict[str, Program]:
        """The programs by every name that their files may have."""
        return {name: program for program in self.programs for name in program.names}

    @property
    def file_names(self) -> dict[str, tuple[str, ...]]:
        """The names that the file of each program may have."""
        return {program.file: program.names for program in self.programs}
