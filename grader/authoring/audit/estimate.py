"""What trials of mutants let one say about faulty programs that were never tried."""

from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

_CONFIDENCE = 0.95


@dataclass(frozen=True)
class SurvivingShare:
    """Of `count` faulty programs of one kind, so many survived all tests."""

    kind: str
    survived: int
    count: int

    @property
    def interval(self) -> tuple[float, float]:
        """Between which shares that of all such programs lies: Wilson's score interval for 95 %.

        It holds for programs that are drawn one by one from all of their kind.
        """
        if not self.count:
            return 0.0, 1.0
        z, share = NormalDist().inv_cdf((1 + _CONFIDENCE) / 2), self.survived / self.count
        weight = 1 + z * z / self.count
        middle = (share + z * z / (2 * self.count)) / weight
        reach = z * sqrt(share * (1 - share) / self.count + z * z / (4 * self.count**2)) / weight
        # A limit that is 0 or 1 is so exactly, and not but for rounding.
        return middle - reach if self.survived else 0.0, middle + reach if self.survived < self.count else 1.0


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
