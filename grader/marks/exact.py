"""Exact numbers as text."""

from decimal import Decimal


def exact(value: Decimal) -> str:
    """`value` without trailing zeros or exponent: 11.70 is `11.7`, 10 is `10`."""
    return f"{value.normalize():f}"
