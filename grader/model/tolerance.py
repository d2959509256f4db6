"""How far a number may be off."""

from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal

# A program may print a number of any size.
_UNBOUNDED = Context(prec=28, Emax=MAX_EMAX, Emin=MIN_EMIN)


@dataclass(frozen=True)
class Tolerance:
    """A number is close enough if it is off by `absolute`, or by the share `relative` of the expected one."""

    absolute: Decimal = Decimal(0)
    relative: Decimal = Decimal(0)

    def allows(self, expected: Decimal, actual: Decimal) -> bool:
        """Whether a finite number is close enough."""
        most = max(self.absolute, _UNBOUNDED.multiply(self.relative, _UNBOUNDED.abs(expected)))
        return _UNBOUNDED.abs(_UNBOUNDED.subtract(expected, actual)) <= most


NO_TOLERANCE = Tolerance()
