"""Numbers as text."""

from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.text.words import format_decimal

UNHURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


@pytest.mark.parametrize(
    ("value", "text"),
    [("11.70", "11.7"), ("10", "10"), ("1E+3", "1000"), ("0.00", "0"), ("0.0001", "0.0001"), ("-0", "0"), ("13", "13")],
)
def test_neither_trailing_zeros_nor_exponents(value: str, text: str) -> None:
    assert format_decimal(Decimal(value)) == text


@UNHURRIED
@given(st.decimals(0, 10**9, places=8))
def test_nothing_is_lost(value: Decimal) -> None:
    assert Decimal(format_decimal(value)) == value
