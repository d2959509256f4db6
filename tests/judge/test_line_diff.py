"""The line diff: right on small texts, and of bounded cost on any."""

import random
import tracemalloc
from collections.abc import Callable, Hashable, Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.judge.line_diff import LineBlock, blocks

TEXTS = st.lists(st.sampled_from("abcd"), max_size=12)


def longest(expected: Sequence[str], actual: Sequence[str]) -> int:
    """The length of the longest common subsequence, by the book."""
    row = [0] * (len(actual) + 1)
    for wanted in expected:
        before = row
        row = [0]
        for column, found in enumerate(actual):
            row.append(before[column] + 1 if wanted == found else max(row[column], before[column + 1]))
    return row[-1]


def equal(found: Sequence[LineBlock]) -> int:
    return sum(len(block.expected) for block in found if block.is_equal)


def check(expected: Sequence[Hashable], actual: Sequence[Hashable], found: Sequence[LineBlock]) -> None:
    assert [index for block in found for index in block.expected] == list(range(len(expected)))
    assert [index for block in found for index in block.actual] == list(range(len(actual)))
    assert all(one.is_equal != other.is_equal for one, other in pairwise(found))
    for block in found:
        if block.is_equal:
            assert [expected[index] for index in block.expected] == [actual[index] for index in block.actual]


@given(TEXTS, TEXTS)
def test_as_many_lines_as_can_be_are_equal(expected: list[str], actual: list[str]) -> None:
    found = list(blocks(expected, actual))
    check(expected, actual, found)
    assert equal(found) == longest(expected, actual)


@given(TEXTS, TEXTS, st.integers(0, 20))
def test_a_diff_that_may_use_no_table_is_right_too(expected: list[str], actual: list[str], cells: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("grader.judge.line_diff._MAX_CELLS", cells)
        check(expected, actual, list(blocks(expected, actual)))


class Line:
    """A line that counts how often lines are looked at."""

    looks = 0

    def __init__(self, text: object) -> None:
        self.text = text

    def __eq__(self, other: object) -> bool:
        Line.looks += 1
        return isinstance(other, Line) and self.text == other.text

    def __hash__(self) -> int:
        Line.looks += 1
        return hash(self.text)


def shuffled(count: int) -> list[object]:
    return random.Random(1).sample(range(count), count)


def drawn(count: int, kinds: int, seed: int) -> Sequence[object]:
    return list(random.Random(seed).choices(range(kinds), k=count))


HOSTILE: dict[str, Callable[[int], tuple[Sequence[object], Sequence[object]]]] = {
    "all equal": lambda count: ([0] * count, [0] * (count - 7)),
    "all unique": lambda count: ([f"a{line}" for line in range(count)], [f"b{line}" for line in range(count)]),
    "alternating": lambda count: ([0, 1] * (count // 2), [1, 0] * (count // 2)),
    "two kinds": lambda count: (drawn(count, 2, 1), drawn(count, 2, 2)),
    "shuffled": lambda count: (list(range(count)), shuffled(count)),
    "reversed": lambda count: (list(range(count)), list(range(count))[::-1]),
    "every tenth missing": lambda count: (list(range(count)), [line for line in range(count) if line % 10]),
    "few often": lambda count: (drawn(count, 50, 1), drawn(count, 50, 1)[::2]),
    "nested": lambda count: (drawn(count, count // 2, 1), drawn(count, count // 2, 2)),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_lines_are_looked_at_a_bounded_number_of_times(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twice the lines take hardly more than twice the looks; tables, which are not counted, are made small."""
    monkeypatch.setattr("grader.judge.line_diff._MAX_CELLS", 10_000)
    looks = []
    for count in (2_000, 4_000):
        expected, actual = ([Line(text) for text in texts] for texts in HOSTILE[kind](count))
        Line.looks = 0
        found = list(blocks(expected, actual))
        looks.append(Line.looks)
        check(expected, actual, found)
    assert looks[1] <= 60 * 4_000
    assert looks[1] <= 3 * looks[0]


def test_the_largest_table_has_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []

    def counted(region: object, *_: object) -> list[tuple[int, int, int]]:
        made.append(region.cells)  # type: ignore[attr-defined]
        return []

    monkeypatch.setattr("grader.judge.line_diff._common_lines", counted)
    for kind in HOSTILE.values():
        made.clear()
        list(blocks(*kind(20_000)))
        assert sum(made) <= 100_000_000


def test_a_table_beside_a_flood_of_different_lines_holds_no_row_for_each_of_them() -> None:
    expected = ["a", "b", "c", "d"]
    actual = [*map(str, range(40_000)), "c", "z"]
    tracemalloc.start()
    try:
        found = list(blocks(expected, actual))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    check(expected, actual, found)
    assert equal(found) == 1
    assert peak < 100 * len(actual)


def test_lines_missing_from_a_large_text_are_all_found() -> None:
    expected = [str(line % 9_000) for line in range(60_000)]
    actual = [line for number, line in enumerate(expected) if number % 1_000]
    found = list(blocks(expected, actual))
    check(expected, actual, found)
    assert equal(found) == len(actual)
