"""What is said about faulty programs that were not tried."""

from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.authoring.audit.estimate import SurvivingShare, TwoLooks

COUNTS = st.integers(1, 500).flatmap(lambda count: st.tuples(st.integers(0, count), st.just(count)))


@given(COUNTS)
def test_the_interval_has_the_shares_from_which_the_observed_one_is_not_too_far(found: tuple[int, int]) -> None:
    """A share is in Wilson's interval when what was seen is within 1.96 standard errors of it, as they are there."""
    share = found[0] / found[1]
    least, most = SurvivingShare("", *found).interval
    for limit in (least, most):
        if 0 < limit < 1:
            assert abs(share - limit) == pytest.approx(1.959964 * sqrt(limit * (1 - limit) / found[1]), rel=1e-4)


def test_of_nothing_nothing_is_known() -> None:
    assert SurvivingShare("", 0, 0).interval == (0, 1)


@given(COUNTS)
def test_the_share_is_in_its_interval(found: tuple[int, int]) -> None:
    least, most = SurvivingShare("", *found).interval
    assert 0 <= least <= found[0] / found[1] <= most <= 1


def test_chapmans_estimate() -> None:
    assert TwoLooks(public=60, hidden=90, both=55).missed == pytest.approx(61 * 91 / 56 - 1 - 95)
    assert TwoLooks(public=10, hidden=90, both=10).missed == 0, "who sees all that the other one sees misses nothing"
    assert TwoLooks(public=60, hidden=90, both=30).missed > TwoLooks(public=60, hidden=90, both=55).missed
