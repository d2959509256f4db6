"""The ways in which a test gives partial credit."""

from dataclasses import dataclass
from decimal import Decimal
from typing import TypeAlias


@dataclass(frozen=True)
class PartialLines:
    """The share of right lines among the expected lines, or among the printed lines if there are more of them."""


@dataclass(frozen=True)
class PartialSteps:
    """The share of right steps before the first wrong one; a step is the output between two inputs."""


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
    """An intermediate output of a program, and the share of the points for it."""

    sign: WholeLine | TextInLine
    share: Decimal

    @property
    def words(self) -> str:
        """The text to print there."""
        return self.sign.line if isinstance(self.sign, WholeLine) else self.sign.text


@dataclass(frozen=True)
class Milestones:
    """The sum of the shares of the milestones reached in this order."""

    milestones: tuple[Milestone, ...]


@dataclass(frozen=True)
class PartialChecks:
    """The sum of the shares of the checks in `expect` that hold; without shares of their own, they are equal."""


PartialWay: TypeAlias = PartialLines | PartialSteps | Milestones | PartialChecks


@dataclass(frozen=True)
class PartialCredit:
    """The way to compute the share; `if_stopped` includes programs that crashed or ran into a limit."""

    way: PartialWay
    if_stopped: bool = False
