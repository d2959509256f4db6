"""Bounds of a share."""

from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.analysis.item_statistics import ProportionInterval, wilson_interval

COUNTS = st.integers(1, 500).flatmap(lambda total: st.tuples(st.integers(0, total), st.just(total)))


def test_bounds_as_statisticians_give_them() -> None:
    found = wilson_interval(2, 12)
    assert (round(found.low, 4), round(found.high, 4)) == (0.0470, 0.4480)
    found = wilson_interval(0, 10)
    assert (found.low, round(found.high, 4)) == (0.0, 0.2775)
    assert wilson_interval(0, 0) == ProportionInterval(0.0, 1.0)


@given(COUNTS)
def test_the_interval_has_the_shares_from_which_the_observed_one_is_not_too_far(found: tuple[int, int]) -> None:
    """A share is in Wilson's interval when what was seen is within 1.96 standard errors of it, as they are there."""
    share = found[0] / found[1]
    bounds = wilson_interval(*found)
    for limit in (bounds.low, bounds.high):
        if 0 < limit < 1:
            assert abs(share - limit) == pytest.approx(1.959964 * sqrt(limit * (1 - limit) / found[1]), rel=1e-4)


@given(COUNTS)
def test_the_share_lies_between_its_bounds_which_come_closer_with_more_cases(seen: tuple[int, int]) -> None:
    count, total = seen
    one, ten_times = wilson_interval(count, total), wilson_interval(10 * count, 10 * total)
    tiny = 1e-9
    assert 0 <= one.low <= count / total + tiny
    assert count / total - tiny <= one.high <= 1
    assert ten_times.high - ten_times.low < one.high - one.low
    other = wilson_interval(total - count, total)
    assert abs(other.low - (1 - one.high)) < tiny
