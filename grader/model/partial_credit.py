"""How a test gives credit for what is right in part."""

from dataclasses import dataclass
from decimal import Decimal
from typing import TypeAlias


@dataclass(frozen=True)
class PartialLines:
    """The share of right lines: of those expected, or of those printed if these are more."""


@dataclass(frozen=True)
class PartialSteps:
    """The share of right steps, up to the first wrong one; a step is what is printed between two inputs."""


@dataclass(frozen=True)
class WholeLine:
    """A line of the transcript that is equal to `line`, as far as the test compares it."""

    line: str


@dataclass(frozen=True)
class TextInLine:
    """A line of the transcript that holds `text`."""

    text: str


@dataclass(frozen=True)
class Milestone:
    """Something that a program prints on its way, and the share of the points for it."""

    sign: WholeLine | TextInLine
    share: Decimal

    @property
    def words(self) -> str:
        """The text to print there."""
        return self.sign.line if isinstance(self.sign, WholeLine) else self.sign.text


@dataclass(frozen=True)
class Milestones:
    """The shares of the milestones that are reached, in this order."""

    milestones: tuple[Milestone, ...]


PartialWay: TypeAlias = PartialLines | PartialSteps | Milestones


@dataclass(frozen=True)
class PartialCredit:
    """How a share is worked out; with `if_stopped` also of a program that crashed or ran into a limit."""

    way: PartialWay
    if_stopped: bool = False
