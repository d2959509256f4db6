"""What is said about faulty programs that were not tried."""

import pytest

from grader.plugins.auditing.report import CatchCounts


def test_chapmans_estimate() -> None:
    assert CatchCounts(public=60, hidden=90, both=55).missed == pytest.approx(61 * 91 / 56 - 1 - 95)
    assert CatchCounts(public=10, hidden=90, both=10).missed == 0, "who sees all that the other one sees misses nothing"
    assert CatchCounts(public=60, hidden=90, both=30).missed > CatchCounts(public=60, hidden=90, both=55).missed
