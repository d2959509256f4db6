"""Exact amounts of points: decimals, or fractions where shared points do not have a finite decimal.

Amounts are added as fractions and converted to a decimal once, so that sums are exact.
"""

from collections.abc import Iterable
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

Amount: TypeAlias = Decimal | Fraction
"""A number of points; a fraction only if no short decimal equals it."""

_PLACES = 20
"""The number of decimal places for approximating a fraction, enough that further places never affect the final
rounding.
"""

_SETTLED_PLACES = 15

_EXACT_PLACES = 12

_CONTEXT = Context(prec=60, rounding=ROUND_HALF_EVEN)

_CACHE_SIZE = 4096
"""Many students of a class earn the same points, so this many results are cached."""


def amount(value: Fraction) -> Amount:
    """Return `value` as a decimal if a short decimal equals it, else unchanged."""
    decimal = as_decimal(value)
    return decimal if Fraction(decimal) == value and _is_short(decimal) else value


def as_decimal(value: Amount) -> Decimal:
    """Return `value` as a decimal, with twenty places for a fraction that has no finite decimal."""
    return value if isinstance(value, Decimal) else _divided(value)


@lru_cache(_CACHE_SIZE)
def _divided(value: Fraction) -> Decimal:
    decimal = _CONTEXT.divide(Decimal(value.numerator), Decimal(value.denominator))
    if Fraction(decimal) == value and _is_short(decimal):
        return decimal
    return decimal.quantize(Decimal(1).scaleb(-_PLACES), context=_CONTEXT)


def total(amounts: Iterable[Amount]) -> Decimal:
    """Return the sum, which is exact if a decimal can express it."""
    return as_decimal(sum((Fraction(value) for value in amounts), Fraction(0)))


def settled(value: Decimal) -> Decimal:
    """Round `value` to the places that are not affected by the approximation of fractions."""
    if -_exponent(value) <= _SETTLED_PLACES:
        return value
    return value.quantize(Decimal(1).scaleb(-_SETTLED_PLACES), context=_CONTEXT)


def _is_short(value: Decimal) -> bool:
    return -_exponent(value) <= _EXACT_PLACES


def _exponent(value: Decimal) -> int:
    """Return the exponent of the last digit, or 0 if `value` is not finite."""
    exponent = value.as_tuple().exponent
    return 0 if isinstance(exponent, str) else exponent
