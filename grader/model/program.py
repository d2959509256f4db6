"""The programs of an assignment: the files to submit, how to build and run them, and the provided modules."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import TypeAlias


class SandboxKind(StrEnum):
    """The kind of sandbox that runs programs."""

    BWRAP = "bwrap"
    NONE = "none"


@dataclass(frozen=True, kw_only=True)
class Limits:
    """The resources available to a session.

    `wall_seconds` is the real time from the start to the end of the program, and `cpu_seconds` the processor time of
    each of its processes. By default (None), the processor time is more than can pass within the wall time even if a
    busy grader notices a timeout late, so it only matters if the grader itself dies. `output_bytes` counts everything
    that appears on the terminal, including echoed input. `memory_bytes` limits the data of each process (heap,
    anonymous mappings and thread stacks), and `stack_bytes` the stack of its main thread, which does not count as data
    and which a program can raise itself. `file_bytes` limits the size of a written file, and `open_files` the
    descriptors of a process. `processes` (including threads) and `disk_bytes` (all files in each folder the program can
    write to) only apply in a sandbox. `data_bytes` is the memory that each process can reserve, which may be more than
    it uses (None: the same as `memory_bytes`).
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
        """The maximum number of bytes that each process can reserve."""
        return self.memory_bytes if self.data_bytes is None else self.data_bytes

    @property
    def processor_seconds(self) -> int:
        """The processor time of each process."""
        return self.cpu_seconds if self.cpu_seconds is not None else 2 * math.ceil(self.wall_seconds) + 10


@dataclass(frozen=True)
class ProvidedModule:
    """The instructor's module, placed next to the program as `file` even if the student submits a different one."""

    file: str
    source: Path


@dataclass(frozen=True)
class ProvidedSettings:
    """A test's settings for the provided modules: the edition, the deck (text that they read) and the random seed.

    `variant` tells a reference which variant to implement.
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
    """A course file placed next to the program as `name`, possibly in a folder; `digest` identifies its content."""

    name: str
    digest: str
    source: Path = field(compare=False)


class RunWatch:
    """A plugin's watch on runs: a frozen dataclass derived from `grader.run.error_watch.SessionWatch`."""


@dataclass(frozen=True)
class StartSettings:
    """The environment in which a program starts: its arguments, extra environment variables, and accompanying files.

    `watch` watches the runs instead of the default for the program's language.
    """

    arguments: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    files: tuple[CourseFile, ...] = ()
    watch: RunWatch | None = None

    def moved(self, place: Callable[[CourseFile], Path]) -> "StartSettings":
        """Return a copy with the course files at the paths that `place` returns."""
        return replace(self, files=tuple(replace(file, source=place(file)) for file in self.files))


class Sanitizer(StrEnum):
    """A tool that compilers build into a program to detect errors."""

    ADDRESS = "address"
    UNDEFINED = "undefined"


@dataclass(frozen=True)
class NotWatched:
    """The program runs unmodified."""


@dataclass(frozen=True)
class Sanitized:
    """The program was built with `sanitizers`, which report errors; `leaks` also enables the detection of leaks."""

    sanitizers: tuple[Sanitizer, ...]
    leaks: bool


@dataclass(frozen=True)
class UnderValgrind:
    """The program runs in valgrind, which reports errors; `leaks` also enables the detection of leaks."""

    leaks: bool


ErrorFinder: TypeAlias = NotWatched | Sanitized | UnderValgrind
"""The tool that detects a program's errors at run time, especially memory errors."""


@dataclass(frozen=True, kw_only=True)
class LanguageBuild:
    """The language whose usual commands build and run `file`.

    `flags` are passed to the compiler, and `package` is the package of a Java class.
    """

    place: str
    file: str
    flags: tuple[str, ...] = ()
    package: str = ""


@dataclass(frozen=True, kw_only=True)
class BuildCommands:
    """The commands that build (if necessary) and run a program in a language other than Python.

    A command is a program on the system, or a submitted file as in `./game`. `build` runs once per submission within
    `limits`, and the files it creates become part of the submission. None means that there is nothing to build.
    `finder` detects errors in each run. `language` provides the usual commands, and is None if the assignment specifies
    its own.
    """

    build: tuple[str, ...] | None
    run: tuple[str, ...]
    limits: Limits
    finder: ErrorFinder = NotWatched()
    language: LanguageBuild | None = None


@dataclass(frozen=True)
class AlternativeFile:
    """A file that can be submitted instead of a program, and how it is built and run."""

    file: str
    recipe: BuildCommands


@dataclass(frozen=True, kw_only=True)
class Program:
    """A file for students to submit, its reference solution, and the accepted variants.

    A `joint` program is judged as the same variant as the assignment's other joint programs. If several of the program
    and its `alternatives` were submitted, the first one counts.
    """

    file: str
    reference: Path
    variants: tuple[str, ...]
    joint: bool = False
    alternatives: tuple[AlternativeFile, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """All names that its file can have, with the preferred one first."""
        return (self.file, *(alternative.file for alternative in self.alternatives))
