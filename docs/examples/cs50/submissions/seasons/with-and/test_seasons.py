from datetime import date

from seasons import minutes


def test_a_day():
    assert minutes(date(2024, 5, 1), date(2024, 5, 2)) == 1440


def test_a_year():
    assert minutes(date(2023, 1, 1), date(2024, 1, 1)) == 525600


def test_a_leap_year():
    assert minutes(date(2024, 1, 1), date(2025, 1, 1)) == 527040
