from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.model.judgement import Verdict
from grader.reports.html.overview import mark_bars, time_bars, verdict_shares


def test_marks_fall_into_round_bins_the_full_mark_into_the_last() -> None:
    bars = mark_bars(map(Decimal, ("0", "0.9", "1", "12.35", "13")), Decimal(13))
    assert [bar.label for bar in bars] == [*(str(number) for number in range(12)), "12–13"]
    assert [bar.count for bar in bars] == [2, 1, *[0] * 10, 2]
    assert bars[0].title == "0 to below 1"
    assert bars[-1].title == "12 to 13"
    assert bars[0].height == 100


@given(st.lists(st.decimals(0, 1, places=4), max_size=20), st.decimals("0.01", 100_000, places=2))
def test_every_mark_is_in_one_bin(shares: list[Decimal], full: Decimal) -> None:
    bars = mark_bars([share * full for share in shares], full)
    assert sum(bar.count for bar in bars) == len(shares)
    assert 1 <= len(bars) <= 14


def test_times_fall_into_bins() -> None:
    assert [bar.count for bar in time_bars([0.01, 0.03, 2.9, 30])] == [1, 1, 0, 0, 1, 0, 1]


@pytest.mark.parametrize("verdicts", [[], [Verdict.PASSED]])
def test_shares_of_little(verdicts: list[Verdict]) -> None:
    assert [share.percent for share in verdict_shares(verdicts)] == [100.0] * len(verdicts)


def test_shares_lie_side_by_side_the_passed_first() -> None:
    shares = verdict_shares([Verdict.CRASH, *[Verdict.TIMEOUT] * 2, Verdict.PASSED])
    assert [(share.verdict, share.start, share.percent) for share in shares] == [
        (Verdict.PASSED, 0, 25),
        (Verdict.TIMEOUT, 25, 50),
        (Verdict.CRASH, 75, 25),
    ]
