"""The programs of an assignment: the files to hand in, how they are built and run, and the modules provided."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import TypeAlias


class SandboxKind(StrEnum):
    """The kind of sandbox that programs run in."""

    BWRAP = "bwrap"
    NONE = "none"


@dataclass(frozen=True, kw_only=True)
class Limits:
    """The resources that one session may use.

    `wall_seconds` is real time from the start to the end of the program, `cpu_seconds` the processor time of each of
    its processes (None: more than can pass within the wall time, however late a busy grader notices that this is over,
    so that it matters only if the grader itself dies).
    `output_bytes` counts everything that appears on the terminal, including the echo of typed text. `memory_bytes`
    limits the data of each process (heap, anonymous mappings and thread stacks), `stack_bytes` the stack of its main
    thread, which does not count as data (a program may raise that limit itself), `file_bytes` the size of a written
    file, `open_files` the descriptors of a process. `processes` (threads included) and `disk_bytes` (all files in each
    folder the program may write to) apply in a sandbox only. `data_bytes` is the memory that the kernel lets each
    process reserve, which may be more than it uses (None: as much as `memory_bytes`).
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
    """A module by the instructor, placed beside the program as `file`, even if the student hands in another one."""

    file: str
    source: Path


@dataclass(frozen=True)
class ProvidedSettings:
    """The settings of a test for the provided modules: edition, deck (the text that they read) and random seed.

    `variant` tells a reference which variant to behave as.
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
    """A course file placed beside the program as `name`, possibly in a folder; `digest` is that of its content."""

    name: str
    digest: str
    source: Path = field(compare=False)


class RunWatch:
    """The watch of a plugin on runs: a frozen dataclass that derives from `grader.run.error_watch.SessionWatch`."""


@dataclass(frozen=True)
class StartSettings:
    """The environment that a program starts in: its arguments, extra environment variables, and files beside it.

    `watch` watches the runs, in place of the watch of the program's language.
    """

    arguments: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    files: tuple[CourseFile, ...] = ()
    watch: RunWatch | None = None

    def moved(self, place: Callable[[CourseFile], Path]) -> "StartSettings":
        """Return a copy with the course files at the paths that `place` returns."""
        return replace(self, files=tuple(replace(file, source=place(file)) for file in self.files))


class Sanitizer(StrEnum):
    """A tool that a compiler builds into a program to detect its errors."""

    ADDRESS = "address"
    UNDEFINED = "undefined"


@dataclass(frozen=True)
class NotWatched:
    """The program runs as it is."""


@dataclass(frozen=True)
class Sanitized:
    """The program was built with `sanitizers`, which report errors; `leaks` says whether that includes leaks."""

    sanitizers: tuple[Sanitizer, ...]
    leaks: bool


@dataclass(frozen=True)
class UnderValgrind:
    """The program runs in valgrind, which reports errors; `leaks` says whether that includes leaks."""

    leaks: bool


ErrorFinder: TypeAlias = NotWatched | Sanitized | UnderValgrind
"""The tool that detects errors of a program while it runs, especially errors in its use of memory."""


@dataclass(frozen=True, kw_only=True)
class LanguageBuild:
    """The language whose usual commands build and run `file`; `place` locates the language's class (`module:class`).

    `flags` are passed to the compiler, and `package` is the package of a Java class.
    """

    place: str
    file: str
    flags: tuple[str, ...] = ()
    package: str = ""


@dataclass(frozen=True, kw_only=True)
class BuildCommands:
    """The commands that build (if needed) and run a program that Python does not run.

    Commands name a system program, or a file of the submission as in `./game`. `build` runs once per submission,
    within `limits`; the files it creates are then part of the submission. None: nothing is built. `finder` detects
    errors in each run. `language` provides the usual commands, None if the assignment states its own.
    """

    build: tuple[str, ...] | None
    run: tuple[str, ...]
    limits: Limits
    finder: ErrorFinder = NotWatched()
    language: LanguageBuild | None = None


@dataclass(frozen=True)
class AlternativeFile:
    """A file that may be handed in instead of a program, and how it is built and run."""

    file: str
    recipe: BuildCommands


@dataclass(frozen=True, kw_only=True)
class Program:
    """A file that a student hands in, its reference solution, and the accepted variants.

    `joint` says that it is judged as the same variant as the other joint programs of the assignment. The first of the
    program and its `alternatives` that was handed in counts.
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
