"""The figures of what students have to read are printed beside their limits."""

from benchmarks.page_lengths import Length, table


def test_the_table_has_each_figure_beside_its_limit() -> None:
    printed = table([Length("lab", "text, full marks", 20), Length("game", "text, full marks", 31)])
    assert "| text, full marks | 25 | 20 | 31 |" in printed
    assert Length("lab", "text, full marks", 25).is_kept
    assert not Length("game", "text, full marks", 31).is_kept
