"""Exact numbers as text."""

from decimal import Decimal


def exact(value: Decimal) -> str:
    """`value` without trailing zeros or exponent: 11.70 is `11.7`, 10 is `10`, -0 is `0`."""
    return f"{value.normalize() + 0:f}"
