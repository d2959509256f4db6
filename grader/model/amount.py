"""Exact amounts of points: decimals, and fractions where points are shared that do not come out even.

Amounts are added as fractions and turned into a decimal once, so a sum loses nothing on the way.
"""

from collections.abc import Iterable
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

Amount: TypeAlias = Decimal | Fraction
"""A number of points. It is a fraction only where no decimal of a few places is equal to it."""

_PLACES = 20
"""Of a decimal in place of a fraction. Rounding at the end cannot see what lies behind them."""

_SETTLED_PLACES = 15

_EXACT_PLACES = 12

_CONTEXT = Context(prec=60, rounding=ROUND_HALF_EVEN)

_MOST_REMEMBERED = 4096
"""Of a class, many earn the same."""


def amount(value: Fraction) -> Amount:
    """`value` as a decimal where one of a few places is equal to it."""
    decimal = as_decimal(value)
    return decimal if Fraction(decimal) == value and _is_short(decimal) else value


def as_decimal(value: Amount) -> Decimal:
    """`value` as a decimal; of a fraction that has no end the first twenty places."""
    return value if isinstance(value, Decimal) else _divided(value)


@lru_cache(_MOST_REMEMBERED)
def _divided(value: Fraction) -> Decimal:
    decimal = _CONTEXT.divide(Decimal(value.numerator), Decimal(value.denominator))
    if Fraction(decimal) == value and _is_short(decimal):
        return decimal
    return decimal.quantize(Decimal(1).scaleb(-_PLACES), context=_CONTEXT)


def total(amounts: Iterable[Amount]) -> Decimal:
    """Return the sum, exact where a decimal can be."""
    return as_decimal(sum((Fraction(value) for value in amounts), Fraction(0)))


def settled(value: Decimal) -> Decimal:
    """`value` without the last places, in which computing with a decimal in place of a fraction may be off."""
    if -_exponent(value) <= _SETTLED_PLACES:
        return value
    return value.quantize(Decimal(1).scaleb(-_SETTLED_PLACES), context=_CONTEXT)


def _is_short(value: Decimal) -> bool:
    return -_exponent(value) <= _EXACT_PLACES


def _exponent(value: Decimal) -> int:
    """Return the exponent of the last digit; 0 of what is no finite number."""
    exponent = value.as_tuple().exponent
    return 0 if isinstance(exponent, str) else exponent
