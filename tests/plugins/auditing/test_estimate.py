"""What is said about faulty programs that were not tried."""

import pytest

from grader.plugins.auditing.report import TwoLooks


def test_chapmans_estimate() -> None:
    assert TwoLooks(public=60, hidden=90, both=55).missed == pytest.approx(61 * 91 / 56 - 1 - 95)
    assert TwoLooks(public=10, hidden=90, both=10).missed == 0, "who sees all that the other one sees misses nothing"
    assert TwoLooks(public=60, hidden=90, both=30).missed > TwoLooks(public=60, hidden=90, both=55).missed
