from hypothesis import given
from hypothesis import strategies as st

from grader.plugins.similarity.fingerprints import SharedPassage, disjoint_passages


def test_a_longer_passage_keeps_the_lines_that_both_have() -> None:
    long, touching = SharedPassage((1, 10), (21, 30)), SharedPassage((10, 14), (3, 7))
    assert disjoint_passages([touching, long]) == (long, SharedPassage((11, 14), (3, 7)))


def test_what_is_mostly_in_another_passage_is_passed_over() -> None:
    long, inside, around = (
        SharedPassage((5, 15), (5, 15)),
        SharedPassage((6, 9), (30, 33)),
        SharedPassage((3, 7), (40, 44)),
    )
    assert disjoint_passages([long, inside, around]) == (long,)


def test_a_line_between_two_passages_is_shown_once() -> None:
    found = disjoint_passages(
        [SharedPassage((1, 4), (1, 4)), SharedPassage((4, 4), (4, 4)), SharedPassage((4, 7), (5, 8))]
    )
    assert found == (SharedPassage((1, 4), (1, 4)), SharedPassage((5, 7), (5, 8)))


LINES = st.tuples(st.integers(1, 30), st.integers(0, 9)).map(lambda one: (one[0], one[0] + one[1]))
PASSAGES = st.lists(st.builds(SharedPassage, LINES, LINES), max_size=12)


@given(PASSAGES)
def test_no_line_is_in_two_and_each_part_is_in_a_passage(passages: list[SharedPassage]) -> None:
    parts = disjoint_passages(passages)
    for side in ("first", "second"):
        lines = [line for part in parts for line in _lines(getattr(part, side))]
        assert len(lines) == len(set(lines))
    for part in parts:
        assert any(
            _lines(part.first) <= _lines(one.first) and _lines(part.second) <= _lines(one.second) for one in passages
        )
    assert bool(parts) == bool(passages)
    assert disjoint_passages(reversed(passages)) == parts


def _lines(ends: tuple[int, int]) -> set[int]:
    return set(range(ends[0], ends[1] + 1))
