"""What trials of mutants let one say about faulty programs that were never tried."""

from dataclasses import dataclass

from grader.analysis.proportion import ProportionInterval, wilson_interval


@dataclass(frozen=True)
class SurvivingShare:
    """Of `count` faulty programs of one kind, so many survived all tests."""

    kind: str
    survived: int
    count: int

    @property
    def interval(self) -> ProportionInterval:
        """Between which shares that of all such programs lies."""
        return wilson_interval(self.survived, self.count)


@dataclass(frozen=True)
class TwoLooks:
    """How many mutants the public tests catch, how many the hidden ones, and how many both."""

    public: int
    hidden: int
    both: int

    @property
    def caught(self) -> int:
        """The mutants that one or the other catches."""
        return self.public + self.hidden - self.both

    @property
    def missed(self) -> float:
        """How many mistakes neither catches, by Chapman's estimate from capture and recapture.

        It would be right if the hidden tests caught what public ones catch as often as what these miss. They catch it
        more often, because some mistakes are easy to see for all tests; so there are rather more.
        """
        return (self.public + 1) * (self.hidden + 1) / (self.both + 1) - 1 - self.caught
