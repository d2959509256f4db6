"""Totals are weighted means, and of a group the best members count."""

from fractions import Fraction
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from grader.plugins.term.weighing import Component, mean, total_share

NAMES = tuple("abcdef")
SHARES = st.dictionaries(st.sampled_from(NAMES), st.fractions(0, 2))


@given(SHARES, st.integers(1, 6))
def test_the_best_are_those_with_the_highest_mean(shares: dict[str, Fraction], best: int) -> None:
    group = Component("group", Fraction(1), NAMES, best)
    number = min(best, len(shares))
    chosen = group.chosen(shares)
    assert len(chosen) == number
    if number:
        assert group.share(shares) == max(mean(way) for way in combinations(shares.values(), number))
    else:
        assert group.share(shares) is None


@given(SHARES, st.lists(st.integers(1, 9), min_size=6, max_size=6), st.fractions(1, 9))
def test_only_the_ratio_of_weights_counts(shares: dict[str, Fraction], weights: list[int], factor: Fraction) -> None:
    once = [Component(name, Fraction(weight), (name,), 1) for name, weight in zip(NAMES, weights, strict=True)]
    times = [Component(part.id, part.weight * factor, part.members, 1) for part in once]
    total = total_share(once, shares)
    assert total == total_share(times, shares)
    if total is not None:
        assert min(shares.values()) <= total <= max(shares.values())


def test_what_does_not_count_has_no_part_in_the_weights() -> None:
    parts = [Component("a", Fraction(30), ("a",), 1), Component("b", Fraction(70), ("b",), 1)]
    assert total_share(parts, {"a": Fraction(1), "b": Fraction(0)}) == Fraction(3, 10)
    assert total_share(parts, {"a": Fraction(1)}) == 1
    assert total_share(parts, {}) is None
