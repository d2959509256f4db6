"""How far a share of a few tells the share of all."""

from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

_CONFIDENCE = 0.95


@dataclass(frozen=True)
class ProportionInterval:
    """The bounds, from 0 to 1, between which a share lies with a confidence of 95 %."""

    low: float
    high: float


def wilson_interval(count: int, total: int) -> ProportionInterval:
    """Wilson's score interval of a share of which `count` of `total` cases were seen; everything, when there are none.

    It holds for cases that are drawn one by one from all of their kind.
    """
    if not total:
        return ProportionInterval(0.0, 1.0)
    z, share = NormalDist().inv_cdf((1 + _CONFIDENCE) / 2), count / total
    weight = 1 + z * z / total
    middle = (share + z * z / (2 * total)) / weight
    reach = z * sqrt(share * (1 - share) / total + z * z / (4 * total**2)) / weight
    # A limit that is 0 or 1 is so exactly, and not but for rounding.
    return ProportionInterval(middle - reach if count else 0.0, middle + reach if count < total else 1.0)
