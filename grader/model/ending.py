"""How a test expects its program to end: one frozen dataclass for each kind, combined in `ExpectedEnding`."""

import signal
from dataclasses import dataclass
from typing import TypeAlias

from grader.model.outcome import Outcome, Termination
from grader.text.sentence import say


@dataclass(frozen=True)
class ExitsBetween:
    """A program that exits with a status from `least` to `most`."""

    least: int
    most: int

    def fits(self, outcome: Outcome) -> bool:
        """Return whether the program ended as expected."""
        code = outcome.exit_code if outcome.ending is Termination.EXITED else None
        return code is not None and self.least <= code <= self.most

    @property
    def words(self) -> str:
        """The expectation in words that follow `exit status`."""
        if self.least == self.most:
            return str(self.least)
        return say("one from {least} to {most}", least=self.least, most=self.most)


@dataclass(frozen=True)
class EndsBySignal:
    """A program ended by signal `number`, such as a failed assertion in C."""

    number: int

    def fits(self, outcome: Outcome) -> bool:
        """Return whether the program ended as expected."""
        return outcome.signal == self.number

    @property
    def words(self) -> str:
        """The expectation in words."""
        return say("the signal {name}", name=signal.Signals(self.number).name)


@dataclass(frozen=True)
class AsksAgain:
    """A program that asks for more input after all lines, for example because it must reject the last one."""

    def fits(self, outcome: Outcome) -> bool:
        """Return whether the program ended as expected."""
        return outcome.ending is Termination.ASKED_AGAIN

    @property
    def words(self) -> str:
        """The expectation in words."""
        return say("a program that asks for more input")


ExpectedEnding: TypeAlias = ExitsBetween | EndsBySignal | AsksAgain

SUCCESS, NONZERO, ANY_STATUS = ExitsBetween(0, 0), ExitsBetween(1, 255), ExitsBetween(0, 255)
