"""The settings of a test's interactor, and its connection to the program."""

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path


class Channel(StrEnum):
    """The connection between an interactor and the program: a terminal, which shows the typed text, or pipes."""

    TERMINAL = "terminal"
    PIPES = "pipes"


@dataclass(frozen=True, kw_only=True)
class InteractorSettings:
    """The course's interactor in `file`, its options, and the seed of its random numbers.

    `content` is the digest of everything that it may read, so its behaviour depends on all fields except `file`.
    """

    name: str
    file: Path = field(compare=False)
    content: str
    options: tuple[tuple[str, str], ...] = ()
    seed: str = "0"
