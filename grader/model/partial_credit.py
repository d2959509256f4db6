"""The kinds of partial credit that a test can give."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import TypeAlias

from grader.text.sentence import Sentence


@dataclass(frozen=True)
class PartialLines:
    """The proportion of right lines among the expected lines, or among the printed lines if there are more."""


@dataclass(frozen=True)
class PartialSteps:
    """The proportion of right steps before the first wrong one; a step is the output between two inputs."""


@dataclass(frozen=True)
class WholeLine:
    """A line of the transcript that equals `line` under the test's comparison policy."""

    line: str


@dataclass(frozen=True)
class TextInLine:
    """A line of the transcript that contains `text`."""

    text: str


@dataclass(frozen=True)
class Milestone:
    """An intermediate output of a program, and its share of the points."""

    sign: WholeLine | TextInLine
    share: Decimal

    @property
    def words(self) -> str:
        """The text that must be printed."""
        return self.sign.line if isinstance(self.sign, WholeLine) else self.sign.text


@dataclass(frozen=True)
class Milestones:
    """The sum of the shares of the milestones that were reached in order."""

    milestones: tuple[Milestone, ...]


@dataclass(frozen=True)
class PartialChecks:
    """The sum of the shares of the checks in `expect` that pass, which are equal by default."""


@dataclass(frozen=True)
class PartialRepair:
    """A share that shrinks as a proved repair replaces more of the program, to nothing at a third of its tokens.

    A plugin looks for the repair after grading.
    """


class PluginShare(ABC):
    """A plugin's kind of partial credit, a frozen dataclass."""

    @abstractmethod
    def share(self, expected: str, actual: str, /) -> tuple[Fraction, Sentence]:
        """Return the share that a transcript earns, and the reason in words."""


PartialWay: TypeAlias = PartialLines | PartialSteps | Milestones | PartialChecks | PluginShare


@dataclass(frozen=True)
class PartialCredit:
    """How the share is calculated; `if_stopped` includes programs that crashed or reached a limit."""

    way: PartialWay | PartialRepair
    if_stopped: bool = False
