"""The programs of an assignment: the files to hand in, how they are built and run, and what is provided beside them."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import TypeAlias


class SandboxKind(StrEnum):
    """What programs are kept in."""

    BWRAP = "bwrap"
    NONE = "none"


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What one session may use.

    `wall_seconds` is real time from the start to the end of the program, `cpu_seconds` the processor time of each of
    its processes (None: more than the wall time can allow, however late a busy grader notices its end, so that it
    matters only if the grader itself dies).
    `output_bytes` counts everything that appears on the terminal, the echo of what was typed included. `memory_bytes`
    limits the data of each process (heap, anonymous mappings and thread stacks), `stack_bytes` the stack of its main
    thread, which is no data (a program may raise that itself), `file_bytes` the size of a file written, `open_files`
    the descriptors of a process. `processes` (threads count as such) and `disk_bytes` (of all
    files in each folder the program may write to) hold in a sandbox only. `data_bytes` is what the kernel allows each
    process to set aside, which may be more than it uses (None: as much as `memory_bytes`).
    """

    wall_seconds: float = 30.0
    cpu_seconds: int | None = None
    output_bytes: int = 10_000_000
    memory_bytes: int = 1 << 30
    stack_bytes: int = 8 << 20
    file_bytes: int = 64 << 20
    open_files: int = 256
    processes: int = 64
    disk_bytes: int = 128 << 20
    data_bytes: int | None = None

    @property
    def most_data_bytes(self) -> int:
        """The most memory that the kernel lets each process reserve."""
        return self.memory_bytes if self.data_bytes is None else self.data_bytes

    @property
    def processor_seconds(self) -> int:
        """The processor time of each process."""
        return self.cpu_seconds if self.cpu_seconds is not None else 2 * math.ceil(self.wall_seconds) + 10


@dataclass(frozen=True)
class ProvidedModule:
    """A module of the instructor: it lies beside the program as `file`, even if the student hands in another."""

    file: str
    source: Path


@dataclass(frozen=True)
class ProvidedSettings:
    """What a test tells the provided modules: their edition, the deck (text, as they read it) and the random seed.

    A reference is also told which variant to be.
    """

    edition: str | None = None
    deck: str | None = None
    random_seed: int | None = None
    variant: str | None = None

    @property
    def environment(self) -> dict[str, str]:
        """The environment variables that the provided modules and references read."""
        variables = {
            "PROVIDED_EDITION": self.edition,
            "PROVIDED_DECK": self.deck,
            "PROVIDED_RANDOM_SEED": self.random_seed,
            "REFERENCE_VARIANT": self.variant,
        }
        return {name: str(value) for name, value in variables.items() if value is not None}


@dataclass(frozen=True)
class CourseFile:
    """A file of the course that lies beside the program as `name`, maybe in a folder; `digest` is of its content."""

    name: str
    digest: str
    source: Path = field(compare=False)


@dataclass(frozen=True)
class StartSettings:
    """What a program finds when it starts: its arguments, more environment variables, and files beside it.

    Of the submission's files in `recorded`, all in Python, the lines that run are recorded.
    """

    arguments: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    files: tuple[CourseFile, ...] = ()
    recorded: tuple[str, ...] = ()

    def moved(self, place: Callable[[CourseFile], Path]) -> "StartSettings":
        """Return the same with the files of the course elsewhere."""
        return replace(self, files=tuple(replace(file, source=place(file)) for file in self.files))


class Sanitizer(StrEnum):
    """What a compiler can put into a program so that it notices its own errors."""

    ADDRESS = "address"
    UNDEFINED = "undefined"


@dataclass(frozen=True)
class NotWatched:
    """The program runs as it is."""


@dataclass(frozen=True)
class Sanitized:
    """The program was built with `sanitizers`, which report what they find; `leaks` says whether that has leaks."""

    sanitizers: tuple[Sanitizer, ...]
    leaks: bool


@dataclass(frozen=True)
class UnderValgrind:
    """The program runs in valgrind, which reports what it finds; `leaks` says whether that has leaks."""

    leaks: bool


ErrorFinder: TypeAlias = NotWatched | Sanitized | UnderValgrind
"""What looks for errors of a program while it runs, in particular in how it uses memory."""


@dataclass(frozen=True, kw_only=True)
class LanguageBuild:
    """The language whose usual commands build and run the program `file`, by the place of its class (`module:class`).

    `flags` are for the compiler, and `package` is that of a class in Java.
    """

    place: str
    file: str
    flags: tuple[str, ...] = ()
    package: str = ""


@dataclass(frozen=True, kw_only=True)
class BuildCommands:
    """How a program that is not run by Python is built, if it is, and run.

    Commands name a program of the system, or a file of the submission as in `./game`. `build` is run once per
    submission, with `limits`; the files it makes are then part of the submission. None: nothing is built. `finder` is
    what looks for errors in each run. `language` is that of the usual commands, None if the assignment states others.
    """

    build: tuple[str, ...] | None
    run: tuple[str, ...]
    limits: Limits
    finder: ErrorFinder = NotWatched()
    language: LanguageBuild | None = None


@dataclass(frozen=True)
class AlternativeFile:
    """A file that may be handed in in place of a program, and how it is built and run."""

    file: str
    recipe: BuildCommands


@dataclass(frozen=True, kw_only=True)
class Program:
    """A file that a student hands in, the reference that answers for it, and the variants accepted.

    `joint` says that it is read as the same variant as the other joint programs of the assignment. Of a program and its
    `alternatives`, the first one that was handed in counts.
    """

    file: str
    reference: Path
    variants: tuple[str, ...]
    joint: bool = False
    alternatives: tuple[AlternativeFile, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """All names that its file may have, the preferred one first."""
        return (self.file, *(alternative.file for alternative in self.alternatives))
