"""How far a share of a few tells the share of all."""

from dataclasses import dataclass
from math import sqrt

_Z = 1.959964
"""The standard normal distribution has 95 % between minus this and this."""


@dataclass(frozen=True)
class ProportionInterval:
    """The bounds, from 0 to 1, between which a share lies with a confidence of 95 %."""

    low: float
    high: float


def wilson_interval(count: int, total: int) -> ProportionInterval:
    """Wilson's score interval of a share of which `count` of `total` cases were seen; everything, when there are none.

    The cases are taken to be independent of each other, and chosen without regard to what is counted.
    """
    if not total:
        return ProportionInterval(0.0, 1.0)
    share, spread = count / total, _Z**2 / total
    middle = share + spread / 2
    reach = _Z * sqrt(share * (1 - share) / total + spread / (4 * total))
    low, high = ((middle + side * reach) / (1 + spread) for side in (-1, 1))
    return ProportionInterval(max(0.0, low), min(1.0, high))
