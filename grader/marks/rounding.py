"""The last step to a mark."""

from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal

from grader.spec.late import Rounding, RoundingMode

_MODES = {
    RoundingMode.HALF_UP: ROUND_HALF_UP,
    RoundingMode.HALF_EVEN: ROUND_HALF_EVEN,
    RoundingMode.UP: ROUND_CEILING,
    RoundingMode.DOWN: ROUND_FLOOR,
}


def rounded(mark: Decimal, full: Decimal, rounding: Rounding | None) -> Decimal:
    """`mark` as the rule says, but never more than the `full` mark; without a rule it stays exact."""
    if rounding is None:
        return mark
    return min(mark.quantize(Decimal(1).scaleb(-rounding.places), _MODES[rounding.mode]), full)
