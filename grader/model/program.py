"""The programs of an assignment: the files to hand in, how they are built and run, and what is provided beside them."""

from dataclasses import dataclass
from pathlib import Path

from grader.model.limits import Limits


@dataclass(frozen=True)
class ProvidedModule:
    """A module of the instructor: it lies beside the program as `file`, even if the student hands in another."""

    file: str
    source: Path


@dataclass(frozen=True)
class ProvidedSettings:
    """What a test tells the provided modules: their edition, the deck (text, as they read it) and the random seed."""

    edition: str | None = None
    deck: str | None = None
    random_seed: int | None = None

    @property
    def environment(self) -> dict[str, str]:
        """The environment variables that the provided modules read."""
        variables = {
            "PROVIDED_EDITION": self.edition,
            "PROVIDED_DECK": self.deck,
            "PROVIDED_RANDOM_SEED": self.random_seed,
        }
        return {name: str(value) for name, value in variables.items() if value is not None}


NO_SETTINGS = ProvidedSettings()


@dataclass(frozen=True)
class BuildCommands:
    """How a program that is not run by Python is built, if it is, and run.

    Commands name a program of the system, or a file of the submission as in `./game`. `build` is run once per
    submission, with `limits`; the files it makes are then part of the submission. None: nothing is built.
    """

    build: tuple[str, ...] | None
    run: tuple[str, ...]
    limits: Limits


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
