"""Set cover: everything is covered, nothing is superfluous."""

from hypothesis import given
from hypothesis import strategies as st

from grader.plugins.searching.seeds.explore import cover

REACHED = st.lists(st.frozensets(st.integers(0, 12)), max_size=20)


@given(REACHED)
def test_the_chosen_have_every_goal_and_none_of_them_can_be_left_out(reached: list[frozenset[int]]) -> None:
    chosen = cover(reached)
    everything = frozenset[int]().union(*reached)
    assert frozenset[int]().union(*(reached[index] for index in chosen)) == everything
    for left_out in chosen:
        assert frozenset[int]().union(*(reached[index] for index in chosen if index != left_out)) != everything


@given(REACHED)
def test_what_reaches_nothing_new_changes_nothing(reached: list[frozenset[int]]) -> None:
    assert cover([*reached, frozenset(), *reached]) == cover(reached)


def test_those_that_reach_most_come_first_and_of_several_the_first() -> None:
    assert cover([{"a"}, {"b", "c"}, {"a", "d"}, {"c", "b"}]) == [1, 2]


def test_what_greed_took_too_much_is_dropped() -> None:
    # The largest one is taken first and is not needed in the end.
    assert cover([{1, 2, 3, 4}, {1, 2, 5}, {3, 4, 6}]) == [1, 2]
