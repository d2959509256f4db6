"""What students have to read stays within its limits."""

import pytest

from benchmarks.fuzz_power import ASSIGNMENTS
from benchmarks.page_lengths import LIMITS, Length, lengths, table

SMALL = "cse231-lab10b"


@pytest.mark.parametrize(
    "assignment", [name if name == SMALL else pytest.param(name, marks=pytest.mark.slow) for name in ASSIGNMENTS]
)
def test_a_student_reads_no_more_than_the_limits_allow(assignment: str) -> None:
    measured = list(lengths(assignment))
    assert {length.name for length in measured} >= {*LIMITS} - {"printed pages, two mistakes"}
    assert [length for length in measured if not length.is_kept] == []


def test_the_table_has_each_figure_beside_its_limit() -> None:
    printed = table([Length("lab", "text, full marks", 20), Length("game", "text, full marks", 31)])
    assert "| text, full marks | 25 | 20 | 31 |" in printed
    assert Length("lab", "text, full marks", 25).is_kept
    assert not Length("game", "text, full marks", 31).is_kept
