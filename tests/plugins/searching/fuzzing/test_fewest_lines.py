"""Lines that are not needed are left out."""

from hypothesis import given
from hypothesis import strategies as st

from grader.plugins.searching.fuzzing.fewest_lines import fewest_lines


@given(st.lists(st.sampled_from("abcxyz"), max_size=40), st.sets(st.sampled_from("abc"), max_size=3))
def test_no_line_is_left_that_could_go(lines: list[str], needed: set[str]) -> None:
    shown = tuple(lines) + tuple(sorted(needed))
    fewest = fewest_lines(shown, lambda kept: needed <= set(kept))
    assert sorted(fewest) == sorted(needed)


def test_a_line_that_others_depend_on_goes_once_they_are_gone() -> None:
    def shows(kept: tuple[str, ...]) -> bool:
        return "fail" in kept and ("use" not in kept or "open" in kept)

    assert fewest_lines(("open", "x", "use", "y", "fail", "z"), shows) == ("fail",)


def test_few_tries_are_needed_for_many_lines() -> None:
    tries = []

    def shows(kept: tuple[str, ...]) -> bool:
        tries.append(kept)
        return "fail" in kept

    assert fewest_lines(("x",) * 500 + ("fail",) + ("x",) * 500, shows) == ("fail",)
    assert len(tries) < 60


def test_the_order_of_what_is_left_stays() -> None:
    lines = ("b", "a", "c", "a", "d")
    assert fewest_lines(lines, lambda kept: "".join(kept).count("a") == 2 and "d" in kept) == ("a", "a", "d")
